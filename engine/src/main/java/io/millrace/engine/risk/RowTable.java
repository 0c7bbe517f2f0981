package io.millrace.engine.risk;

import io.millrace.engine.book.OrderIndex;

/**
 * A fixed number of rows of eight longs, each found by its key in a bounded number of steps, see {@link OrderIndex}.
 * The first long of a row is its key, the last one is ours, the others are the caller's. Rows are handed out from the
 * lowest handle on and the last freed first; nothing that a caller sees may depend on the handles. A row can stand in
 * one chain. One thread.
 */
final class RowTable
{
    static final int NONE = OrderIndex.NONE;

    private static final int SHIFT = OrderIndex.ROW_SHIFT;
    private static final int IN_USE = 7;

    private final int capacity;
    private final long[] rows;
    // The next row and the previous one of the same chain; of a free row the next free one.
    private final int[] links;
    private final OrderIndex index;
    private int firstFree;
    private int used;
    private int end;

    RowTable(final int capacity)
    {
        this.capacity = capacity;
        rows = new long[capacity << SHIFT];
        links = new int[2 * capacity];
        for (int h = 0; h < capacity; h++)
        {
            links[2 * h] = h + 1 < capacity ? h + 1 : NONE;
        }
        index = new OrderIndex(rows, capacity);
    }

    int find(final long key)
    {
        return index.find(key);
    }

    /** How many more rows there are. */
    int room()
    {
        return capacity - used;
    }

    int used()
    {
        return used;
    }

    /** Handles in use are below this. */
    int end()
    {
        return end;
    }

    boolean isUsed(final int h)
    {
        return rows[(h << SHIFT) + IN_USE] != 0;
    }

    /** A new row, all else zero. Only when there is room, and for a key that is not there. */
    int add(final long key)
    {
        final int h = firstFree;
        firstFree = links[2 * h];
        used++;
        end = Math.max(end, h + 1);
        final int row = h << SHIFT;
        for (int column = 1; column < IN_USE; column++)
        {
            rows[row + column] = 0;
        }
        rows[row] = key;
        rows[row + IN_USE] = 1;
        links[2 * h] = NONE;
        links[2 * h + 1] = NONE;
        index.add(key, h);
        return h;
    }

    /** Only for a row in use that stands in no chain. */
    void remove(final int h)
    {
        index.remove(rows[h << SHIFT], h);
        rows[(h << SHIFT) + IN_USE] = 0;
        links[2 * h] = firstFree;
        firstFree = h;
        used--;
    }

    long key(final int h)
    {
        return rows[h << SHIFT];
    }

    long get(final int h, final int column)
    {
        return rows[(h << SHIFT) + column];
    }

    void set(final int h, final int column, final long value)
    {
        rows[(h << SHIFT) + column] = value;
    }

    /** The bounds at entry keep every sum in range; should one be wrong, it must not wrap in silence. */
    void add(final int h, final int column, final long amount)
    {
        final int at = (h << SHIFT) + column;
        rows[at] = Math.addExact(rows[at], amount);
    }

    /** For sums that are right modulo 2^64 only, because only a sum of several of them is in range. */
    void addWrapping(final int h, final int column, final long amount)
    {
        rows[(h << SHIFT) + column] += amount;
    }

    /** The next row of the chain. */
    int next(final int h)
    {
        return links[2 * h];
    }

    /** Put a row before the first of a chain. */
    void chain(final int h, final int first)
    {
        links[2 * h] = first;
        if (first != NONE)
        {
            links[2 * first + 1] = h;
        }
    }

    /**
     * Take a row out of its chain.
     *
     * @return the first of the chain, which was given, afterwards.
     */
    int unchain(final int h, final int first)
    {
        final int next = links[2 * h];
        final int previous = links[2 * h + 1];
        if (next != NONE)
        {
            links[2 * next + 1] = previous;
        }
        if (previous != NONE)
        {
            links[2 * previous] = next;
        }
        return previous == NONE ? next : first;
    }

    /** Whether every row in use is found by its key. */
    boolean isInOrder()
    {
        return index.verifiedSize() == used;
    }
}
