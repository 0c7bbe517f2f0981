package io.millrace.engine.tables;

/**
 * A fixed number of rows of eight longs, each found by its key in a bounded number of steps: see {@link OrderIndex}.
 * The first long of a row is its key and the last one contains links; the others belong to the caller. Nothing visible
 * may depend on the handles. A row can be a member of one chain. One thread.
 * <pre>
 *  the last long   63       62 .. 32        31 .. 0
 *                 +--------+---------------+--------+
 *                 | in use | previous + 1  | next   |   of its chain; of a free row, of the free ones
 *                 +--------+---------------+--------+
 * </pre>
 * Two kinds of tables are direct-mapped: the key alone selects a row, its direct row. A new key takes its direct row if
 * that row is free. Such a key is found without the index: one cache line instead of two dependent ones. Other keys
 * take the row that was freed last, and at the start the row with the lowest handle. These tables have a power of two
 * of rows, at least the capacity: 1,000 consecutive numbers in a table of 1,000 all have a direct row of their own.
 */
public final class RowTable
{
    /** Handle that a search returns when it finds nothing. */
    public static final int NONE = OrderIndex.NONE;

    private static final int SHIFT = OrderIndex.ROW_SHIFT;
    private static final int LINKS = 7;
    private static final long IN_USE = Long.MIN_VALUE;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final int capacity;
    private final long[] rows;
    private final OrderIndex index;
    private final boolean isDirect;
    private final int directMask;
    private final int directStride;
    private int firstFree;
    private int used;
    private int end;

    private RowTable(final int capacity, final boolean isDirect, final boolean ofHandles)
    {
        this.capacity = capacity;
        this.isDirect = isDirect;
        // At least two: the key of a free row has another direct row.
        final int count = isDirect ? Math.max(2, PowerOfTwo.atLeast(capacity)) : capacity;
        directMask = count - 1;
        directStride = ofHandles ? (int)(count * 618L / 1_000) : 1;
        rows = new long[count << SHIFT];
        for (int h = 0; h < count; h++)
        {
            clearKey(h);
            links(h, h + 1 < count ? h + 1 : NONE, h - 1, 0);
        }
        index = new OrderIndex(rows, count);
    }

    /**
     * A table without direct rows: rows lie in the order of addition, as long as none is removed.
     *
     * @param capacity number of rows, 1 or more.
     * @return an empty table.
     */
    public static RowTable inOrder(final int capacity)
    {
        return new RowTable(capacity, false, false);
    }

    /**
     * A table with direct rows by the low bits of a key: consecutive numbers get different rows.
     *
     * @param capacity greatest number of rows in use, 1 or more.
     * @return an empty table.
     */
    public static RowTable ofNumbers(final int capacity)
    {
        return new RowTable(capacity, true, false);
    }

    /**
     * A table with direct rows for keys of two handles: the first one in the high half, the second one in the low half.
     * The rows with the same second handle form a group. Groups begin 0.618 of the table apart (the golden ratio),
     * which spreads any number of groups evenly.
     *
     * @param capacity greatest number of rows in use, 1 or more.
     * @return an empty table.
     */
    public static RowTable ofHandles(final int capacity)
    {
        return new RowTable(capacity, true, true);
    }

    /** Only in a direct-mapped table. */
    private int directRow(final long key)
    {
        return (int)(key >>> Integer.SIZE) + (int)key * directStride & directMask;
    }

    /**
     * A free row has a key whose direct row is the next one. So a search compares the key alone: the row's last long
     * mostly lies on another cache line.
     */
    private void clearKey(final int h)
    {
        rows[h << SHIFT] = h + 1L << Integer.SIZE;
    }

    /**
     * Finds a row by its key.
     * @param key any number.
     * @return its handle, or {@link #NONE}.
     */
    public int find(final long key)
    {
        if (isDirect)
        {
            final int direct = directRow(key);
            if (rows[direct << SHIFT] == key)
            {
                return direct;
            }
        }
        return index.find(key);
    }

    /**
     * Finds a row by its key, and tries one row first.
     * @param key    any number.
     * @param likely handle of the row that probably has the key; {@link #NONE} for none.
     * @return its handle, or {@link #NONE}.
     */
    public int find(final long key, final int likely)
    {
        return likely != NONE && rows[likely << SHIFT] == key && isUsed(likely) ? likely : find(key);
    }

    /**
     * Number of free rows.
     *
     * @return 0 when the table is full.
     */
    public int freeRows()
    {
        return capacity - used;
    }

    /**
     * Number of rows in use.
     *
     * @return 0 to the capacity.
     */
    public int used()
    {
        return used;
    }

    /**
     * Upper bound of the handles in use.
     *
     * @return all handles in use are below it.
     */
    public int end()
    {
        return end;
    }

    /**
     * Whether a row is in use.
     *
     * @param h any handle of a row.
     * @return false when the row is free.
     */
    public boolean isUsed(final int h)
    {
        return rows[(h << SHIFT) + LINKS] < 0;
    }

    private void links(final int h, final int next, final int previous, final long inUse)
    {
        rows[(h << SHIFT) + LINKS] = inUse | previous + 1L << Integer.SIZE | next & LOW_HALF;
    }

    private void linkNext(final int h, final int next)
    {
        final int at = (h << SHIFT) + LINKS;
        rows[at] = rows[at] & ~LOW_HALF | next & LOW_HALF;
    }

    private void linkPrevious(final int h, final int previous)
    {
        final int at = (h << SHIFT) + LINKS;
        rows[at] = rows[at] & (IN_USE | LOW_HALF) | previous + 1L << Integer.SIZE;
    }

    private int previous(final int h)
    {
        return (int)((rows[(h << SHIFT) + LINKS] & ~IN_USE) >>> Integer.SIZE) - 1;
    }

    /**
     * Takes a free row. The caller checks before that {@link #freeRows} is not 0 and that no row has the key.
     * @param key key of the new row; its other columns are zero.
     * @return its handle.
     */
    public int add(final long key)
    {
        final int direct = isDirect ? directRow(key) : firstFree;
        final int h = isUsed(direct) ? firstFree : direct;
        firstFree = unchain(h, firstFree);
        used++;
        end = Math.max(end, h + 1);
        final int row = h << SHIFT;
        for (int column = 1; column < LINKS; column++)
        {
            rows[row + column] = 0;
        }
        rows[row] = key;
        links(h, NONE, NONE, IN_USE);
        index.add(key, h);
        return h;
    }

    /**
     * Frees a row that is in use and not a member of a chain.
     * @param h its handle.
     */
    public void remove(final int h)
    {
        index.remove(rows[h << SHIFT], h);
        clearKey(h);
        links(h, NONE, NONE, 0);
        chain(h, firstFree);
        firstFree = h;
        used--;
    }

    /**
     * The key of a row.
     *
     * @param h its handle.
     * @return column 0.
     */
    public long key(final int h)
    {
        return rows[h << SHIFT];
    }

    /**
     * Reads a column.
     * @param h      handle of the row.
     * @param column 1 to 6.
     * @return its value.
     */
    public long get(final int h, final int column)
    {
        return rows[(h << SHIFT) + column];
    }

    /**
     * Writes a column.
     * @param h      handle of the row.
     * @param column 1 to 6.
     * @param value  its new value.
     */
    public void set(final int h, final int column, final long value)
    {
        rows[(h << SHIFT) + column] = value;
    }

    /**
     * Adds to a column. The callers' bounds keep every sum in range; a wrong bound must not wrap silently.
     * @param h      handle of the row.
     * @param column 1 to 6.
     * @param amount to add.
     * @throws ArithmeticException when the sum overflows; the column has not changed.
     */
    public void add(final int h, final int column, final long amount)
    {
        final int at = (h << SHIFT) + column;
        rows[at] = Math.addExact(rows[at], amount);
    }

    /**
     * Adds to a column modulo 2^64, for columns of which only the sum of several is in range.
     * @param h      handle of the row.
     * @param column 1 to 6.
     * @param amount to add.
     */
    public void addWrapping(final int h, final int column, final long amount)
    {
        rows[(h << SHIFT) + column] += amount;
    }

    /**
     * The next row of a chain.
     *
     * @param h handle of a member.
     * @return the handle of the next one, or {@link #NONE}.
     */
    public int next(final int h)
    {
        return (int)rows[(h << SHIFT) + LINKS];
    }

    /**
     * Puts a row before the first row of a chain.
     * @param h     handle of a row in use that is not a member of a chain.
     * @param first handle of the first row; {@link #NONE} for an empty chain.
     */
    public void chain(final int h, final int first)
    {
        linkNext(h, first);
        if (first != NONE)
        {
            linkPrevious(first, h);
        }
    }

    /**
     * Removes a row from its chain.
     * @param h     handle of the row.
     * @param first handle of the first row of the chain.
     * @return the handle of the first row after the removal, or {@link #NONE}.
     */
    public int unchain(final int h, final int first)
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

    /**
     * Whether every row in use is found by its key. Takes time in proportion to the table; for tests.
     *
     * @return false when the table contradicts itself.
     */
    public boolean isInOrder()
    {
        int found = 0;
        for (int h = 0; h < end; h++)
        {
            found += isUsed(h) && find(key(h)) == h ? 1 : 0;
        }
        return found == used && index.verifiedSize() == used;
    }
}
