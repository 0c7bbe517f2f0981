package io.millrace.engine.book;

/**
 * Finds an order's handle by its id, in a bounded number of steps whatever the ids are. The tables of
 * {@code io.millrace.engine.risk} find their rows by it too: there an order is a row, and its id the row's key.
 * <p>
 * A hash table with at most half of its slots in use. A slot holds the handle plus one; the id is compared in the
 * order's row, which whoever looks for an order is about to touch anyway. Slots come in buckets of {@value #BUCKET};
 * an id is looked for from its home slot on, round its bucket, up to the first empty slot. Removal shifts the
 * followers back, so there are no tombstones and a table never wears out; nothing leaves its bucket, so a removal is
 * bounded too.
 * <p>
 * An id whose bucket is full goes to the overflow, a tree of {@link CritBitTrees} with the ids as keys, and stays there
 * until it is removed. Each bucket counts its ids in the overflow; only a search that finds nothing in a bucket that
 * has some goes on there. Of random ids and of those counted in usual strides, at most one in two hundred is there when
 * the book is full, and next to none when it is half full. Whoever chooses ids that collide makes searches for his own
 * orders, and for those that share their bucket, take {@value #MAX_STEPS} steps at most, and no other search longer.
 * <p>
 * Memory for each order of the capacity: 8 to 16 bytes of slots, at most 1 of counts, and 8 of tree, because all ids
 * may collide. All is allocated by the constructor. No order of ids comes out of it, so nothing that a caller sees
 * depends on the hash. One thread.
 */
public final class OrderIndex
{
    /** What a search answers that finds nothing. */
    public static final int NONE = OrderArena.NONE;

    /** How far apart rows lie, as a power of two: eight longs. */
    public static final int ROW_SHIFT = OrderArena.ROW_SHIFT;

    /** 64 bytes of slots, a cache line or parts of two: twice what the fullest table has in a bucket on average. */
    static final int BUCKET = 16;

    /** Slots and inner nodes that a search looks at, at most. An addition goes down the tree twice. */
    static final int MAX_STEPS = BUCKET + CritBitTrees.MAX_DEPTH;

    /** An id is hashed after an exclusive or with this; not a secret. */
    static final long KEY = 0x5851F42D4C957F2DL;

    // The product's high and low halves folded: ids counted in usual strides spread, at one multiplication.
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final int BUCKET_SHIFT = 4;
    private static final int IN_BUCKET = BUCKET - 1;

    private final long[] rows;
    final int[] slots;
    // For each bucket: how many of its ids are in the overflow.
    private final int[] overflowCounts;
    private final CritBitTrees overflow;
    /** How many ids are in the overflow. */
    int overflowed;

    OrderIndex(final OrderArena arena)
    {
        this(arena.rows, arena.capacity);
    }

    /**
     * An index of no rows.
     *
     * @param rows     where they lie: row {@code h} begins at {@code h << ROW_SHIFT} with its key.
     * @param capacity how many there are at most, 1 or more.
     */
    public OrderIndex(final long[] rows, final int capacity)
    {
        this.rows = rows;
        slots = new int[Math.max(BUCKET, Integer.highestOneBit(Math.max(1, capacity - 1)) << 2)];
        overflowCounts = new int[slots.length >>> BUCKET_SHIFT];
        overflow = new CritBitTrees(1, capacity, rows, OrderArena.ROW_SHIFT);
    }

    /**
     * Find a row by its key.
     *
     * @param id the key.
     * @return the handle, or {@link #NONE}.
     */
    public int find(final long id)
    {
        final int[] all = slots;
        // Masked by the array's own length, which the bounds check needs anyway.
        final int home = hash(id) & all.length - 1;
        final int entry = all[home];
        if (entry != 0 && rows[entry - 1 << OrderArena.ROW_SHIFT] == id)
        {
            return entry - 1;
        }
        return entry == 0 && overflowed == 0 ? OrderArena.NONE : findBeyondHome(id, home);
    }

    private int findBeyondHome(final long id, final int home)
    {
        final int[] all = slots;
        int slot = home;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            if (rows[entry - 1 << OrderArena.ROW_SHIFT] == id)
            {
                return entry - 1;
            }
            slot = next(slot);
            if (slot == home)
            {
                break;
            }
        }
        return overflowed == 0 || overflowCounts[home >>> BUCKET_SHIFT] == 0 ? OrderArena.NONE : overflow.find(0, id);
    }

    /**
     * Take a row in.
     *
     * @param id its key, which no row here has, and which stands in the row already.
     * @param h  its handle.
     */
    public void add(final long id, final int h)
    {
        final int home = home(id);
        int slot = home;
        while (slots[slot] != 0)
        {
            slot = next(slot);
            if (slot == home)
            {
                overflow.add(0, h);
                overflowCounts[home >>> BUCKET_SHIFT]++;
                overflowed++;
                return;
            }
        }
        slots[slot] = h + 1;
    }

    /**
     * Take a row out.
     *
     * @param id its key, which still stands in the row.
     * @param h  its handle, which is here.
     */
    public void remove(final long id, final int h)
    {
        final int home = home(id);
        int slot = home;
        while (slots[slot] != h + 1)
        {
            // Past empty slots too: the handle is in no other place of the table.
            slot = next(slot);
            if (slot == home)
            {
                overflow.remove(0, id);
                overflowCounts[home >>> BUCKET_SHIFT]--;
                overflowed--;
                return;
            }
        }
        if (slots[next(slot)] == 0)
        {
            slots[slot] = 0;
        }
        else
        {
            close(slot);
        }
    }

    private void close(final int gap)
    {
        int hole = gap;
        for (int slot = next(gap); slots[slot] != 0 && slot != gap; slot = next(slot))
        {
            // A follower may move back into the hole if that does not put it before its home.
            if ((slot - home(rows[slots[slot] - 1 << OrderArena.ROW_SHIFT]) & IN_BUCKET) >= (slot - hole & IN_BUCKET))
            {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = 0;
    }

    /** How many slots and inner nodes a search looks at, at most {@value #MAX_STEPS}. */
    int steps(final long id)
    {
        final int home = home(id);
        int slot = home;
        int steps = 1;
        while (slots[slot] != 0 && rows[slots[slot] - 1 << OrderArena.ROW_SHIFT] != id && steps < BUCKET)
        {
            slot = next(slot);
            steps++;
        }
        final boolean found = slots[slot] != 0 && rows[slots[slot] - 1 << OrderArena.ROW_SHIFT] == id;
        return found || overflowCounts[home >>> BUCKET_SHIFT] == 0 ? steps : steps + overflow.depth(0, id);
    }

    /** How many ids are in the overflow. */
    int overflowed()
    {
        return overflowed;
    }

    /**
     * Check that every row is found by its key.
     *
     * @return how many there are; -1 when one is not found where it is, or the counts of the overflow are wrong.
     */
    public int verifiedSize()
    {
        int size = 0;
        for (final int entry : slots)
        {
            if (entry != 0)
            {
                if (find(rows[entry - 1 << OrderArena.ROW_SHIFT]) != entry - 1)
                {
                    return -1;
                }
                size++;
            }
        }
        int counted = 0;
        for (final int count : overflowCounts)
        {
            if (count < 0)
            {
                return -1;
            }
            counted += count;
        }
        return counted == overflowed && overflow.verifiedLeaves(0) == overflowed ? size + overflowed : -1;
    }

    /**
     * The slot where the search for an id begins: what an attacker would make equal for all of his.
     *
     * @param id any number.
     * @return 0 to the number of slots - 1; 16 neighbours, from a multiple of 16 on, are a bucket.
     */
    public int home(final long id)
    {
        return hash(id) & slots.length - 1;
    }

    /** The next slot of the same bucket. */
    private static int next(final int slot)
    {
        return slot & -BUCKET | slot + 1 & IN_BUCKET;
    }

    static int hash(final long id)
    {
        final long key = id ^ KEY;
        return (int)(Math.multiplyHigh(key, MULTIPLIER) ^ key * MULTIPLIER);
    }
}
