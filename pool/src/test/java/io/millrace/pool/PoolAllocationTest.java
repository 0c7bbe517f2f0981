package io.millrace.pool;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P5, P15: acquire, release and every refusal allocate exactly 0 bytes on the calling thread, in normal mode.
 */
@Tag("normal")
@Tag("allocation")
final class PoolAllocationTest
{
    private static final int WARM_UP = 400_000;
    private static final int CYCLES = Integer.getInteger("allocation.events", 1_000_000);
    private static final int MAX_WINDOWS = 8;
    private static final int CAPACITY = 64;

    private interface Cycle
    {
        void run();
    }

    private void assertAllocatesNothing(final Cycle cycle)
    {
        run(cycle, WARM_UP);
        AllocationWindows.assertNothing(CYCLES + " cycles", MAX_WINDOWS, () -> run(cycle, CYCLES));
    }

    private static void run(final Cycle cycle, final int cycles)
    {
        for (int i = 0; i < cycles; i++)
        {
            cycle.run();
        }
    }

    private static ObjectPool<TestEvent> shared()
    {
        return new SharedPool<>(TestEvent::new, CAPACITY);
    }

    private static RingPool<TestEvent> ring()
    {
        return new RingPool<>(TestEvent::new, CAPACITY);
    }

    private static RingPool<TestEvent> bound()
    {
        final RingPool<TestEvent> pool = ring();
        pool.bind(pool::publishedPosition);
        return pool;
    }

    private void assertCycle(final ObjectPool<TestEvent> pool)
    {
        assertAllocatesNothing(() -> pool.acquire().release());
        assertEquals(CAPACITY, pool.available());
    }

    @Test
    void shouldAllocateNothingWhenASharedEventIsAcquiredAndReleased()
    {
        assertCycle(shared());
    }

    @Test
    void shouldAllocateNothingWhenARingEventIsAcquiredAndReleased()
    {
        assertCycle(ring());
    }

    @Test
    void shouldAllocateNothingWhenABoundRingMakesPads()
    {
        final RingPool<TestEvent> pool = bound();
        assertCycle(pool);
        assertEquals(pool.claimedPosition(), pool.metrics().abandoned());
    }

    @Test
    void shouldAllocateNothingWhenEventsArePublishedAndRead()
    {
        final RingPool<TestEvent> pool = ring();
        final RingReader reader = new RingReader(pool);
        assertAllocatesNothing(() ->
        {
            final TestEvent event = pool.acquire();
            pool.publish(event);
            if (reader.next() == event)
            {
                reader.pass();
            }
        });
        assertEquals(pool.claimedPosition(), reader.position());
    }

    @Test
    void shouldAllocateNothingWhenBatchesArePublishedAndRead()
    {
        final RingPool<TestEvent> pool = ring();
        final RingReader reader = new RingReader(pool);
        assertAllocatesNothing(() ->
        {
            final long first = pool.claim(4);
            pool.event(first + 2).release();
            pool.publish(first, 4);
            while (reader.next() != null)
            {
                reader.pass();
            }
        });
        assertEquals(pool.claimedPosition(), reader.position());
        assertEquals(pool.claimedPosition() / 4, pool.metrics().abandoned());
    }

    private void assertExhausted(final ObjectPool<TestEvent> pool)
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            pool.acquire();
        }
        assertAllocatesNothing(pool::acquire);
        assertNull(pool.acquire());
        assertTrue(pool.metrics().exhausted() > CYCLES);
    }

    @Test
    void shouldAllocateNothingWhenASharedPoolIsExhausted()
    {
        assertExhausted(shared());
    }

    @Test
    void shouldAllocateNothingWhenARingIsExhausted()
    {
        assertExhausted(ring());
    }

    @Test
    void shouldAllocateNothingWhenABoundRingIsExhausted()
    {
        assertExhausted(bound());
    }

    private void assertReleasedTwice(final ObjectPool<TestEvent> pool)
    {
        final TestEvent event = pool.acquire();
        final long stamp = event.stamp();
        event.release();
        assertAllocatesNothing(() ->
        {
            event.release();
            event.release(stamp);
        });
        assertTrue(pool.metrics().doubleReleases() > CYCLES);
        assertFalse(event.release(stamp));
        assertEquals(CAPACITY, pool.available());
    }

    @Test
    void shouldAllocateNothingWhenASharedEventIsReleasedTwice()
    {
        assertReleasedTwice(shared());
    }

    @Test
    void shouldAllocateNothingWhenARingEventIsReleasedTwice()
    {
        assertReleasedTwice(ring());
    }

    @Test
    void shouldAllocateNothingWhenABoundRingEventIsReleasedTwice()
    {
        assertReleasedTwice(bound());
    }

    private void assertThreeReferences(final ObjectPool<TestEvent> pool)
    {
        assertAllocatesNothing(() ->
        {
            final TestEvent event = pool.acquire();
            final long stamp = event.stamp();
            event.retain(2);
            event.release();
            event.release(stamp);
            event.release();
        });
        assertEquals(CAPACITY, pool.available());
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }

    @Test
    void shouldAllocateNothingForThreeReferencesToASharedEvent()
    {
        assertThreeReferences(shared());
    }

    @Test
    void shouldAllocateNothingForThreeReferencesToARingEvent()
    {
        assertThreeReferences(ring());
    }

    @Test
    void shouldAllocateNothingForThreeReferencesToABoundRingEvent()
    {
        assertThreeReferences(bound());
    }
}
