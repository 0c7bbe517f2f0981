package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.EventHash;
import io.millrace.engine.book.PriceLevelConsumer;

/**
 * A number over the levels of a book: side, price, volume and number of orders of each, in the order reported. One
 * thread.
 */
public final class LevelHash implements PriceLevelConsumer
{
    private long hash = EventHash.START;
    private long orders;
    private long levels;

    @Override
    public void onLevel(final byte side, final long price, final long volume, final int ordersAtLevel)
    {
        hash = EventHash.word(EventHash.word(EventHash.word(EventHash.word(hash, side), price), volume), ordersAtLevel);
        orders += ordersAtLevel;
        levels++;
    }

    /** The hash over the levels so far. */
    public long hash()
    {
        return hash;
    }

    /** The orders of all levels so far. */
    public long orders()
    {
        return orders;
    }

    /** Number of levels. */
    public long levels()
    {
        return levels;
    }
}
