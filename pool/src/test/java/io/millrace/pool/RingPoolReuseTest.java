package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An acquire takes the event that was acquired last once more, which stays an ordinary event of its pool.
 */
final class RingPoolReuseTest
{
    private static final int CAPACITY = 4;

    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, CAPACITY);

    @Test
    @Tag("normal")
    void shouldAcquireTheSameEventWithANewGeneration()
    {
        final TestEvent event = pool.acquireLast();
        final long stamp = event.stamp();
        assertFalse(pool.isLastFree());
        event.release();

        assertEquals(CAPACITY, pool.available());
        assertTrue(pool.isLastFree());
        assertSame(event, pool.acquireLast());
        assertNotEqualStamp(stamp, event);
        assertFalse(event.release(stamp));
        assertEquals(1, event.refCount());
        assertEquals(1, pool.metrics().lateReleases());
        assertEquals(CAPACITY - 1, pool.available());
    }

    private static void assertNotEqualStamp(final long stamp, final TestEvent event)
    {
        assertTrue(stamp != event.stamp(), () -> "stamp " + stamp + " twice");
    }

    @Test
    void shouldAcquireTheNextEventWhileTheLastIsReferenced()
    {
        final TestEvent event = pool.acquireLast();
        event.retain(1);
        event.release();

        final TestEvent next = pool.acquireLast();
        assertNotSame(event, next);
        event.release();
        assertNotSame(event, pool.acquireLast(), "another one was acquired after it");
    }

    @Test
    void shouldAcquireTheNextEventInABoundPool()
    {
        final RingPool<TestEvent> bound = new RingPool<>(TestEvent::new, CAPACITY);
        bound.bind(() -> 0);
        final TestEvent event = bound.acquireLast();
        bound.publish(event);

        assertFalse(bound.isLastFree());
        assertEquals(1, bound.claimedPosition());
        assertNotSame(event, bound.acquireLast());
    }

    @Test
    @Tag("normal")
    void shouldNotBindAPoolThatWasUsed()
    {
        pool.acquireLast().release();

        assertThrows(IllegalStateException.class, () -> pool.bind(() -> 0));
    }

    @Test
    @Tag("normal")
    void shouldCountOnTheLastEventAsOneOfTheFree()
    {
        final TestEvent event = pool.acquireLast();
        event.release();
        assertTrue(pool.hasCapacity(CAPACITY));

        // The last event once more, and the others: no event twice.
        final Set<TestEvent> all = new HashSet<>();
        for (int i = 0; i < CAPACITY; i++)
        {
            assertTrue(all.add(pool.acquireLast()));
        }
        assertNull(pool.acquireLast());
        assertEquals(0, pool.available());
    }

    @Test
    @Tag("normal")
    void shouldFindAllEventsAfterGrowth()
    {
        final RingPool<TestEvent> growing =
            new RingPool<>("growing", TestEvent::new, 2, Exhaustion.grow(CAPACITY), 0);
        final TestEvent first = growing.acquire();
        final TestEvent second = growing.acquire();
        final TestEvent third = growing.acquire();
        third.release();
        final Set<TestEvent> all = new HashSet<>(List.of(first, second));

        assertSame(third, growing.acquireLast());
        assertTrue(all.add(third));
        assertTrue(all.add(growing.acquireLast()));
        assertNull(growing.acquireLast());
        assertEquals(0, growing.available());
    }

    /** {@code -Dseed=} repeats a run. */
    @Test
    void shouldNeverAcquireAnEventInUseNorAGenerationTwice()
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + ": seed " + seed);
        final Random random = new Random(seed);
        final List<TestEvent> inUse = new ArrayList<>();
        final Set<List<Object>> generations = new HashSet<>();
        for (int step = 0; step < 20_000; step++)
        {
            final String place = "seed " + seed + ", step " + step;
            final int action = random.nextInt(5);
            if (action < 2)
            {
                final int count = 1 + random.nextInt(CAPACITY);
                final boolean isFree = pool.hasCapacity(count);
                for (int i = 0; i < (isFree ? count : 1); i++)
                {
                    final boolean mayFail = !isFree && !(action == 1 && pool.isLastFree());
                    final TestEvent event = action == 0 ? pool.acquire() : pool.acquireLast();
                    assertTrue(mayFail || event != null, place);
                    if (event != null)
                    {
                        assertFalse(inUse.contains(event), place);
                        assertTrue(generations.add(List.of(System.identityHashCode(event), event.stamp())), place);
                        assertEquals(1, event.refCount(), place);
                        inUse.add(event);
                    }
                }
            }
            else if (!inUse.isEmpty())
            {
                inUse.remove(random.nextInt(inUse.size())).release();
            }
            assertEquals(CAPACITY - inUse.size(), pool.available(), place);
        }
        inUse.forEach(BasePoolAware::release);
        assertEquals("", pool.describeInFlight());
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }
}
