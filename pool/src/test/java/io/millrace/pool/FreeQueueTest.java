package io.millrace.pool;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P14: the queue of a shared pool, with turn numbers near the ends of their bits. The last start has 2^20 turns left,
 * more than a test needs here. At 100 million events a second it takes 2,900 years to get there.
 */
@Tag("normal")
final class FreeQueueTest
{
    private static final int STEPS = 50_000;

    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 31) - 5, (1L << 32) - 5, Long.MAX_VALUE - (1L << 20)})
    void shouldBeFirstInFirstOut(final long firstTurn)
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        final SplittableRandom random = new SplittableRandom(seed);
        for (int events = 1; events <= 64; events = events * 2 + 1)
        {
            final FreeQueue queue = new FreeQueue(events, firstTurn);
            final Queue<BasePoolAware> model = new ArrayDeque<>();
            final Queue<BasePoolAware> out = new ArrayDeque<>();
            for (int i = 0; i < events; i++)
            {
                out.add(new TestEvent());
            }
            for (int step = 0; step < STEPS; step++)
            {
                if (random.nextBoolean() && !out.isEmpty())
                {
                    queue.offer(out.peek());
                    model.add(out.remove());
                }
                else
                {
                    final BasePoolAware event = queue.poll();
                    assertSame(model.poll(), event, () -> "seed " + seed);
                    if (event != null)
                    {
                        out.add(event);
                    }
                }
                assertEquals(model.size(), queue.size(64));
            }
        }
    }

    /** At most 4 of 64 events are in flight, so one is always free and every acquire must succeed. */
    @Test
    void shouldNeverBeExhaustedWhileEventsAreFree() throws InterruptedException
    {
        final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 64);
        final TestThreads workers = new TestThreads();
        for (int i = 0; i < 4; i++)
        {
            workers.add("taker-" + i, () ->
            {
                for (int round = 0; round < 20 * STEPS && workers.isRunning(); round++)
                {
                    pool.acquire().release();
                }
            });
        }
        workers.work("64 events, 4 threads");
        assertEquals(0, pool.metrics().exhausted());
        assertEquals(64, pool.available());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 31) - STEPS, (1L << 32) - STEPS, Long.MAX_VALUE - (1L << 20)})
    void shouldAcquireEachEventOnOneThread(final long firstTurn) throws InterruptedException
    {
        final int events = 3;
        final FreeQueue queue = new FreeQueue(events, firstTurn);
        for (int i = 0; i < events; i++)
        {
            queue.offer(new TestEvent());
        }
        final TestThreads workers = new TestThreads();
        for (int i = 0; i < 3; i++)
        {
            final long id = i;
            workers.add("taker-" + id, () ->
            {
                for (long value = id; value < 3L * STEPS && workers.isRunning();)
                {
                    final TestEvent event = (TestEvent)queue.poll();
                    if (event != null)
                    {
                        event.fill(value);
                        Thread.onSpinWait();
                        assertEquals(true, event.isWhole(value));
                        queue.offer(event);
                        value += 3;
                    }
                    else
                    {
                        Thread.yield();
                    }
                }
            });
        }
        workers.work("first turn " + firstTurn);
        assertEquals(events, queue.size(64));
    }

    @Test
    void shouldFindEventsOfferedAfterASuspendedProducer()
    {
        final FreeQueue queue = new FreeQueue(8);
        final TestEvent late = new TestEvent();
        // The thread that gives is stopped between the two steps of its offer.
        assertTrue(queue.fill(0, late));
        final List<BasePoolAware> events = new ArrayList<>(List.of(late));
        for (int i = 0; i < 7; i++)
        {
            events.add(new TestEvent());
            queue.offer(events.get(i + 1));
        }
        assertEquals(8, queue.size(8));
        for (final BasePoolAware event : events)
        {
            assertSame(event, queue.poll());
        }
        assertNull(queue.poll());
    }

    @Test
    void shouldFindAnEventThatItsSuspendedProducerHasNotCounted()
    {
        final FreeQueue queue = new FreeQueue(1);
        final TestEvent event = new TestEvent();
        assertTrue(queue.fill(0, event));
        assertSame(event, queue.poll());
        assertNull(queue.poll());
        queue.offer(event);
        assertSame(event, queue.poll());
    }

    @Test
    void shouldLoseNoEventToAProducerSuspendedWhileTheQueueWraps()
    {
        for (int laps = 1; laps < 40; laps++)
        {
            final FreeQueue queue = new FreeQueue(4);
            final List<BasePoolAware> events = new ArrayList<>();
            for (int i = 0; i < 3; i++)
            {
                events.add(new TestEvent());
                queue.offer(events.get(i));
            }
            for (int i = 0; i < laps; i++)
            {
                queue.offer(queue.poll());
            }
            // The thread has an old index, finds an empty place there, and leaves it unchanged.
            final TestEvent late = new TestEvent();
            for (long index = 0; index < 8; index++)
            {
                if (queue.fill(index, late))
                {
                    break;
                }
            }
            final Set<BasePoolAware> found = new HashSet<>();
            for (BasePoolAware event = queue.poll(); event != null; event = queue.poll())
            {
                assertTrue(found.add(event), "twice");
            }
            assertTrue(found.containsAll(events), "lost after " + laps);
        }
    }

    /** The generation has 39 bits and then wraps. */
    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 5, (1L << 32) - 5, (1L << 38) - 5, (1L << 39) - 5})
    void shouldAcquireWhenTheGenerationWraps(final long generation)
    {
        final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 1);
        final TestEvent event = pool.acquire();
        event.beginGeneration(generation);
        long before = event.stamp();
        assertEquals(generation, before);
        event.release();
        for (int i = 1; i <= 10; i++)
        {
            assertSame(event, pool.acquire());
            assertEquals((generation + i) % (1L << 39), event.stamp());
            final long old = before;
            ObjectPoolSuite.wrongly(() -> assertFalse(event.release(old)));
            assertEquals(1, event.refCount());
            before = event.stamp();
            event.retain(1);
            event.release();
            event.release(before);
            assertEquals(1, pool.available());
        }
        assertEquals(10, pool.metrics().lateReleases());
    }
}
