package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The id table compared with a {@link HashMap}: searches that wrap in their bucket, removals from its middle, buckets
 * that overflow; and the number of steps of a search, for friendly and for colliding ids.
 */
class OrderIndexTest
{
    private static final int STEPS = 6_000;
    private static final int HOSTILE = 100_000;

    private OrderArena arena;
    private OrderIndex index;

    @BeforeEach
    void makeTableOfTheDefaultCapacity()
    {
        make(SymbolSpec.DEFAULT_ORDER_CAPACITY);
    }

    private void make(final int capacity)
    {
        arena = new OrderArena(capacity, 1);
        index = arena.newIndex();
    }

    private int add(final long id)
    {
        final int h = arena.allocate();
        arena.rows[h << OrderArena.ROW_SHIFT] = id;
        index.add(id, h);
        return h;
    }

    private int addIfNew(final long id)
    {
        final int h = arena.allocate();
        arena.rows[h << OrderArena.ROW_SHIFT] = id;
        assertTrue(index.addIfNew(id, h));
        return h;
    }

    private void refuseAgain(final long id)
    {
        final int h = arena.allocate();
        arena.rows[h << OrderArena.ROW_SHIFT] = id;
        assertFalse(index.addIfNew(id, h));
        arena.free(h);
    }

    private void remove(final long id, final int h)
    {
        index.remove(id, h);
        arena.free(h);
        // Nothing may read the row of a removed order.
        arena.rows[h << OrderArena.ROW_SHIFT] = ~id;
    }

    /** Returns the greatest number of ids that were in the overflow. */
    private int shouldDoAsAMap(final long seed, final int capacity, final long[] ids, final int steps)
    {
        make(capacity);
        final Random random = new Random(seed);
        final Map<Long, Integer> map = new HashMap<>();
        int mostOverflowed = 0;
        for (int step = 0; step < steps; step++)
        {
            final String where = "seed " + seed + ", capacity " + capacity + ", ids " + ids[0] + ", " + ids[1] +
                "..., step " + step;
            final long id = ids[random.nextInt(ids.length)];
            final Integer handle = map.get(id);
            assertEquals(handle == null ? OrderArena.NONE : handle, index.find(id), where);
            assertTrue(index.steps(id) <= OrderIndex.MAX_STEPS, where);
            if (handle != null && !arena.isFull())
            {
                refuseAgain(id);
            }
            // Fills and empties the table alternately.
            if (handle != null && (capacity < 20 || random.nextInt(8) >= (step / (4 * capacity) % 2 == 0 ? 6 : 1)))
            {
                remove(id, handle);
                map.remove(id);
            }
            else if (handle == null && !arena.isFull())
            {
                map.put(id, random.nextBoolean() ? add(id) : addIfNew(id));
                mostOverflowed = Math.max(mostOverflowed, index.overflowed());
            }
            if (capacity < 20 || step % 64 == 0)
            {
                assertEquals(map.size(), index.verifiedSize(), where);
                map.forEach((key, value) -> assertEquals(value, index.find(key), where));
            }
        }
        map.forEach(this::remove);
        assertEquals(0, index.verifiedSize());
        assertEquals(0, index.overflowed());
        return mostOverflowed;
    }

    private static long[] ids(final int count, final LongUnaryOperator id)
    {
        return LongStream.range(0, count).map(id).toArray();
    }

    @Test
    void shouldMatchAMapAtEveryCapacity()
    {
        for (int capacity = 1; capacity <= 17; capacity++)
        {
            for (final int shift : new int[]{0, 16, 32, 60})
            {
                shouldDoAsAMap(capacity, capacity, ids(3 * capacity + 2, i -> i - 1 << shift), STEPS);
            }
        }
        for (final int shift : new int[]{0, 32, 50})
        {
            shouldDoAsAMap(99 + shift, 300, ids(900, i -> i << shift), STEPS);
        }
    }

    @Test
    void shouldMatchAMapWithCollidingIds()
    {
        for (final int capacity : new int[]{9, 17, 64, 300})
        {
            final long[] colliding = CollidingIds.of(capacity, 2 * capacity);
            for (long seed = 1; seed <= 4; seed++)
            {
                final Random random = new Random(seed);
                final int overflowed = shouldDoAsAMap(seed, capacity, colliding, 4 * STEPS);
                assertTrue(overflowed > (capacity - OrderIndex.BUCKET) / 2, "overflowed at most " + overflowed);
                // With friendly ids among them, in the same bucket and in others, and the ends of the range.
                final long[] mixed = colliding.clone();
                for (int i = 0; i < capacity; i++)
                {
                    mixed[i] = random.nextBoolean() ? i : random.nextLong();
                }
                mixed[0] = Long.MIN_VALUE;
                mixed[1] = Long.MAX_VALUE;
                shouldDoAsAMap(seed, capacity, mixed, 4 * STEPS);
            }
        }
    }

    @Test
    void shouldMatchAMapWithAdjacentBuckets()
    {
        // With probing beyond a bucket these ids would be one run of slots, and one removal would shift all of it.
        final int capacity = 128;
        make(capacity);
        final long[] ids =
            LongStream.iterate(0, id -> id + 1).filter(id -> index.firstSlot(id) < 80).limit(300).toArray();
        for (long seed = 1; seed <= 4; seed++)
        {
            shouldDoAsAMap(seed, capacity, ids, 4 * STEPS);
        }
    }

    @Test
    void shouldFindAllIdsOfAFullTableAndNoneOfAnEmptiedOne()
    {
        final int capacity = 1_000;
        make(capacity);
        for (int h = 0; h < capacity; h++)
        {
            assertEquals(h, add((long)h << 40));
        }
        for (int h = 0; h < capacity; h++)
        {
            assertEquals(h, index.find((long)h << 40));
            assertEquals(OrderArena.NONE, index.find(((long)h << 40) + 1));
        }
        for (int h = 0; h < capacity; h++)
        {
            remove((long)h << 40, h);
            assertEquals(OrderArena.NONE, index.find((long)h << 40));
        }
        assertEquals(0, index.verifiedSize());
    }

    @Test
    void shouldFindFriendlyIdsInFewSteps()
    {
        final long seed = 20;
        final Random random = new Random(seed);
        shouldNeedFewSteps("random, seed " + seed, i -> random.nextLong());
        for (final long stride : new long[]{1, 2, 3, 7, 10, 16, 64, 100, 1_000, 4_096, 65_536, 1_000_000, 1L << 32,
            1_000_000_007, 1L << 40, 1L << 48})
        {
            shouldNeedFewSteps("stride " + stride, i -> i * stride);
            shouldNeedFewSteps("stride " + stride + " down", i -> 1L << 62 | -i * stride);
            // Snowflake: milliseconds, machine, number within the millisecond.
            shouldNeedFewSteps("stride " + stride + " of time", i -> 1_700_000_000_000L + i << 22 | i % stride & 0xfff);
        }
    }

    private void shouldNeedFewSteps(final String what, final LongUnaryOperator id)
    {
        final int capacity = SymbolSpec.DEFAULT_ORDER_CAPACITY;
        make(capacity);
        final long[] ids = ids(capacity, id);
        for (int i = 0; i < capacity / 2; i++)
        {
            add(ids[i]);
        }
        final double whenHalfFull = Arrays.stream(ids, 0, capacity / 2).mapToInt(index::steps).average().orElseThrow();
        assertTrue(whenHalfFull < 2, () -> what + ", half full: steps on average " + whenHalfFull);
        assertTrue(index.overflowed() <= 4, () -> what + ", half full, overflowed: " + index.overflowed());
        for (int i = capacity / 2; i < capacity; i++)
        {
            add(ids[i]);
        }
        final double whenFull = Arrays.stream(ids).mapToInt(index::steps).average().orElseThrow();
        assertTrue(whenFull < 3, () -> what + ", full: steps on average " + whenFull);
        assertTrue(index.overflowed() <= capacity / 128, () -> what + ", full, overflowed: " + index.overflowed());
    }

    @Test
    void shouldFindEveryOneOfAHundredThousandIdsThatCollide()
    {
        make(HOSTILE);
        final long[] ids = CollidingIds.of(index, HOSTILE + 1_000);
        final Set<Long> distinct = new HashSet<>();
        for (final long id : ids)
        {
            assertEquals(index.firstSlot(ids[0]), index.firstSlot(id));
            distinct.add(id);
        }
        assertEquals(ids.length, distinct.size());
        final int[] handles = new int[HOSTILE];
        for (int i = 0; i < HOSTILE; i++)
        {
            handles[i] = add(ids[i]);
        }
        assertTrue(arena.isFull());
        assertEquals(HOSTILE, index.verifiedSize());
        assertEquals(HOSTILE - OrderIndex.BUCKET, index.overflowed());
        int most = 0;
        for (int i = 0; i < ids.length; i++)
        {
            assertEquals(i < HOSTILE ? handles[i] : OrderArena.NONE, index.find(ids[i]));
            most = Math.max(most, index.steps(ids[i]));
        }
        assertTrue(most <= OrderIndex.MAX_STEPS, "steps of the longest search: " + most);
        shouldRemoveAll(ids, handles);
    }

    /** In a random order, so that slots become free while the overflow still has ids of their bucket. */
    private void shouldRemoveAll(final long[] ids, final int[] handles)
    {
        final long seed = 30;
        final Random random = new Random(seed);
        for (int left = handles.length; left > 0; left--)
        {
            final int i = random.nextInt(left);
            remove(ids[i], handles[i]);
            assertEquals(OrderArena.NONE, index.find(ids[i]), "seed " + seed);
            ids[i] = ids[left - 1];
            handles[i] = handles[left - 1];
            if (left % 20_000 == 1)
            {
                assertEquals(left - 1, index.verifiedSize(), "seed " + seed);
            }
        }
        assertEquals(0, index.overflowed());
    }

    @Test
    void shouldKeepTheBoundInTheDeepestOverflow()
    {
        // A comb of every bit: each power of two has its own node, where it differs from the others.
        final int capacity = 33;
        make(capacity);
        for (final long id : CollidingIds.of(index, OrderIndex.BUCKET))
        {
            add(id);
        }
        final int bucket = index.firstSlot(OrderIndex.KEY) / OrderIndex.BUCKET;
        int most = 0;
        for (int bit = 62; bit >= 0 && !arena.isFull(); bit--)
        {
            // The low bits are free, to move the id into the bucket.
            long id = 1L << bit;
            while (index.firstSlot(id) / OrderIndex.BUCKET != bucket)
            {
                id++;
            }
            if (index.find(id) == OrderArena.NONE)
            {
                add(id);
            }
            most = Math.max(most, index.steps(id));
        }
        assertEquals(capacity - OrderIndex.BUCKET, index.overflowed());
        assertEquals(capacity, index.verifiedSize());
        assertTrue(most > OrderIndex.BUCKET + 10 && most <= OrderIndex.MAX_STEPS, "steps of the longest: " + most);
    }

    @Test
    void shouldNotSearchTheOverflowForFriendlyIds()
    {
        final long[] hostile = CollidingIds.of(index, 20_000);
        for (final long id : hostile)
        {
            add(id);
        }
        final int bucket = index.firstSlot(hostile[0]) / OrderIndex.BUCKET;
        for (long id = 1; id <= 1_000; id++)
        {
            if (index.firstSlot(id) / OrderIndex.BUCKET != bucket)
            {
                add(id);
                assertTrue(index.steps(id) <= 3, "steps of " + id + ": " + index.steps(id));
                assertTrue(index.steps(~id) <= 3 || index.firstSlot(~id) / OrderIndex.BUCKET == bucket);
            }
        }
    }

    @Test
    void shouldDetectAnIdChangedInItsPlace()
    {
        final long[] ids = CollidingIds.of(index, 40);
        final int[] handles = Arrays.stream(ids).mapToInt(this::add).toArray();
        for (final int at : new int[]{0, 15, 16, 39})
        {
            assertEquals(40, index.verifiedSize());
            arena.rows[handles[at] << OrderArena.ROW_SHIFT] = ~ids[at];
            assertEquals(-1, index.verifiedSize(), "slot or leaf " + at);
            arena.rows[handles[at] << OrderArena.ROW_SHIFT] = ids[at];
        }
    }
}
