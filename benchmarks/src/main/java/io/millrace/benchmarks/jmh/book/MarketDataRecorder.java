package io.millrace.benchmarks.jmh.book;

import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.OrderBook;

/**
 * Writes the market data of a book to an array, five longs for each message, as an encoder would. One thread.
 */
final class MarketDataRecorder implements MarketDataListener
{
    private static final int FIELDS = 8;
    // 64 messages of a cache line are 4 KB: they stay in the nearest cache, as events that are read at once do.
    private static final int LAST = 63 * FIELDS;
    // Of all recorders; nobody reads it. The compiler knows its length and sees that each place exists, so that the
    // time is the book's and not that of checking indexes.
    private static final long[] MESSAGES = new long[LAST + FIELDS];
    private static final int ADDED = 1;
    private static final int REDUCED = 2;
    private static final int REMOVED = 3;
    private static final int LEVEL = 4;

    private final boolean readsOrders;
    private final boolean readsLevels;
    private long orders;
    private long levels;
    private int next;

    /**
     * A recorder.
     *
     * @param readsOrders whether it writes changes of orders (L3).
     * @param readsLevels whether it writes changes of levels (L2).
     */
    MarketDataRecorder(final boolean readsOrders, final boolean readsLevels)
    {
        this.readsOrders = readsOrders;
        this.readsLevels = readsLevels;
    }

    /** Throws when it has not received all messages of its book. */
    void check(final OrderBook book)
    {
        if (readsOrders && orders != book.orderSequence() || readsLevels && levels != book.levelSequence())
        {
            throw new IllegalStateException(orders + " messages of orders instead of " + book.orderSequence() + ", " +
                levels + " of levels instead of " + book.levelSequence());
        }
    }

    @Override
    public boolean readsOrders()
    {
        return readsOrders;
    }

    @Override
    public boolean readsLevels()
    {
        return readsLevels;
    }

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        orders++;
        order(ADDED, sequence, side, orderId, price, size);
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        orders++;
        order(REDUCED, sequence, side, orderId, price, size);
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        orders++;
        order(REMOVED, sequence, side, orderId, price, 0);
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int count)
    {
        levels++;
        MESSAGES[begin(LEVEL, side, sequence, price, volume) + 4] = count;
    }

    private void order(
        final int kind, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        final int at = begin(kind, side, sequence, price, size);
        MESSAGES[at + 4] = orderId;
    }

    private int begin(final int kind, final byte side, final long sequence, final long price, final long size)
    {
        final int at = next & LAST;
        next = at + FIELDS;
        MESSAGES[at] = kind | side << 8;
        MESSAGES[at + 1] = sequence;
        MESSAGES[at + 2] = price;
        MESSAGES[at + 3] = size;
        return at;
    }
}
