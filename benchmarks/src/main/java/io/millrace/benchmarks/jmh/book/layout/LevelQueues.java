package io.millrace.benchmarks.jmh.book.layout;

import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.book.Side;

/** The orders of each level in the order in which they came, linked to their neighbours, and their sum. One thread. */
final class LevelQueues
{
    private static final int NONE = OrderStore.NONE;

    private final OrderStore store;
    private final LevelDirectory directory;

    // By level.
    private final int[] first;
    private final int[] last;
    private final long[] volumes;
    private final int[] counts;

    LevelQueues(final OrderStore store, final LevelDirectory directory)
    {
        this.store = store;
        this.directory = directory;
        first = new int[directory.levels()];
        last = new int[directory.levels()];
        volumes = new long[directory.levels()];
        counts = new int[directory.levels()];
    }

    /** The oldest order of a level that has some. */
    int first(final int level)
    {
        return first[level];
    }

    long volume(final int level)
    {
        return volumes[level];
    }

    /** An order became smaller. */
    void reduce(final int order, final long by)
    {
        volumes[level(order)] -= by;
    }

    /** An order comes last at its price. */
    void enter(final int order, final int side, final long price)
    {
        final int level = directory.enter(side, price);
        final int before = counts[level]++ == 0 ? NONE : last[level];
        volumes[level] += store.open(order);
        store.set(order, OrderStore.PRICE, price);
        store.set(order, OrderStore.PLACE, 2L * level + side);
        store.set(order, OrderStore.PREVIOUS, before);
        store.set(order, OrderStore.NEXT, NONE);
        last[level] = order;
        if (before == NONE)
        {
            first[level] = order;
        }
        else
        {
            store.set(before, OrderStore.NEXT, order);
        }
    }

    /** An order goes, whatever is open of it. */
    void leave(final int order)
    {
        final int level = level(order);
        final int before = store.link(order, OrderStore.PREVIOUS);
        final int after = store.link(order, OrderStore.NEXT);
        if (before == NONE)
        {
            first[level] = after;
        }
        else
        {
            store.set(before, OrderStore.NEXT, after);
        }
        if (after == NONE)
        {
            last[level] = before;
        }
        else
        {
            store.set(after, OrderStore.PREVIOUS, before);
        }
        volumes[level] -= store.open(order);
        if (--counts[level] == 0)
        {
            directory.vacate((int)store.get(order, OrderStore.PLACE) & 1, level);
        }
    }

    private int level(final int order)
    {
        return (int)(store.get(order, OrderStore.PLACE) >>> 1);
    }

    void report(final LevelHash hash)
    {
        for (byte side = Side.BID; side <= Side.ASK; side++)
        {
            for (int level = directory.best(side); level != NONE; level = directory.worse(side, level))
            {
                final long price = LevelDirectory.key(side, directory.keyOf(side, level));
                hash.onLevel(side, price, volumes[level], counts[level]);
            }
        }
    }
}
