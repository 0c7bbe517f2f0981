package io.millrace.benchmarks.jmh.book.layout;

/**
 * From an id to the order: open addressing in neighbouring slots, the id compared in the order itself. The same for all
 * layouts, and trusting: ids that collide on purpose would make it slow. One thread.
 */
final class OrderTable
{
    /** At most an eighth in use by the flow's thousand orders: 32 KB. */
    private static final int BITS = 13;
    private static final int MASK = (1 << BITS) - 1;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final OrderStore store;

    /** The handle plus one; 0 is empty. */
    private final int[] slots = new int[MASK + 1];

    OrderTable(final OrderStore store)
    {
        this.store = store;
    }

    private static int bucket(final long id)
    {
        return (int)(id * MULTIPLIER >>> Long.SIZE - BITS);
    }

    /** The order, or NONE. */
    int find(final long id)
    {
        int slot = bucket(id);
        while (slots[slot] != 0 && store.get(slots[slot] - 1, OrderStore.ID) != id)
        {
            slot = slot + 1 & MASK;
        }
        return slots[slot] - 1;
    }

    void add(final long id, final int order)
    {
        int slot = bucket(id);
        while (slots[slot] != 0)
        {
            slot = slot + 1 & MASK;
        }
        slots[slot] = order + 1;
    }

    /** Moves followers nearer to their bucket. */
    void remove(final long id)
    {
        int hole = bucket(id);
        while (store.get(slots[hole] - 1, OrderStore.ID) != id)
        {
            hole = hole + 1 & MASK;
        }
        for (int slot = hole + 1 & MASK; slots[slot] != 0; slot = slot + 1 & MASK)
        {
            final int bucket = bucket(store.get(slots[slot] - 1, OrderStore.ID));
            if ((slot - bucket & MASK) >= (slot - hole & MASK))
            {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = 0;
    }
}
