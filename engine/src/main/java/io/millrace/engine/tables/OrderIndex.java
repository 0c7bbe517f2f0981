package io.millrace.engine.tables;

/**
 * Finds the handle of a row by its key, in a bounded number of steps for any keys. In an order book a row is an order
 * and the key its id; a {@link RowTable} uses the same index for users, accounts and positions.
 * <p>
 * A hash table with at most half of its slots in use. A slot contains the handle plus one. The id is compared in the
 * row, which the caller touches next anyway. Slots form buckets of {@value #BUCKET}. A search begins at the first slot
 * of the id, wraps at the end of the bucket and ends at an empty slot. Removal shifts later entries back, so there are
 * no tombstones and the table never degrades. No entry leaves its bucket, so removal is bounded too.
 * <p>
 * An id whose bucket is full goes to the overflow, a tree of {@link CritBitTrees} with the ids as keys, and stays there
 * until its removal. Each bucket counts its ids in the overflow; a search continues there only if the bucket does not
 * have the id and counts some. With random ids, or ids in usual strides, at most one in two hundred is in the overflow
 * of a full book. In a half-full book almost none is. Deliberately colliding ids cost at most {@value #MAX_STEPS} steps
 * a search in their bucket, and nothing in other buckets.
 * <p>
 * Memory for each order of the capacity: 8 to 16 bytes of slots, at most 1 of counts, and 8 of tree, because all ids
 * may collide. The constructor allocates everything. The table has no method that reveals the order of its ids, so no
 * visible result depends on the hash. One thread.
 */
public final class OrderIndex
{
    /** Handle that a search returns when it finds nothing. */
    public static final int NONE = -1;

    /** Distance of two rows, as a power of two: eight longs. */
    public static final int ROW_SHIFT = 3;

    /** Slots of a bucket: 64 bytes, a cache line or parts of two; twice the average of the fullest table. */
    public static final int BUCKET = 16;

    /** Greatest number of slots and inner nodes that a search inspects. An addition searches the tree twice. */
    public static final int MAX_STEPS = BUCKET + CritBitTrees.MAX_DEPTH;

    /** The hash of an id begins with an exclusive or with this number; not a secret. */
    public static final long KEY = 0x5851F42D4C957F2DL;

    // The high and low halves of the product, combined: ids in usual strides spread, at one multiplication.
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final int BUCKET_SHIFT = 4;
    private static final int IN_BUCKET = BUCKET - 1;

    private final long[] rows;
    private final int[] slots;
    // For each bucket, the number of its ids in the overflow.
    private final int[] overflowCounts;
    private final CritBitTrees overflow;
    private int overflowed;

    /**
     * An empty index.
     *
     * @param rows     the rows: row {@code h} begins at {@code h << ROW_SHIFT} with its key.
     * @param capacity greatest number of rows, 1 or more.
     */
    public OrderIndex(final long[] rows, final int capacity)
    {
        this.rows = rows;
        slots = new int[Math.max(BUCKET, 2 * PowerOfTwo.atLeast(capacity))];
        overflowCounts = new int[slots.length >>> BUCKET_SHIFT];
        overflow = new CritBitTrees(1, capacity, rows, ROW_SHIFT);
    }

    /**
     * Finds a row by its key.
     * @param id the key.
     * @return the handle, or {@link #NONE}.
     */
    public int find(final long id)
    {
        final int[] all = slots;
        // Masked by the array's own length, which the bounds check needs anyway.
        final int first = hash(id) & all.length - 1;
        final int entry = all[first];
        if (entry != 0 && rows[entry - 1 << ROW_SHIFT] == id)
        {
            return entry - 1;
        }
        return entry == 0 && overflowed == 0 ? NONE : findSlow(id, first);
    }

    private int findSlow(final long id, final int first)
    {
        final int[] all = slots;
        int slot = first;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            if (rows[entry - 1 << ROW_SHIFT] == id)
            {
                return entry - 1;
            }
            slot = next(slot);
            if (slot == first)
            {
                break;
            }
        }
        return overflowed == 0 || overflowCounts[first >>> BUCKET_SHIFT] == 0 ? NONE : overflow.find(0, id);
    }

    /**
     * Adds a row.
     * @param id its key, which no row of the index has; it is in the row already.
     * @param h  its handle.
     */
    public void add(final long id, final int h)
    {
        final int first = firstSlot(id);
        int slot = first;
        while (slots[slot] != 0)
        {
            slot = next(slot);
            if (slot == first)
            {
                overflow.add(0, h);
                overflowCounts[first >>> BUCKET_SHIFT]++;
                overflowed++;
                return;
            }
        }
        slots[slot] = h + 1;
    }

    /**
     * Adds a row unless another one has its key.
     * @param id its key, which is in the row already.
     * @param h  its handle.
     * @return false when another row has the key; nothing was changed.
     */
    public boolean addIfNew(final long id, final int h)
    {
        final int first = firstSlot(id);
        // An empty first slot is enough, unless an earlier removal has emptied it: then the id may be in the overflow.
        if (slots[first] == 0 && overflowed == 0)
        {
            slots[first] = h + 1;
            return true;
        }
        if (findSlow(id, first) != NONE)
        {
            return false;
        }
        add(id, h);
        return true;
    }

    /**
     * Removes a row.
     * @param id its key, which is still in the row.
     * @param h  its handle, which is in the index.
     */
    public void remove(final long id, final int h)
    {
        final int first = firstSlot(id);
        int slot = first;
        while (slots[slot] != h + 1)
        {
            // Continues past empty slots: the handle is nowhere else in the table.
            slot = next(slot);
            if (slot == first)
            {
                overflow.remove(0, id);
                overflowCounts[first >>> BUCKET_SHIFT]--;
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
            // A later entry moves back into the hole, unless the hole is before the entry's first slot.
            if ((slot - firstSlot(rows[slots[slot] - 1 << ROW_SHIFT]) & IN_BUCKET) >= (slot - hole & IN_BUCKET))
            {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = 0;
    }

    /**
     * Number of slots and inner nodes that a search inspects.
     * @param id the key to search for.
     * @return 1 to {@value #MAX_STEPS}.
     */
    public int steps(final long id)
    {
        final int first = firstSlot(id);
        int slot = first;
        int steps = 1;
        while (slots[slot] != 0 && rows[slots[slot] - 1 << ROW_SHIFT] != id && steps < BUCKET)
        {
            slot = next(slot);
            steps++;
        }
        final boolean found = slots[slot] != 0 && rows[slots[slot] - 1 << ROW_SHIFT] == id;
        return found || overflowCounts[first >>> BUCKET_SHIFT] == 0 ? steps : steps + overflow.depth(0, id);
    }

    /**
     * Number of ids in the overflow.
     * @return 0 while no bucket has ever been full.
     */
    public int overflowed()
    {
        return overflowed;
    }

    /**
     * Checks that every row is found by its key.
     * @return the number of rows; -1 when a search misses one, or the counts of the overflow are wrong.
     */
    public int verifiedSize()
    {
        int size = 0;
        for (final int entry : slots)
        {
            if (entry != 0)
            {
                if (find(rows[entry - 1 << ROW_SHIFT]) != entry - 1)
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
     * The slot where the search for an id begins. An attacker would choose ids with the same slot.
     *
     * @param id any number.
     * @return 0 to the number of slots - 1; 16 slots from a multiple of 16 on are a bucket.
     */
    public int firstSlot(final long id)
    {
        return hash(id) & slots.length - 1;
    }

    /** The next slot of the same bucket. */
    private static int next(final int slot)
    {
        return slot & -BUCKET | slot + 1 & IN_BUCKET;
    }

    /**
     * The slots of the hash table, for a caller that reads the first slot of an id without {@link #find}. The slot at
     * {@code hash(id)} modulo the length contains 0, or the handle plus one of a row that may have this id. The
     * caller must not change the array.
     * @return always the same array; its length is a power of two.
     */
    public int[] slots()
    {
        return slots;
    }

    /**
     * Hash of an id.
     *
     * @param id any number.
     * @return any number; its low bits select the slot.
     */
    public static int hash(final long id)
    {
        final long key = id ^ KEY;
        return (int)(Math.multiplyHigh(key, MULTIPLIER) ^ key * MULTIPLIER);
    }
}
