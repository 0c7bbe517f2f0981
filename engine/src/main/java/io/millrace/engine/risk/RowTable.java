package io.millrace.engine.risk;

import io.millrace.engine.book.OrderIndex;

/**
 * A fixed number of rows of eight longs, each found by its key in a bounded number of steps, see {@link OrderIndex}.
 * The first long of a row is its key, the last one is ours, the others are the caller's. Nothing that a caller sees may
 * depend on the handles. A row can stand in one chain. One thread.
 * <pre>
 *  the last long   63       62 .. 32        31 .. 0
 *                 +--------+---------------+--------+
 *                 | in use | previous + 1  | next   |   of its chain; of a free row, of the free ones
 *                 +--------+---------------+--------+
 * </pre>
 * In two kinds of tables a key has a home, a row that follows from the key alone. It lies there if that row was free
 * when it came, and then it is found without the index: one cache line instead of two that wait for each other.
 * Otherwise rows are handed out from the lowest handle on, and the last freed first.
 */
final class RowTable
{
    static final int NONE = OrderIndex.NONE;

    private static final int SHIFT = OrderIndex.ROW_SHIFT;
    private static final int OURS = 7;
    private static final long IN_USE = Long.MIN_VALUE;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final int capacity;
    private final long[] rows;
    private final OrderIndex index;
    private final boolean hasHomes;
    private final int homesMask;
    private final int homesStride;
    private int firstFree;
    private int used;
    private int end;

    private RowTable(final int capacity, final boolean hasHomes, final boolean ofHandles)
    {
        this.capacity = capacity;
        this.hasHomes = hasHomes;
        final int homes = Integer.highestOneBit(capacity);
        homesMask = homes - 1;
        homesStride = ofHandles ? (int)(homes * 618L / 1_000) : 1;
        rows = new long[capacity << SHIFT];
        for (int h = 0; h < capacity; h++)
        {
            links(h, h + 1 < capacity ? h + 1 : NONE, h - 1, 0);
        }
        index = new OrderIndex(rows, capacity);
    }

    /** Without homes: rows lie in the order in which they came, as long as none is removed. */
    static RowTable inOrder(final int capacity)
    {
        return new RowTable(capacity, false, false);
    }

    /** With homes by the low bits of a key: numbers that are given in a row have different ones. */
    static RowTable ofNumbers(final int capacity)
    {
        return new RowTable(capacity, true, false);
    }

    /**
     * With homes for keys of two handles, as {@link Ledger#key} makes them. What users have of one thing lies together;
     * things begin 0.618 of the table apart, the golden ratio, which spreads them evenly however many there are.
     */
    static RowTable ofHandles(final int capacity)
    {
        return new RowTable(capacity, true, true);
    }

    /** Only in a table with homes. */
    private int home(final long key)
    {
        return (int)(key >>> Integer.SIZE) + (int)key * homesStride & homesMask;
    }

    int find(final long key)
    {
        if (hasHomes)
        {
            final int home = home(key);
            if (rows[home << SHIFT] == key && isUsed(home))
            {
                return home;
            }
        }
        return index.find(key);
    }

    /** As {@link #find}, for a key that is likely in a certain row; NONE for none. */
    int find(final long key, final int likely)
    {
        return likely != NONE && rows[likely << SHIFT] == key && isUsed(likely) ? likely : find(key);
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
        return rows[(h << SHIFT) + OURS] < 0;
    }

    private void links(final int h, final int next, final int previous, final long inUse)
    {
        rows[(h << SHIFT) + OURS] = inUse | previous + 1L << Integer.SIZE | next & LOW_HALF;
    }

    private void linkNext(final int h, final int next)
    {
        final int at = (h << SHIFT) + OURS;
        rows[at] = rows[at] & ~LOW_HALF | next & LOW_HALF;
    }

    private void linkPrevious(final int h, final int previous)
    {
        final int at = (h << SHIFT) + OURS;
        rows[at] = rows[at] & (IN_USE | LOW_HALF) | previous + 1L << Integer.SIZE;
    }

    private int previous(final int h)
    {
        return (int)((rows[(h << SHIFT) + OURS] & ~IN_USE) >>> Integer.SIZE) - 1;
    }

    /** A new row, all else zero. Only when there is room, and for a key that is not there. */
    int add(final long key)
    {
        final int home = hasHomes ? home(key) : firstFree;
        final int h = isUsed(home) ? firstFree : home;
        firstFree = unchain(h, firstFree);
        used++;
        end = Math.max(end, h + 1);
        final int row = h << SHIFT;
        for (int column = 1; column < OURS; column++)
        {
            rows[row + column] = 0;
        }
        rows[row] = key;
        links(h, NONE, NONE, IN_USE);
        index.add(key, h);
        return h;
    }

    /** Only for a row in use that stands in no chain. */
    void remove(final int h)
    {
        index.remove(rows[h << SHIFT], h);
        links(h, NONE, NONE, 0);
        chain(h, firstFree);
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
        return (int)rows[(h << SHIFT) + OURS];
    }

    /** Put a row before the first of a chain. */
    void chain(final int h, final int first)
    {
        linkNext(h, first);
        if (first != NONE)
        {
            linkPrevious(first, h);
        }
    }

    /**
     * Take a row out of its chain.
     *
     * @return the first of the chain, which was given, afterwards.
     */
    int unchain(final int h, final int first)
    {
        final int next = next(h);
        final int previous = previous(h);
        if (next != NONE)
        {
            linkPrevious(next, previous);
        }
        if (previous != NONE)
        {
            linkNext(previous, next);
        }
        return previous == NONE ? next : first;
    }

    /** Whether every row in use is found by its key. */
    boolean isInOrder()
    {
        int found = 0;
        for (int h = 0; h < end; h++)
        {
            found += isUsed(h) && find(key(h)) == h ? 1 : 0;
        }
        return found == used && index.verifiedSize() == used;
    }
}
