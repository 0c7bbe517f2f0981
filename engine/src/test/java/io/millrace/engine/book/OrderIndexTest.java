package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The id table against a {@link HashMap}: chains that cross the table's end, removals from their middle. */
class OrderIndexTest
{
    private static final int STEPS = 6_000;

    private static void shouldDoAsAMap(final long seed, final int capacity, final int shift)
    {
        final Random random = new Random(seed);
        final OrderArena arena = new OrderArena(capacity, 1);
        final OrderIndex index = new OrderIndex(arena);
        final Map<Long, Integer> map = new HashMap<>();
        for (int step = 0; step < STEPS; step++)
        {
            final String where = "seed " + seed + ", capacity " + capacity + ", shift " + shift + ", step " + step;
            final long id = (long)(random.nextInt(3 * capacity + 2) - 1) << shift;
            final Integer handle = map.get(id);
            assertEquals(handle == null ? OrderArena.NONE : handle, index.find(id), where);
            if (handle != null)
            {
                index.remove(id, handle);
                arena.free(handle);
                map.remove(id);
            }
            else if (!arena.isFull())
            {
                final int h = arena.allocate();
                arena.rows[h << OrderArena.ROW_SHIFT] = id;
                index.add(id, h);
                map.put(id, h);
            }
            if (capacity < 20 || step % 64 == 0)
            {
                assertEquals(map.size(), index.size(), where);
                map.forEach((key, value) -> assertEquals(value, index.find(key), where));
            }
        }
    }

    @Test
    void shouldDoAsAMapDoesAtEveryCapacity()
    {
        for (int capacity = 1; capacity <= 17; capacity++)
        {
            for (final int shift : new int[]{0, 16, 32, 60})
            {
                shouldDoAsAMap(capacity, capacity, shift);
            }
        }
        shouldDoAsAMap(99, 300, 0);
        shouldDoAsAMap(100, 300, 32);
        shouldDoAsAMap(101, 300, 50);
    }

    @Test
    void shouldFindAllIdsOfAFullTableAndNoneOfAnEmptiedOne()
    {
        final int capacity = 1_000;
        final OrderArena arena = new OrderArena(capacity, 1);
        final OrderIndex index = new OrderIndex(arena);
        for (int h = 0; h < capacity; h++)
        {
            arena.rows[arena.allocate() << OrderArena.ROW_SHIFT] = (long)h << 40;
            index.add((long)h << 40, h);
        }
        for (int h = 0; h < capacity; h++)
        {
            assertEquals(h, index.find((long)h << 40));
            assertEquals(OrderArena.NONE, index.find(((long)h << 40) + 1));
        }
        for (int h = 0; h < capacity; h++)
        {
            index.remove((long)h << 40, h);
            assertEquals(OrderArena.NONE, index.find((long)h << 40));
        }
        assertEquals(0, index.size());
    }
}
