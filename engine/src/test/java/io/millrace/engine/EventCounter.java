package io.millrace.engine;

import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;

/** A listener that counts executions, market data and report rows and hashes their fields, without allocating. */
public final class EventCounter extends FeedHash
    implements ExecutionListener, OrderConsumer, PriceLevelConsumer, UserReportConsumer, TotalsConsumer
{
    private static final long FNV_PRIME = 0x100000001b3L;

    public long trades;
    public long volume;
    public long rejects;
    public long rejected;
    public long reduces;
    public long completed;
    public long triggers;
    /** Counts of orders, levels and accounts of reports. */
    public long rows;

    /** Sets all counts to 0; the hash stays. */
    public void clear()
    {
        trades = 0;
        volume = 0;
        rejects = 0;
        rejected = 0;
        reduces = 0;
        completed = 0;
        triggers = 0;
        count = 0;
        rows = 0;
    }

    /** Whether it has received nothing since it was cleared. */
    public boolean isSilent()
    {
        return (trades | rejects | reduces | triggers | count | rows) == 0;
    }

    private void add(final long value)
    {
        hash = (hash ^ value) * FNV_PRIME;
        hash ^= hash >>> 29;
    }

    @Override
    public void onTrade(
        final long tradeId,
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        trades++;
        volume += size;
        add(tradeId);
        add(makerOrderId);
        add(makerUid);
        add(makerCompleted ? 1 : 2);
        add(takerOrderId);
        add(takerUid);
        add(takerSide);
        add(takerCompleted ? 1 : 2);
        add(price);
        add(size);
        add(bidReservePrice);
    }

    @Override
    public void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        rejects++;
        rejected += size;
        add(orderId);
        add(uid);
        add(side);
        add(price);
        add(size);
        add(reservePrice);
    }

    @Override
    public void onReduce(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean isCompleted,
        final long reservePrice)
    {
        reduces++;
        completed += isCompleted ? 1 : 0;
        add(reason);
        add(orderId);
        add(uid);
        add(side);
        add(price);
        add(size);
        add(isCompleted ? 1 : 2);
        add(reservePrice);
    }

    @Override
    public void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
        triggers++;
        add(orderId);
        add(uid);
        add(side);
        add(stopPrice);
        add(reservePrice);
    }

    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        rows++;
        add(orderId);
        add(uid);
        add(side);
        add(price);
        add(size);
        add(filled);
        add(reservePrice);
    }

    @Override
    public void onLevel(final byte side, final long price, final long levelVolume, final int orders)
    {
        rows++;
        add(side);
        add(price);
        add(levelVolume);
        add(orders);
    }

    @Override
    public void onAccount(final int currency, final long balance, final long reserved)
    {
        rows++;
        add(currency);
        add(balance);
        add(reserved);
    }
}
