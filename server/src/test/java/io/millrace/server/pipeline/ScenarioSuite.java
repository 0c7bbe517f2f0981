package io.millrace.server.pipeline;

import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P2, P8: situations in which a wrong release loses, repeats or recycles events: two consumers, fan-out that races with
 * release, a full queue, no stage, a handler that throws, forwarding, retaining, and giving up. After each of them all
 * events are back in the pool. Here for one consumer; {@link FanOutScenarioSuite} adds those with two. {@link
 * FarScenarioTest} runs all of it with sequences near the ends of their bits.
 */
abstract class ScenarioSuite
{
    static final int CAPACITY = 16;

    /** Sequence of the first event. */
    long start;

    ObjectPool<NumberedEvent> pool;
    EventPipeline<NumberedEvent> pipeline;

    /** Pool and pipeline, whose sequences begin at {@link #start}. */
    abstract void create();

    @BeforeEach
    void setUp()
    {
        create();
    }

    @AfterEach
    void everyEventIsBack()
    {
        assertEquals(0, pipeline.close());
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }

    final RingPool<NumberedEvent> ringPool(final int capacity)
    {
        return new RingPool<>("ring", NumberedEvent::new, capacity, Exhaustion.fail(), start);
    }

    /** A far start shows its errors soon, and the last one has only 2^20 sequences left. */
    final int tenthWhenFar(final int events)
    {
        return start == 0 ? events : events / 10;
    }

    final void startPublisher(final TestThreads workers, final long events)
    {
        workers.start("publisher", () ->
        {
            final IdleStrategy idle = PipelineFixture.idle();
            for (long number = 0; number < events && workers.isRunning();)
            {
                final boolean published = tryPublish(number);
                number += published ? 1 : 0;
                idle.idle(published ? 1 : 0);
            }
        });
    }

    /** Publishes an event, or releases it. */
    final boolean tryPublish(final long number)
    {
        final NumberedEvent event = pool.acquire();
        if (event != null && pipeline.offer(event.fill(number)))
        {
            return true;
        }
        if (event != null)
        {
            event.requireWhole(number);
            event.release();
        }
        return false;
    }

    @Test
    void shouldLeaveEventsWithThePublisherWhenTheQueueIsFull() throws Exception
    {
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage"));
        long accepted = 0;
        long refused = 0;
        final int offers = 100_000;
        for (int i = 0; i < offers; i++)
        {
            if (tryPublish(accepted))
            {
                accepted++;
            }
            else
            {
                refused++;
            }
            if (i % 100 == 99)
            {
                stage.poll(7);
                stage.subscription.flush();
            }
        }
        stage.drain();
        assertTrue(refused > offers / 2, "refused " + refused);
        assertEquals(offers, stage.numbers.size() + refused);
        assertEquals(PipelineSuite.numbers(0, accepted - 1), stage.numbers);
    }

    @Test
    void shouldLeaveEventsWithThePublisherWithoutSubscribers() throws Exception
    {
        for (int i = 0; i < 10 * CAPACITY; i++)
        {
            final NumberedEvent event = pool.acquire();
            assertNotNull(event);
            assertFalse(pipeline.offer(event.fill(i)));
            event.requireWhole(i);
            event.release();
        }
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage"));
        assertTrue(tryPublish(1));
        assertEquals(1, stage.drain());
    }

    @Test
    void shouldLoseNothingToAHandlerThatThrows() throws Exception
    {
        final int events = tenthWhenFar(1_000_000);
        final IllegalStateException poison = new IllegalStateException("planned");
        final long[] seen = new long[2];
        final EventHandler<NumberedEvent> handler = (event, sequence, endOfBatch) ->
        {
            event.requireWhole(seen[0]);
            seen[0]++;
            if (event.number % 100 == 42)
            {
                throw poison;
            }
            seen[1]++;
        };
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
        long number = 0;
        long failed = 0;
        while (seen[0] < events)
        {
            while (number < events && tryPublish(number))
            {
                number++;
            }
            try
            {
                subscription.poll(handler, Integer.MAX_VALUE);
            }
            catch (final IllegalStateException ex)
            {
                failed++;
            }
            subscription.flush();
        }
        assertEquals(events / 100 * 99, seen[1]);
        assertEquals(events / 100, failed);
    }

    @Test
    void shouldForwardEventsIntoASecondPipelineThatMayBeFull() throws Exception
    {
        final SpscPipeline<NumberedEvent> second = new SpscPipeline<>(4);
        final RecordingStage end = new RecordingStage(second.subscribe("end"));
        final List<Long> refused = new ArrayList<>();
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage")).doing(event ->
        {
            event.retain(1);
            if (!second.offer(event))
            {
                refused.add(event.number);
                event.release();
            }
        });
        long number = 0;
        for (int lap = 0; lap < 20; lap++)
        {
            for (int i = 0; i < 6; i++)
            {
                assertTrue(tryPublish(number));
                number++;
            }
            stage.drain();
            assertEquals(pool.capacity() - 4, pool.available());
            end.drain();
            assertEquals(pool.capacity(), pool.available());
        }
        assertEquals(PipelineSuite.numbers(0, 119), stage.numbers);
        assertEquals(80, end.numbers.size());
        assertEquals(40, refused.size());
        refused.addAll(end.numbers);
        refused.sort(null);
        assertEquals(stage.numbers, refused);
    }

    @Test
    void shouldForwardEventsFromThreadToThread() throws Exception
    {
        final int events = tenthWhenFar(100_000);
        final SpscPipeline<NumberedEvent> second = new SpscPipeline<>(4);
        final EventSubscription<NumberedEvent> first = pipeline.subscribe("first");
        final EventSubscription<NumberedEvent> last = second.subscribe("last");
        final long[] counts = new long[3];
        final TestThreads workers = new TestThreads();
        workers.start("first", () -> pollUntil(
            workers, first, () -> counts[0] + counts[1] == events, (event, sequence, end) ->
            {
                event.requireWhole(counts[0] + counts[1]);
                event.retain(1);
                if (second.offer(event))
                {
                    counts[0]++;
                }
                else
                {
                    event.release();
                    counts[1]++;
                }
            }));
        final long[] greatest = {-1};
        final AtomicBoolean over = new AtomicBoolean();
        final TestThreads consumer = new TestThreads();
        consumer.start("last", () -> pollUntil(
            consumer, last, () -> over.get() && last.position() == second.publishedPosition(), (event, sequence, end) ->
            {
                event.requireWhole(event.number);
                assertTrue(event.number > greatest[0]);
                greatest[0] = event.number;
                counts[2]++;
            }));
        startPublisher(workers, events);
        workers.join();
        over.set(true);
        consumer.join();
        assertEquals(counts[0], counts[2]);
        assertEquals(events, counts[0] + counts[1]);
    }

    /** When a loop ends. */
    interface Condition
    {
        boolean isMet();
    }

    static void pollUntil(
        final TestThreads workers,
        final EventSubscription<NumberedEvent> subscription,
        final Condition end,
        final EventHandler<NumberedEvent> handler) throws Exception
    {
        final IdleStrategy idle = PipelineFixture.idle();
        while (!end.isMet() && workers.isRunning())
        {
            idle.idle(subscription.poll(handler, 64));
        }
        subscription.flush();
    }

    @Test
    void shouldKeepTheContentOfAnEventRetainedForManyWraps() throws Exception
    {
        final List<NumberedEvent> kept = new ArrayList<>();
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage")).doing(event ->
        {
            if (event.number == 5)
            {
                event.retain(1);
                kept.add(event);
            }
            else if (!kept.isEmpty())
            {
                assertNotSame(kept.get(0), event);
                kept.get(0).requireWhole(5);
            }
        });
        long number = 0;
        for (int i = 0; i < 20 * pool.capacity(); i++)
        {
            number += tryPublish(number) ? 1 : 0;
            stage.drain();
            assertEquals(pool.capacity() - kept.size(), pool.available());
        }
        if (pool instanceof SharedPool)
        {
            assertEquals(20 * pool.capacity(), number);
            assertEquals(0, pool.metrics().exhausted());
        }
        else
        {
            // A ring pool acquires in order: it stops one wrap after the retained event, and counts.
            assertEquals(5 + pool.capacity(), number);
            assertEquals(19 * pool.capacity() - 5, pool.metrics().exhausted());
        }
        kept.get(0).requireWhole(5);
        kept.remove(0).release();
        assertTrue(tryPublish(number));
        stage.drain();
        assertEquals(PipelineSuite.numbers(0, number), stage.numbers);
    }

    @Test
    void shouldTakeBackAnEventThatWasAcquiredAndNeverPublished() throws Exception
    {
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage"));
        long number = 0;
        for (int i = 0; i < 50 * CAPACITY; i++)
        {
            final NumberedEvent unwanted = pool.acquire();
            assertNotNull(unwanted);
            unwanted.fill(-9).release();
            assertTrue(tryPublish(number));
            number++;
            stage.drain();
            assertEquals(pool.capacity(), pool.available());
        }
        assertEquals(PipelineSuite.numbers(0, number - 1), stage.numbers);
    }

    @Test
    void shouldContinueInOrderWhenAPausedConsumerResumes() throws Exception
    {
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage"));
        long number = 0;
        for (int pause = 0; pause < 30; pause++)
        {
            while (tryPublish(number))
            {
                number++;
            }
            for (int i = 0; i < 1_000; i++)
            {
                assertFalse(tryPublish(number));
            }
            stage.drain();
        }
        assertEquals(PipelineSuite.numbers(0, number - 1), stage.numbers);
        assertEquals(30L * pipeline.capacity(), number);
    }

    @Test
    void shouldReleaseEverythingWhenClosedHalfWay() throws Exception
    {
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage")).failOn(2, new AssertionError());
        long number = 0;
        while (tryPublish(number))
        {
            number++;
        }
        assertThrows(AssertionError.class, stage::poll);
        assertEquals(number - 3, pipeline.close());
        assertEquals(pool.capacity(), pool.available());
        assertFalse(tryPublish(number));
    }
}
