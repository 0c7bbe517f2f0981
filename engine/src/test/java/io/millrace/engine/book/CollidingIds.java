package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.util.Set;
import java.util.TreeSet;

/**
 * Ids that all have the same first slot in a table, as an attacker who knows the hash can compute them. The low bits of
 * the product that the hash folds depend on the low half of the key alone. Adding to the key's high half rotates the
 * bits above. So with a fixed low half the hits have three distances (the three-gap theorem), which the first few hits
 * show.
 */
final class CollidingIds
{
    private static final int HALF = 32;

    private CollidingIds()
    {
    }

    /** This many different ids with the same first slot in tables of this size. */
    static long[] of(final OrderIndex index, final int count)
    {
        final int slot = index.firstSlot(OrderIndex.KEY);
        final long[] ids = new long[count];
        final Set<Long> gaps = new TreeSet<>();
        int found = 0;
        for (long low = 0; found < count; low++)
        {
            long high = -1;
            while (found < count && (high = next(index, slot, high, low, gaps)) >= 0)
            {
                ids[found++] = id(high, low);
            }
        }
        return ids;
    }

    /** The same for a book of this capacity. */
    static long[] of(final int capacity, final int count)
    {
        return of(new OrderArena(capacity, 1).newIndex(), count);
    }

    private static long next(
        final OrderIndex index, final int slot, final long after, final long low, final Set<Long> gaps)
    {
        if (after >= 0)
        {
            for (final long gap : gaps)
            {
                if (after + gap <= Integer.MAX_VALUE && index.firstSlot(id(after + gap, low)) == slot)
                {
                    return after + gap;
                }
            }
        }
        for (long high = after + 1; high <= Integer.MAX_VALUE; high++)
        {
            if (index.firstSlot(id(high, low)) == slot)
            {
                if (after >= 0)
                {
                    gaps.add(high - after);
                }
                return high;
            }
        }
        return -1;
    }

    private static long id(final long high, final long low)
    {
        return (high << HALF | low) ^ OrderIndex.KEY;
    }
}
