package io.millrace.pool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P6, P7: checked mode names the event and both threads of a misuse. The names of the threads say what they do here.
 */
@Tag("checked")
final class CheckedPoolTest
{
    /** The pools. */
    enum Kind
    {
        SHARED, RING, BOUND_RING
    }

    private final ExecutorService acquirer = Executors.newSingleThreadExecutor(work -> new Thread(work, "acquirer"));
    private final ExecutorService releaser = Executors.newSingleThreadExecutor(work -> new Thread(work, "releaser"));
    private final ExecutorService stranger = Executors.newSingleThreadExecutor(work -> new Thread(work, "stranger"));

    @AfterEach
    void stop()
    {
        acquirer.shutdown();
        releaser.shutdown();
        stranger.shutdown();
    }

    private static ObjectPool<TestEvent> pool(final Kind kind)
    {
        if (kind == Kind.SHARED)
        {
            return new SharedPool<>(TestEvent::new, 2);
        }
        final RingPool<TestEvent> ring = new RingPool<>(TestEvent::new, 2);
        if (kind == Kind.BOUND_RING)
        {
            ring.bind(ring::publishedPosition);
        }
        return ring;
    }

    private interface Work<T>
    {
        T run() throws Exception;
    }

    private static <T> T on(final ExecutorService thread, final Work<T> work) throws Exception
    {
        try
        {
            return thread.submit(work::run).get();
        }
        catch (final ExecutionException ex)
        {
            throw (RuntimeException)ex.getCause();
        }
    }

    private static void run(final ExecutorService thread, final Runnable work) throws Exception
    {
        on(thread, () ->
        {
            work.run();
            return null;
        });
    }

    /** Acquired by the thread "acquirer", and in a state in which any thread may release it. */
    private TestEvent acquired(final Kind kind, final ObjectPool<TestEvent> pool) throws Exception
    {
        return on(acquirer, () ->
        {
            final TestEvent event = pool.acquire();
            if (kind == Kind.BOUND_RING)
            {
                ((RingPool<TestEvent>)pool).publish(event);
            }
            return event;
        });
    }

    private static void assertNames(final Executable wrong, final String... parts)
    {
        final String message = assertThrows(PoolViolationException.class, wrong).getMessage();
        for (final String part : parts)
        {
            assertTrue(message.contains(part), () -> "'" + part + "' is not in: " + message);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportBothThreadsOfADoubleRelease(final Kind kind) throws Exception
    {
        final ObjectPool<TestEvent> pool = pool(kind);
        final TestEvent event = acquired(kind, pool);
        run(releaser, event::release);

        assertNames(() -> run(stranger, event::release), "double release", "TestEvent#0 of pool TestEvent",
            "acquired by thread 'acquirer'", "released by thread 'releaser'", "released again by thread 'stranger'");
        assertEquals(1, pool.metrics().doubleReleases());
        assertEquals(2, pool.available());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportBothThreadsOfAUseAfterRelease(final Kind kind) throws Exception
    {
        final ObjectPool<TestEvent> pool = pool(kind);
        final TestEvent event = acquired(kind, pool);
        run(stranger, event::checkLive);
        run(releaser, event::release);

        assertNames(() -> run(stranger, event::checkLive), "use after release", "TestEvent#0 of pool TestEvent",
            "acquired by thread 'acquirer'", "released by thread 'releaser'", "used by thread 'stranger'");
        assertEquals(0, pool.metrics().doubleReleases());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportBothThreadsOfARetainAfterRelease(final Kind kind) throws Exception
    {
        final ObjectPool<TestEvent> pool = pool(kind);
        final TestEvent event = acquired(kind, pool);
        run(releaser, event::release);

        assertNames(() -> run(stranger, () -> event.retain(1)), "use after release", "TestEvent#0 of pool TestEvent",
            "acquired by thread 'acquirer'", "released by thread 'releaser'", "retained by thread 'stranger'");
        assertEquals(1, pool.metrics().doubleReleases());
        assertEquals(0, event.refCount());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportTheThreadsOfALateRelease(final Kind kind) throws Exception
    {
        final ObjectPool<TestEvent> pool = pool(kind);
        final TestEvent event = acquired(kind, pool);
        final long stamp = event.stamp();
        assertTrue(on(releaser, () -> event.release(stamp)));

        assertNames(() -> run(stranger, () -> event.release(stamp)), "late release", "TestEvent#0 of pool TestEvent",
            "acquired by thread 'acquirer'", "released by thread 'releaser'", "by thread 'stranger'");
        assertNotSame(event, on(acquirer, pool::acquire));
        assertSame(event, on(acquirer, pool::acquire));
        assertNames(() -> run(stranger, () -> event.release(stamp)), "late release", "TestEvent#0 of pool TestEvent",
            "acquired by thread 'acquirer'", "its previous use was released by thread 'releaser'",
            "by thread 'stranger'");
        assertEquals(2, pool.metrics().lateReleases());
        assertEquals(1, event.refCount());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportTheThreadThatAcquiredALeakedEvent(final Kind kind) throws Exception
    {
        final ObjectPool<TestEvent> pool = pool(kind);
        assertEquals("", pool.describeInFlight());
        final TestEvent event = acquired(kind, pool);
        event.retain(1);

        final String leak = pool.describeInFlight();
        assertTrue(
            leak.startsWith("1 of 2 events of pool TestEvent are in flight; TestEvent#0 of pool TestEvent"), leak);
        assertTrue(leak.contains("acquired by thread 'acquirer' refCount=2"), leak);
        run(releaser, event::release);
        run(releaser, event::release);
        assertEquals("", pool.describeInFlight());
    }

    @Test
    void shouldReportBothThreadsThatAcquireFromARing() throws Exception
    {
        for (final Kind kind : new Kind[]{Kind.RING, Kind.BOUND_RING})
        {
            final ObjectPool<TestEvent> pool = pool(kind);
            acquired(kind, pool);

            assertNames(() -> run(stranger, pool::acquire), "wrong thread", "pool TestEvent", "TestEvent#1",
                "belongs to thread 'acquirer'", "acquired from by thread 'stranger'");
            assertEquals(1, ((RingPool<TestEvent>)pool).claimedPosition());
        }
    }

    @Test
    void shouldReportBothThreadsThatUseTheAcquiringEndOfARing() throws Exception
    {
        final RingPool<TestEvent> pool = (RingPool<TestEvent>)pool(Kind.BOUND_RING);
        final TestEvent event = on(acquirer, pool::acquire);
        final String[] expected =
            {"wrong thread", "belongs to thread 'acquirer'", "by thread 'stranger'", "TestEvent#"};

        assertNames(() -> run(stranger, () -> pool.publish(event)), expected);
        assertNames(() -> run(stranger, () -> pool.publish(0, 1)), expected);
        assertNames(() -> run(stranger, () -> pool.claim(1)), expected);
        assertNames(() -> run(stranger, pool::handOver), expected);
        assertEquals(0, pool.publishedPosition());
        assertEquals(1, pool.claimedPosition());
        run(acquirer, () -> pool.publish(event));
        run(acquirer, pool::handOver);
        assertInstanceOf(TestEvent.class, on(stranger, pool::acquire));
    }

    @Test
    void shouldTreatTheNextAcquiringThreadAsOwnerAfterDisown() throws Exception
    {
        for (final Kind kind : new Kind[]{Kind.RING, Kind.BOUND_RING})
        {
            final RingPool<TestEvent> pool = (RingPool<TestEvent>)pool(kind);
            run(acquirer, () -> pool.acquire().release());
            run(releaser, pool::clearAcquiringThread);
            run(stranger, () -> pool.acquire().release());

            assertNames(() -> run(acquirer, pool::acquire), "wrong thread", "belongs to thread 'stranger'",
                "acquired from by thread 'acquirer'");
            assertEquals(2, pool.claimedPosition());
            assertEquals(2, pool.available());
        }
    }

    @Test
    void shouldNotPublishAnEventReleasedByAnotherThread() throws Exception
    {
        final RingPool<TestEvent> pool = (RingPool<TestEvent>)pool(Kind.BOUND_RING);
        final TestEvent event = on(acquirer, pool::acquire);
        run(releaser, event::release);

        assertNames(() -> run(acquirer, () -> pool.publish(event)), "use after release", "TestEvent#0",
            "released by thread 'releaser'", "used by thread 'acquirer'");
        assertNames(() -> run(acquirer, () -> pool.publish(0, 1)), "use after release", "TestEvent#0");
        assertEquals(0, pool.publishedPosition());
    }

    @ParameterizedTest
    @EnumSource
    void shouldDetectTheExtraReleaseOfOneOfTwoThreads(final Kind kind) throws Exception
    {
        for (int i = 0; i < 2_000; i++)
        {
            final ObjectPool<TestEvent> pool = pool(kind);
            final TestEvent event = acquired(kind, pool);
            final Runnable release = event::release;
            final String message = messageOfOne(releaser.submit(release), stranger.submit(release));

            assertTrue(message.contains("released by thread 'releaser', released again by thread 'stranger'") ||
                message.contains("released by thread 'stranger', released again by thread 'releaser'"), message);
            assertEquals(1, pool.metrics().doubleReleases());
            assertEquals(1, event.hooks);
            assertEquals(2, pool.available());
        }
    }

    private static String messageOfOne(final Future<?>... releases) throws InterruptedException
    {
        String message = null;
        for (final Future<?> release : releases)
        {
            try
            {
                release.get();
            }
            catch (final ExecutionException ex)
            {
                assertNull(message, "both threw");
                message = assertInstanceOf(PoolViolationException.class, ex.getCause()).getMessage();
            }
        }
        return message;
    }
}
