package io.millrace.pool;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A ring that many threads claim from: releases of one event beside its next use, and beside its revocation. */
final class SharedRingRacesTest
{
    /** The thread that releases is done with the event once it is free: it must not touch the next use of it. */
    @Test
    void shouldLeaveAnEventAloneThatAnotherThreadAcquiresDuringItsRelease() throws Exception
    {
        final int uses = 50_000;
        final SharedRingPool<TestEvent> ring =
            new SharedRingPool<>("ring", TestEvent::new, 1, Exhaustion.fail(), 0);
        final AtomicLong passed = new AtomicLong();
        ring.bind(passed::get);
        final AtomicReference<TestEvent> handed = new AtomicReference<>();
        final TestThreads workers = new TestThreads();
        workers.add("publisher", () ->
        {
            for (int i = 1; i <= uses; i++)
            {
                final TestEvent event = PoolStressTest.acquire(ring, workers);
                event.retain(1);
                assertTrue(ring.publish(event));
                if (PoolCheck.ENABLED)
                {
                    event.release();
                }
                passed.set(i);
                handed.set(event);
            }
        });
        workers.add("releaser", () ->
        {
            for (int i = 0; i < uses && workers.isRunning();)
            {
                final TestEvent event = handed.getAndSet(null);
                if (event != null)
                {
                    event.release();
                    i++;
                }
                else
                {
                    Thread.yield();
                }
            }
        });
        workers.work("one event");
        assertEquals(uses, ring.claimedPosition());
        assertEquals(0, ring.metrics().abandoned());
        assertEquals(1, ring.available());
    }

    @Test
    void shouldCountNoDoubleReleaseOfAnEventThatIsRevokedMeanwhile() throws Exception
    {
        final int rounds = 20_000;
        final List<SharedRingPool<TestEvent>> rings = new ArrayList<>();
        final List<TestEvent> events = new ArrayList<>();
        for (int i = 0; i < rounds; i++)
        {
            final SharedRingPool<TestEvent> ring =
                new SharedRingPool<>("ring", TestEvent::new, 1, Exhaustion.fail(), 0);
            ring.bind(() -> 0);
            ring.quietNs = 0;
            rings.add(ring);
            events.add(ring.acquire());
            ring.revoke(0, 1);
        }
        final AtomicLong arrived = new AtomicLong();
        // Each meeting may cost a time slice of a busy machine.
        final TestThreads workers = new TestThreads(600);
        workers.add("publisher", () ->
        {
            for (int i = 0; i < rounds && workers.isRunning(); i++)
            {
                meet(workers, arrived, i);
                events.get(i).release();
            }
        });
        workers.add("consumer", () ->
        {
            for (int i = 0; i < rounds && workers.isRunning(); i++)
            {
                meet(workers, arrived, i);
                rings.get(i).revoke(0, 1);
            }
        });
        workers.work("released and revoked");
        for (int i = 0; i < rounds; i++)
        {
            final SharedRingPool<TestEvent> ring = rings.get(i);
            assertEquals(1, ring.metrics().abandoned() + ring.metrics().revoked());
            assertEquals(0, ring.metrics().doubleReleases());
            assertEquals(~0L, EventRing.sequenceOf(ring.event(0)));
            assertEquals(ring.metrics().revoked() == 1, ring.isRevoked(events.get(i)));
        }
    }

    /** Both threads leave at the same moment. */
    private static void meet(final TestThreads workers, final AtomicLong arrived, final int round)
    {
        arrived.incrementAndGet();
        for (int looks = 0; arrived.get() < 2L * (round + 1) && workers.isRunning(); looks++)
        {
            // A yield takes longer than the moment that the test is about; one core needs it.
            if (looks > 1_000)
            {
                Thread.yield();
            }
        }
    }
}
