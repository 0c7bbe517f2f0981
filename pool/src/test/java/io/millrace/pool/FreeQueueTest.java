package io.millrace.pool;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

/**
 * The queue under a shared pool, with turn numbers near the ends of their bits. The last start leaves 2^20 turns, more
 * than a test here takes; at 100 million events a second it takes 2,900 years to get there.
 */
final class FreeQueueTest
{
    private static final int STEPS = 50_000;

    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 31) - 5, (1L << 32) - 5, Long.MAX_VALUE - (1L << 20)})
    void shouldGiveOutFirstWhatCameFirst(final long firstTurn)
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
                assertEquals(model.size(), queue.size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 31) - STEPS, (1L << 32) - STEPS, Long.MAX_VALUE - (1L << 20)})
    void shouldGiveEachEventToOneThread(final long firstTurn) throws InterruptedException
    {
        final int events = 3;
        final FreeQueue queue = new FreeQueue(events, firstTurn);
        for (int i = 0; i < events; i++)
        {
            queue.offer(new TestEvent());
        }
        final Crew crew = new Crew();
        for (int i = 0; i < 3; i++)
        {
            final long id = i;
            crew.add("taker-" + id, () ->
            {
                for (long value = id; value < 3L * STEPS && crew.goesOn();)
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
        crew.work("first turn " + firstTurn);
        assertEquals(events, queue.size());
    }

    /** The number of a lending has 39 bits: after that many it starts again. */
    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 5, (1L << 32) - 5, (1L << 38) - 5, (1L << 39) - 5})
    void shouldLendOnWhenTheNumberOfALendingStartsAgain(final long lending)
    {
        final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 1);
        final TestEvent event = pool.acquire();
        event.lend(lending);
        long before = event.stamp();
        assertEquals(lending, before);
        event.release();
        for (int i = 1; i <= 10; i++)
        {
            assertSame(event, pool.acquire());
            assertEquals((lending + i) % (1L << 39), event.stamp());
            final long old = before;
            ObjectPoolSuite.wrongly(() -> assertFalse(event.release(old)));
            assertEquals(1, event.holders());
            before = event.stamp();
            event.retain(1);
            event.release();
            event.release(before);
            assertEquals(1, pool.available());
        }
        assertEquals(10, pool.metrics().lateReleases());
    }
}
