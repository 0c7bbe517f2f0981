package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The fast path to an event of a bound ring returns the same event as {@link RingPool#acquire()}, or null. Checked mode
 * prepares each event, so there the result is always null.
 */
final class RingPoolKnownFreeTest
{
    private static final int CAPACITY = 4;
    private static final long FIRST = (1L << 31) - 10;

    /** Without a hook. */
    private static final class PlainEvent extends BasePoolAware
    {
        long value;
    }

    private final RingPool<PlainEvent> pool =
        new RingPool<>("ring", PlainEvent::new, CAPACITY, Exhaustion.fail(), FIRST);
    /** The number of events that the consumers have passed. */
    private long passed = FIRST;

    private void bind()
    {
        pool.bind(() -> passed);
    }

    /** The consumers pass all published events, and release them in checked mode. */
    private void passAll()
    {
        for (; passed < pool.publishedPosition(); passed++)
        {
            final PlainEvent event = pool.event(passed);
            if (PoolCheck.ENABLED && RingPool.sequenceOf(event) == passed)
            {
                event.release();
            }
        }
    }

    private void publishNext()
    {
        final PlainEvent event = pool.acquire();
        assertNotNull(event);
        pool.publish(event);
    }

    private void assertSaysNothing()
    {
        final long claimed = pool.claimedPosition();
        final long exhausted = pool.metrics().exhausted();
        assertNull(pool.acquireKnownFree());
        assertEquals(claimed, pool.claimedPosition());
        assertEquals(exhausted, pool.metrics().exhausted());
    }

    @Test
    void shouldReturnNullForAnUnboundPool()
    {
        assertSaysNothing();
        assertTrue(pool.hasCapacity(CAPACITY));
        assertSaysNothing();
        final PlainEvent event = pool.acquire();
        assertSame(pool.event(FIRST), event);
        assertSaysNothing();
        event.release();
        assertSaysNothing();
        assertEquals(CAPACITY, pool.available());
    }

    @Test
    void shouldReturnNullBeforeTheConsumersPositionWasRead()
    {
        bind();
        assertSaysNothing();
        assertSame(pool.event(FIRST), pool.acquire());
    }

    @Test
    @Tag("normal")
    void shouldAcquireTheEventsInOrderAndAllowTheirPublication()
    {
        bind();
        final Random random = new Random(7);
        for (long sequence = FIRST; sequence < FIRST + 10_000; sequence++)
        {
            if (pool.claimedPosition() - passed == CAPACITY)
            {
                assertSaysNothing();
                passAll();
            }
            final PlainEvent known = random.nextBoolean() ? pool.acquireKnownFree() : null;
            final PlainEvent event = known != null ? known : pool.acquire();
            assertSame(pool.event(sequence), event);
            assertEquals(sequence + 1, pool.claimedPosition());
            event.value = sequence;
            pool.publish(event);
            assertEquals(sequence, RingPool.sequenceOf(event));
            assertEquals(sequence + 1, pool.publishedPosition());
        }
        assertEquals(0, pool.metrics().abandoned() + pool.metrics().exhausted());
    }

    @Test
    @Tag("normal")
    void shouldFindEventsThatWereFoundFreeBefore()
    {
        bind();
        assertTrue(pool.hasCapacity(CAPACITY));
        for (int i = 0; i < CAPACITY; i++)
        {
            assertSame(pool.event(FIRST + i), pool.acquireKnownFree());
        }
        assertSaysNothing();
        assertNull(pool.acquire());
        assertEquals(1, pool.metrics().exhausted());
    }

    @Test
    @Tag("normal")
    void shouldReleaseOrOvertakeAnEvent()
    {
        bind();
        assertTrue(pool.hasCapacity(CAPACITY));
        pool.acquireKnownFree().release();
        assertEquals(1, pool.metrics().abandoned());
        assertEquals(FIRST + 1, pool.publishedPosition());
        final PlainEvent overtaken = pool.acquireKnownFree();
        pool.publish(pool.acquireKnownFree());
        assertEquals(~(FIRST + 1), RingPool.sequenceOf(overtaken));
        assertEquals(2, pool.metrics().abandoned());
        assertEquals(0, pool.metrics().doubleReleases());
    }

    @Test
    void shouldReturnNullForAFullRingAndNotCountIt()
    {
        bind();
        for (int i = 0; i < CAPACITY; i++)
        {
            publishNext();
        }
        assertSaysNothing();
        passAll();
        assertSaysNothing();
        assertSame(pool.event(FIRST + CAPACITY), pool.acquire());
    }

    @Test
    void shouldReturnNullForARetainedEvent()
    {
        bind();
        final PlainEvent kept = pool.acquire();
        kept.retain(1);
        pool.publish(kept);
        for (int i = 1; i < CAPACITY; i++)
        {
            publishNext();
        }
        passAll();
        assertSaysNothing();
        assertNull(pool.acquire());
        assertSaysNothing();
        kept.release();
        assertSaysNothing();
        assertSame(kept, pool.acquire());
    }

    @Test
    @Tag("normal")
    void shouldStopBeforeARetainedEvent()
    {
        bind();
        publishNext();
        final PlainEvent kept = pool.acquire();
        kept.retain(1);
        pool.publish(kept);
        publishNext();
        publishNext();
        passAll();
        assertFalse(pool.hasCapacity(2));
        assertSame(pool.event(FIRST), pool.acquireKnownFree());
        assertSaysNothing();
        kept.release();
        assertTrue(pool.hasCapacity(3));
        assertSame(kept, pool.acquireKnownFree());
    }

    @Test
    void shouldReturnNullAfterAHandOver()
    {
        bind();
        assertTrue(pool.hasCapacity(CAPACITY));
        publishNext();
        pool.handOver();
        assertSaysNothing();
        assertSame(pool.event(FIRST + 1), pool.acquire());
    }

    /** In checked mode the hook runs at the release. */
    @Test
    @Tag("normal")
    void shouldLeaveEventsWithAHookToTheAcquire()
    {
        final RingPool<TestEvent> hooked = RingReader.ring(CAPACITY, FIRST);
        final RingReader reader = new RingReader(hooked);
        final List<Long> seen = new ArrayList<>();
        for (int lap = 1; lap <= 3; lap++)
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                assertNull(hooked.acquireKnownFree());
                final TestEvent event = hooked.acquire();
                assertEquals(lap, event.hooks);
                assertNull(hooked.acquireKnownFree());
                event.fill(i);
                hooked.publish(event);
                assertEquals(lap, event.hooks);
            }
            seen.addAll(reader.readAll());
        }
        assertEquals(3 * CAPACITY, seen.size());
        assertEquals(0, hooked.metrics().exhausted());
    }

    @Test
    void shouldForgetAtTheBindPromisesMadeWithoutConsumers()
    {
        for (int count = 1; count <= CAPACITY; count++)
        {
            final RingPool<TestEvent> asked = RingReader.ring(CAPACITY, FIRST);
            assertTrue(asked.hasCapacity(count));
            assertRespectsItsConsumers(asked);
        }
    }

    private static void assertRespectsItsConsumers(final RingPool<TestEvent> asked)
    {
        final RingReader reader = new RingReader(asked);
        for (long value = 0; value < CAPACITY; value++)
        {
            final TestEvent event = asked.acquire();
            event.fill(value);
            asked.publish(event);
        }
        assertFalse(asked.hasCapacity(1));
        assertNull(asked.acquireKnownFree());
        assertNull(asked.acquire());
        assertEquals(-1, asked.claim(1));
        assertEquals(List.of(0L, 1L, 2L, 3L), reader.readAll());
        assertTrue(asked.hasCapacity(CAPACITY));
        assertFalse(asked.claim(CAPACITY) < 0);
    }
}
