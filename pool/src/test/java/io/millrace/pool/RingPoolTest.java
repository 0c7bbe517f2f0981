package io.millrace.pool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A ring pool without a pipeline.
 */
final class RingPoolTest extends ObjectPoolSuite
{
    @Override
    RingPool<TestEvent> newPool(
        final String name, final Supplier<TestEvent> factory, final int capacity, final Exhaustion policy)
    {
        return new RingPool<>(name, factory, capacity, policy, 0);
    }

    @Override
    RingPool<TestEvent> newPool(final Supplier<TestEvent> factory, final int capacity)
    {
        return new RingPool<>(factory, capacity);
    }

    @Test
    void shouldAcquireInRingOrder()
    {
        final ObjectPool<TestEvent> pool = newPool(4);
        final List<TestEvent> first = acquire(pool, 4);
        // Back in another order.
        first.get(3).release();
        first.get(1).release();
        first.get(0).release();
        first.get(2).release();

        assertEquals(first, acquire(pool, 4));
    }

    @Test
    void shouldStopAtAnEventInUse()
    {
        final ObjectPool<TestEvent> pool = newPool(4);
        final List<TestEvent> events = acquire(pool, 4);
        events.get(1).release();
        events.get(2).release();
        events.get(3).release();

        assertNull(pool.acquire());
        assertEquals(3, pool.available());
        events.get(0).release();
        assertEquals(events, acquire(pool, 4));
    }

    @Test
    void shouldRefuseToRetainAReleasedEvent()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        event.release();

        assertThrows(IllegalStateException.class, () -> event.retain(1));
        assertEquals(1, pool.metrics().doubleReleases());
        assertEquals(1, pool.available());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 1000, (1 << 26) - 1})
    void shouldReportTheNextPowersOfTwo(final int capacity)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> newPool(capacity)).getMessage();
        final int below = Integer.highestOneBit(capacity);
        assertTrue(message.contains("capacity " + capacity), message);
        assertTrue(message.contains("take " + below + " or " + 2 * below), message);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, RingPool.MAX_FIRST_SEQUENCE + 1, Long.MAX_VALUE})
    void shouldRefuseAFirstSequenceOutOfRange(final long sequence)
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new RingPool<>("test", TestEvent::new, 2, Exhaustion.fail(), sequence)).getMessage();
        assertTrue(message.contains("firstSequence " + sequence), message);
        assertTrue(message.contains("0.." + RingPool.MAX_FIRST_SEQUENCE), message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Integer.MAX_VALUE - 9L, (1L << 32) - 5, (1L << 48) - 5, RingPool.MAX_FIRST_SEQUENCE})
    void shouldAcquireNearTheSequenceOverflow(final long first)
    {
        final RingPool<TestEvent> pool = new RingPool<>("test", TestEvent::new, 4, Exhaustion.fail(), first);
        for (int i = 0; i < 100; i++)
        {
            final TestEvent event = pool.acquire();
            assertNotNull(event);
            assertTrue(event.release(event.stamp()));
            assertEquals(4, pool.available());
        }
        assertEquals(first + 100, pool.claimedPosition());
    }

    @Test
    void shouldDoubleToTheLimitAndCountIt()
    {
        final RingPool<TestEvent> pool = newPool("test", TestEvent::new, 2, Exhaustion.grow(8));
        final List<TestEvent> inFlight = new ArrayList<>(acquire(pool, 3));
        assertEquals(4, pool.capacity());
        assertEquals(2, pool.metrics().grown());
        inFlight.addAll(acquire(pool, 5));
        assertEquals(8, pool.capacity());
        assertEquals(6, pool.metrics().grown());
        assertEquals(8, inFlight.stream().distinct().count());
        assertNull(pool.acquire());
        assertEquals(8, pool.claimedPosition(), "growing skips no sequence");

        inFlight.forEach(BasePoolAware::release);
        assertEquals(8, pool.available());
        assertEquals(8, acquire(pool, 8).stream().distinct().count());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void shouldAcquireTheOldEventsInOrderAfterTheNewOnes(final int acquiredBefore)
    {
        final RingPool<TestEvent> pool = newPool("test", TestEvent::new, 4, Exhaustion.grow(8));
        for (int i = 0; i < acquiredBefore; i++)
        {
            pool.acquire().release();
        }
        final List<TestEvent> old = acquire(pool, 4);
        final List<TestEvent> added = acquire(pool, 4);
        old.forEach(BasePoolAware::release);
        added.forEach(BasePoolAware::release);

        assertEquals(old, acquire(pool, 4));
        assertEquals(added, acquire(pool, 4));
    }

    @Test
    void shouldRefuseALimitThatIsNoPowerOfTwo()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> newPool("test", TestEvent::new, 4, Exhaustion.grow(12))).getMessage();
        assertTrue(message.contains("maxCapacity 12"), message);
        assertThrows(IllegalArgumentException.class, () -> newPool("test", TestEvent::new, 4, Exhaustion.grow(2)));
    }

    @Test
    void shouldRefuseToPublishOrClaimWithoutAPipeline()
    {
        final RingPool<TestEvent> pool = newPool(TestEvent::new, 4);
        final TestEvent event = pool.acquire();

        assertThrows(IllegalStateException.class, () -> pool.publish(event));
        assertThrows(IllegalStateException.class, () -> pool.publish(0, 1));
        assertThrows(IllegalStateException.class, () -> pool.claim(1));
        event.release();
        assertEquals(4, pool.available());
        assertSame(pool.acquire(), pool.event(1));
    }

    @Test
    void shouldBeBoundOnceAndBeforeItsUseOnly()
    {
        final RingPool<TestEvent> bound = newPool(TestEvent::new, 4);
        bound.bind(bound::publishedPosition);
        assertMessage("bound already", () -> bound.bind(bound::publishedPosition));

        final RingPool<TestEvent> used = newPool(TestEvent::new, 4);
        used.acquire().release();
        used.handOver();
        assertMessage("used before", () -> used.bind(used::publishedPosition));

        final RingPool<TestEvent> growing = newPool("test", TestEvent::new, 4, Exhaustion.grow(8));
        assertMessage("GROW(to 8)", () -> growing.bind(growing::publishedPosition));
        assertThrows(NullPointerException.class, () -> newPool(TestEvent::new, 4).bind(null));
    }

    private static void assertMessage(final String part, final Runnable refused)
    {
        final String message = assertThrows(IllegalStateException.class, refused::run).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void shouldNotRepeatAGeneration()
    {
        final RingPool<TestEvent> pool = newPool(TestEvent::new, 1);
        final TestEvent event = pool.acquire();
        final long first = event.stamp();
        event.release();
        for (int i = 0; i < 1_000; i++)
        {
            assertSame(event, pool.acquire());
            assertFalse(event.stamp() == first);
            event.release();
        }
    }
}
