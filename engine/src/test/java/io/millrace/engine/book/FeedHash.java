package io.millrace.engine.book;

import io.millrace.engine.tables.Fnv;

/** A hash over all messages of market data. */
class FeedHash implements MarketDataListener
{
    long hash = Fnv.OFFSET;

    /** Takes a message: its kind, then its fields without the symbol. */
    void add(final long... numbers)
    {
        for (final long number : numbers)
        {
            hash = Fnv.add(hash, number);
        }
    }

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        add(1, sequence, side, orderId, price, size);
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        add(2, sequence, side, orderId, price, size);
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        add(3, sequence, side, orderId, price);
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
        add(4, sequence, side, price, volume, orders);
    }
}
