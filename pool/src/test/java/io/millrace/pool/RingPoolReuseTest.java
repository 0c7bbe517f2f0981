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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The next acquire returns the event that was acquired last, which stays an ordinary event of its pool.
 */
final class RingPoolReuseTest
{
    private static final int CAPACITY = 4;

    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, CAPACITY);

    @Test
    @Tag("normal")
    void shouldAcquireTheSameEventWithANewGeneration()
    {
        final TestEvent event = pool.acquire();
        final long stamp = event.stamp();
        event.release();
        pool.reuseLast(event);

        assertEquals(CAPACITY, pool.available());
        assertSame(event, pool.acquire());
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
    void shouldNotReuseAnEventThatIsReferenced()
    {
        final TestEvent event = pool.acquire();
        event.retain(1);
        event.release();
        pool.reuseLast(event);

        final TestEvent next = pool.acquire();
        assertNotSame(event, next);
        event.release();
        pool.reuseLast(event);
        assertNotSame(event, pool.acquire(), "another one was acquired after it");
    }

    @Test
    void shouldReuseNothingInABoundPool()
    {
        final RingPool<TestEvent> bound = new RingPool<>(TestEvent::new, CAPACITY);
        bound.bind(() -> 0);
        final TestEvent event = bound.acquire();
        bound.publish(event);
        bound.reuseLast(event);

        assertEquals(1, bound.claimedPosition());
        assertNotSame(event, bound.acquire());
    }

    @Test
    @Tag("normal")
    void shouldNotBindAPoolThatWasUsedAndReused()
    {
        final TestEvent event = pool.acquire();
        event.release();
        pool.reuseLast(event);

        assertThrows(IllegalStateException.class, () -> pool.bind(() -> 0));
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
        growing.reuseLast(third);
        final Set<TestEvent> all = new HashSet<>(List.of(first, second));

        assertTrue(all.add(growing.acquire()));
        assertTrue(all.add(growing.acquire()));
        assertNull(growing.acquire());
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
        TestEvent last = null;
        for (int step = 0; step < 20_000; step++)
        {
            final String place = "seed " + seed + ", step " + step;
            final int action = random.nextInt(3);
            if (action == 0)
            {
                final boolean isFree = pool.hasCapacity(1);
                final TestEvent event = pool.acquire();
                assertEquals(isFree, event != null, place);
                if (event != null)
                {
                    assertFalse(inUse.contains(event), place);
                    assertTrue(generations.add(List.of(System.identityHashCode(event), event.stamp())), place);
                    assertEquals(1, event.refCount(), place);
                    inUse.add(event);
                    last = event;
                }
            }
            else if (action == 1 && !inUse.isEmpty())
            {
                inUse.remove(random.nextInt(inUse.size())).release();
            }
            else if (last != null)
            {
                pool.reuseLast(last);
            }
            assertEquals(CAPACITY - inUse.size(), pool.available(), place);
        }
        inUse.forEach(BasePoolAware::release);
        assertNotNull(last);
        assertEquals("", pool.describeInFlight());
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }
}
