package io.millrace.engine;

import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.tables.Fnv;

/** A hash over all messages of market data, and their number. Allocates nothing. */
public class FeedHash implements MarketDataListener
{
    /** Kinds of messages. */
    public static final int ORDER_ADDED = 1;
    public static final int ORDER_REDUCED = 2;
    public static final int ORDER_REMOVED = 3;
    public static final int LEVEL_CHANGED = 4;
    public static final int TRADE = 5;
    public static final int STATUS = 6;

    public long hash = Fnv.OFFSET;
    public long count;

    /** Takes a message; 0 stands for a field that it does not have. */
    protected void add(
        final int kind,
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size,
        final int orders)
    {
        count++;
        hash = Fnv.add(Fnv.add(Fnv.add(hash, kind), symbol), sequence);
        hash = Fnv.add(Fnv.add(Fnv.add(hash, side), orderId), price);
        hash = Fnv.add(Fnv.add(hash, size), orders);
    }

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        add(ORDER_ADDED, symbol, sequence, side, orderId, price, size, 0);
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        add(ORDER_REDUCED, symbol, sequence, side, orderId, price, size, 0);
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        add(ORDER_REMOVED, symbol, sequence, side, orderId, price, 0, 0);
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
        add(LEVEL_CHANGED, symbol, sequence, side, 0, price, volume, orders);
    }

    @Override
    public void onTrade(
        final int symbol,
        final long sequence,
        final long tradeId,
        final byte takerSide,
        final long makerOrderId,
        final long price,
        final long size)
    {
        add(TRADE, symbol, sequence, takerSide, makerOrderId, price, size, (int)tradeId);
    }

    @Override
    public void onStatus(final int symbol, final long sequence, final byte status)
    {
        add(STATUS, symbol, sequence, status, 0, 0, 0, 0);
    }
}
