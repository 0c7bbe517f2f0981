package io.millrace.engine.service;

import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.tables.Fnv;

/** A hash over all messages of market data. Allocates nothing. */
final class FeedCounter implements MarketDataListener
{
    long hash = Fnv.OFFSET;
    long count;

    private void add(
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
        add(1, symbol, sequence, side, orderId, price, size, 0);
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        add(2, symbol, sequence, side, orderId, price, size, 0);
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        add(3, symbol, sequence, side, orderId, price, 0, 0);
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
        add(4, symbol, sequence, side, 0, price, volume, orders);
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
        add(5, symbol, sequence, takerSide, makerOrderId, price, size, (int)tradeId);
    }

    @Override
    public void onStatus(final int symbol, final long sequence, final byte status)
    {
        add(6, symbol, sequence, status, 0, 0, 0, 0);
    }
}
