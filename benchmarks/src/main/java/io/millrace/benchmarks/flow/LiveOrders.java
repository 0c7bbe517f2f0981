package io.millrace.benchmarks.flow;

import java.util.Arrays;

/**
 * The orders of a flow that are not gone yet, in the order in which they were placed. Ids are 1, 2, 3 and so on. One
 * thread.
 */
final class LiveOrders
{
    /** A random live order is chosen among this many of the oldest. */
    static final int OLDEST = 512;

    // About twice as many orders as the flow keeps alive; it doubles.
    private static final int FIRST_CAPACITY = 2_048;

    // By id: 16 bytes for each order that was ever placed.
    private final long[] uids;
    private final int[] prices;
    private final int[] remaining;

    // The live ids, ascending.
    private int[] ids = new int[FIRST_CAPACITY];
    private int count;

    LiveOrders(final int maxOrders)
    {
        uids = new long[maxOrders + 1];
        prices = new int[maxOrders + 1];
        remaining = new int[maxOrders + 1];
    }

    /** The id must be greater than all before. */
    void add(final int id, final long uid, final int price, final int size)
    {
        uids[id] = uid;
        prices[id] = price;
        remaining[id] = size;
        if (count == ids.length)
        {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
    }

    /** Take away from what remains of an order; at zero it is gone. */
    void reduce(final int id, final long size)
    {
        remaining[id] -= (int)size;
        if (remaining[id] == 0)
        {
            final int index = Arrays.binarySearch(ids, 0, count, id);
            System.arraycopy(ids, index + 1, ids, index, count - index - 1);
            count--;
        }
    }

    int count()
    {
        return count;
    }

    /** Number of live orders. */
    int oldestCount()
    {
        return Math.min(count, OLDEST);
    }

    /** The id of a live order, the oldest has index 0. */
    int id(final int index)
    {
        return ids[index];
    }

    long uid(final int id)
    {
        return uids[id];
    }

    int price(final int id)
    {
        return prices[id];
    }

    void price(final int id, final int newPrice)
    {
        prices[id] = newPrice;
    }

    int remaining(final int id)
    {
        return remaining[id];
    }
}
