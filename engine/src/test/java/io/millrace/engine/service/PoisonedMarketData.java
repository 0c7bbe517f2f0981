package io.millrace.engine.service;

import io.millrace.engine.FeedHash;

/** A listener that throws, which it must not do, during a command about certain orders. */
final class PoisonedMarketData extends FeedHash
{
    /** It throws when this order joins its queue. */
    static final long POISON = 666;

    /** Throws when this order leaves: when it expires, before the next command of its symbol is checked. */
    static final long LATE_POISON = 667;

    @Override
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
        if (kind == ORDER_ADDED && orderId == POISON)
        {
            throw new IllegalStateException("poison");
        }
        if (kind == ORDER_REMOVED && orderId == LATE_POISON)
        {
            throw new IllegalStateException("late poison");
        }
    }
}
