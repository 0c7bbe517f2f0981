package io.millrace.engine.book;

/**
 * Finds an order's handle by its id: open addressing with linear probing and at most half of the slots in use. A slot
 * holds the handle plus one; the id is compared in the order's row, which whoever looks for an order is about to touch
 * anyway. Removal shifts the followers back, so there are no tombstones and a table never wears out.
 * <p>
 * One thread.
 */
final class OrderIndex
{
    // The product's high and low halves folded: ids in any arithmetic progression spread, at one multiplication.
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long KEY = 0x5851F42D4C957F2DL;

    private final OrderArena arena;
    private final int[] slots;
    private final int mask;

    OrderIndex(final OrderArena arena)
    {
        this.arena = arena;
        final int size = Integer.highestOneBit(Math.max(1, arena.capacity - 1)) << 2;
        slots = new int[size];
        mask = size - 1;
    }

    /** The handle of an order, or {@link OrderArena#NONE}. */
    int find(final long id)
    {
        final int[] all = slots;
        final long[] rows = arena.rows;
        int slot = home(id);
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            if (rows[entry - 1 << OrderArena.ROW_SHIFT] == id)
            {
                return entry - 1;
            }
            slot = slot + 1 & mask;
        }
        return OrderArena.NONE;
    }

    /** Only for an id that is not there. */
    void add(final long id, final int h)
    {
        int slot = home(id);
        while (slots[slot] != 0)
        {
            slot = slot + 1 & mask;
        }
        slots[slot] = h + 1;
    }

    /** Only for an id that is there. */
    void remove(final long id, final int h)
    {
        int hole = home(id);
        while (slots[hole] != h + 1)
        {
            hole = hole + 1 & mask;
        }
        for (int slot = hole + 1 & mask; slots[slot] != 0; slot = slot + 1 & mask)
        {
            // A follower may move back into the hole if that does not put it before its home.
            if ((slot - home(arena.id(slots[slot] - 1)) & mask) >= (slot - hole & mask))
            {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = 0;
    }

    /** How many ids there are; looks at every slot. */
    int size()
    {
        int size = 0;
        for (final int entry : slots)
        {
            size += entry == 0 ? 0 : 1;
        }
        return size;
    }

    private int home(final long id)
    {
        final long key = id ^ KEY;
        return (int)(Math.multiplyHigh(key, MULTIPLIER) ^ key * MULTIPLIER) & mask;
    }
}
