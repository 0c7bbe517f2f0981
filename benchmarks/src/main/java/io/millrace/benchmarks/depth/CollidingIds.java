package io.millrace.benchmarks.depth;

import io.millrace.engine.tables.OrderIndex;

/**
 * Ids of an attacker who knows the hash: all belong to one bucket of a book's id table. Found by trying ids that are
 * spread over all 64 bits. Stateless; any thread.
 */
final class CollidingIds
{
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int IN_BUCKET = 15;

    private CollidingIds()
    {
    }

    /** So many different ids with one bucket in a book of this capacity; some seconds for 100,000. */
    static long[] of(final int capacity, final int count)
    {
        final OrderIndex index = new OrderIndex(new long[capacity << OrderIndex.ROW_SHIFT], capacity);
        final int bucket = index.firstSlot(STEP) & ~IN_BUCKET;
        final long[] ids = new long[count];
        int found = 0;
        for (long id = STEP; found < count; id += STEP)
        {
            if ((index.firstSlot(id) & ~IN_BUCKET) == bucket)
            {
                ids[found++] = id;
            }
        }
        return ids;
    }

    /** So many different ids without any order. */
    static long[] random(final int count)
    {
        final long[] ids = new long[count];
        for (int i = 0; i < count; i++)
        {
            // Mixed so that they are no progression, which a multiplying hash spreads better than chance.
            final long spread = (i + 1) * STEP;
            ids[i] = (spread ^ spread >>> 29) * STEP;
        }
        return ids;
    }
}
