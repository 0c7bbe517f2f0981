package io.millrace.pool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A ring pool bound to a pipeline: which events are published, in which order, and when they are acquired again.
 */
final class RingPoolBoundTest
{
    private final RingPool<TestEvent> pool = RingReader.ring(4, 0);
    private final RingReader reader = new RingReader(pool);

    private TestEvent acquire(final long value)
    {
        final TestEvent event = pool.acquire();
        assertNotNull(event);
        event.fill(value);
        return event;
    }

    private void assertAtRest()
    {
        assertEquals(List.of(), reader.readAll());
        assertEquals(pool.claimedPosition(), pool.publishedPosition());
        assertEquals(pool.capacity(), pool.available());
        assertEquals("", pool.describeInFlight());
    }

    @Test
    void shouldPublishInTheOrderOfAcquiring()
    {
        final TestEvent a = acquire(1);
        final TestEvent b = acquire(2);
        assertEquals(List.of(), reader.readAll());
        pool.publish(a);
        assertEquals(List.of(1L), reader.readAll());
        final TestEvent c = acquire(3);
        pool.publish(b);
        pool.publish(c);

        assertEquals(List.of(2L, 3L), reader.readAll());
        assertEquals(0, pool.metrics().abandoned());
        assertAtRest();
    }

    @Test
    void shouldReuseOnlyEventsThatTheReaderHasPassed()
    {
        for (int i = 0; i < 4; i++)
        {
            pool.publish(acquire(i));
        }
        assertNull(pool.acquire());
        final TestEvent first = reader.next();
        assertNull(pool.acquire());
        reader.pass();

        assertSame(first, pool.acquire());
        assertNull(pool.acquire());
        assertEquals(2 + 1, pool.metrics().exhausted());
    }

    @Test
    void shouldMakePadsOfEventsThatWereOvertaken()
    {
        acquire(1);
        acquire(2);
        pool.publish(acquire(3));

        assertEquals(2, pool.metrics().abandoned());
        assertEquals(List.of(3L), reader.readAll());
        assertAtRest();
    }

    @Test
    void shouldMakeAPadOfAnEventThatIsReleasedInsteadOfPublished()
    {
        acquire(1).release();
        assertEquals(1, pool.metrics().abandoned());
        assertEquals(0, pool.metrics().doubleReleases());
        assertAtRest();

        pool.publish(acquire(2));
        assertEquals(List.of(2L), reader.readAll());
        assertAtRest();
    }

    @ParameterizedTest
    @CsvSource({"0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"})
    void shouldMakePadsInAnyOrderOfRelease(final int first, final int second, final int third)
    {
        final TestEvent[] events = {acquire(0), acquire(1), acquire(2)};
        final TestEvent last = acquire(3);
        events[first].release();
        events[second].release();
        events[third].release();
        assertEquals(3, pool.metrics().abandoned());
        assertEquals(3, pool.publishedPosition());
        assertEquals(0, pool.metrics().doubleReleases());

        pool.publish(last);
        assertEquals(List.of(3L), reader.readAll());
        assertAtRest();
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "1 2", "2 1", "1 2 3", "3 2 1", "3", "1 3"})
    void shouldPublishAroundPadsAhead(final String released)
    {
        final TestEvent[] events = {acquire(0), acquire(1), acquire(2), acquire(3)};
        final boolean[] gone = new boolean[4];
        for (final String index : released.split(" "))
        {
            gone[Integer.parseInt(index)] = true;
            events[Integer.parseInt(index)].release();
        }
        assertEquals(0, pool.publishedPosition());
        for (int i = 0; i < 4; i++)
        {
            if (!gone[i])
            {
                pool.publish(events[i]);
                assertEquals(List.of((long)i), reader.readAll());
            }
        }
        assertEquals(released.split(" ").length, pool.metrics().abandoned());
        assertAtRest();
    }

    @Test
    void shouldRefuseToPublishAnUnacquiredEventAndChangeNothing()
    {
        final TestEvent published = acquire(0);
        pool.publish(published);
        final TestEvent released = acquire(1);
        final TestEvent notYet = acquire(2);
        released.release();
        final TestEvent neverAcquired = pool.event(3);
        final RingPool<TestEvent> other = RingReader.ring(4, 0);
        new RingReader(other);

        final Class<? extends RuntimeException> refusal =
            PoolCheck.ENABLED ? PoolViolationException.class : IllegalArgumentException.class;

        assertRefused("not of this pool", other.acquire());
        assertRefused("not of this pool", new TestEvent());
        assertRefused("published or released before", published);
        assertThrows(refusal, () -> pool.publish(released));
        assertThrows(refusal, () -> pool.publish(neverAcquired));
        assertThrows(NullPointerException.class, () -> pool.publish(null));

        assertEquals(3, pool.claimedPosition());
        assertEquals(2, pool.publishedPosition());
        assertEquals(1, pool.metrics().abandoned());
        pool.publish(notYet);
        assertEquals(List.of(0L, 2L), reader.readAll());
        assertAtRest();
    }

    private void assertRefused(final String reason, final TestEvent event)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> pool.publish(event)).getMessage();
        assertTrue(message.contains("TestEvent") && message.contains("ring") && message.contains(reason), message);
    }

    @Test
    void shouldStopAtARetainedEventUntilItIsReleased()
    {
        pool.publish(acquire(0));
        final TestEvent kept = reader.next();
        kept.retain(2);
        reader.pass();
        for (int i = 1; i < 4; i++)
        {
            pool.publish(acquire(i));
        }
        assertEquals(List.of(1L, 2L, 3L), reader.readAll());
        assertEquals(3, pool.available());
        assertTrue(pool.describeInFlight().contains("1 of 4") && pool.describeInFlight().contains("refCount=2"),
            pool.describeInFlight());

        assertNull(pool.acquire());
        assertEquals(-1, pool.claim(1));
        kept.release();
        assertNull(pool.acquire());
        assertTrue(kept.isWhole(0));
        kept.release(kept.stamp());
        assertSame(kept, pool.acquire());
    }

    @Test
    void shouldAcceptReleasesOfRetainedEventsFromAnyThread() throws InterruptedException
    {
        pool.publish(acquire(0));
        final TestEvent kept = reader.next();
        final long stamp = kept.stamp();
        kept.retain(2);
        assertEquals(stamp, kept.stamp());
        reader.pass();
        final Thread other = new Thread(() ->
        {
            kept.release();
            assertTrue(kept.release(stamp));
        });
        other.start();
        other.join();

        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        assertAtRest();
    }

    @Test
    void shouldReleaseAReferenceOfAnOfferThatFailed()
    {
        final TestEvent event = acquire(1);
        event.retain(1);
        event.release();
        pool.publish(event);

        assertEquals(List.of(1L), reader.readAll());
        assertEquals(0, pool.metrics().abandoned());
        assertAtRest();
    }

    @Test
    void shouldKeepARetainedEventThatWasOvertaken()
    {
        final TestEvent kept = acquire(1);
        kept.retain(1);
        pool.publish(acquire(2));
        assertEquals(List.of(2L), reader.readAll());
        acquire(3).release();
        acquire(4).release();
        reader.readAll();

        assertNull(pool.acquire());
        assertTrue(kept.isWhole(1));
        kept.release();
        assertAtRest();
        assertSame(kept, pool.acquire());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldWrapInTheSmallestRings(final int capacity)
    {
        for (final long first : new long[]{0, (1L << 31) - 10, (1L << 32) - 3, (1L << 39) - 7,
            (1L << 48) - 7, RingPool.MAX_FIRST_SEQUENCE})
        {
            final RingPool<TestEvent> ring = RingReader.ring(capacity, first);
            final RingReader stage = new RingReader(ring);
            for (int i = 0; i < 100; i++)
            {
                for (int k = 0; k < capacity; k++)
                {
                    final TestEvent event = ring.acquire();
                    event.fill(first + i + k);
                    ring.publish(event);
                    assertEquals(
                        event.stamp(), first + (long)i * capacity + k & -1L >>> BasePoolAware.GENERATION_SHIFT);
                }
                assertNull(ring.acquire());
                for (int k = 0; k < capacity; k++)
                {
                    assertTrue(stage.next().isWhole(first + i + k));
                    stage.pass();
                }
                assertNull(stage.next());
                assertEquals(capacity, ring.available());
            }
            assertEquals(first + 100L * capacity, ring.publishedPosition());
        }
    }

    @Test
    void shouldRecogniseTheNewOwnerAfterAHandOver() throws InterruptedException
    {
        acquire(1).release();
        reader.readAll();
        pool.handOver();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread next = new Thread(() ->
        {
            acquire(2).release();
            pool.publish(acquire(3));
        });
        next.setUncaughtExceptionHandler((thread, cause) -> failure.set(cause));
        next.start();
        next.join();

        assertNull(failure.get());
        assertEquals(2, pool.metrics().abandoned());
        assertEquals(0, pool.metrics().doubleReleases());
        assertEquals(List.of(3L), reader.readAll());
        assertAtRest();
    }
}
