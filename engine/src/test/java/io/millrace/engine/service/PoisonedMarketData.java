package io.millrace.engine.service;

import io.millrace.engine.book.MarketDataListener;

/** A listener that throws, which it must not do, during a command about certain orders. */
final class PoisonedMarketData implements MarketDataListener
{
    /** It throws when this order joins its queue. */
    static final long POISON = 666;

    /** Throws when this order leaves: when it expires, before the next command of its symbol is checked. */
    static final long LATE_POISON = 667;

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        if (orderId == POISON)
        {
            throw new IllegalStateException("poison");
        }
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        if (orderId == LATE_POISON)
        {
            throw new IllegalStateException("late poison");
        }
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
    }
}
