package io.millrace.server.pipeline;

import com.sun.management.ThreadMXBean;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes allocated by every thread that touches events, over 10,000,000 events after warm-up: also where the queue
 * is full, the pool is exhausted, the handler throws, and where events are displaced.
 */
@Tag("normal")
final class PipelineAllocationTest
{
    private static final int EVENTS = 10_000_000;
    /** Enough for the compilers to have seen every branch. */
    private static final int WARM_UP = 200_000;
    /** Two threads meet in more ways than one, and a way seen for the first time links its calls, which allocates. */
    private static final int WARM_UP_OF_TWO = EVENTS;
    private static final int CAPACITY = 1_024;
    private static final int BATCH = 64;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** Passes a number of events through whatever is tested. */
    private interface Path
    {
        void pass(int events) throws Exception;
    }

    /** Checks order and content; throws when told to. */
    private static final class Checker implements EventHandler<NumberedEvent>
    {
        /** Made beforehand and without a stack trace, like the errors of a careful handler. */
        private static final class Rejection extends Exception
        {
            private static final long serialVersionUID = 1L;

            Rejection()
            {
                super("rejected", null, false, false);
            }
        }

        private static final Rejection REJECTION = new Rejection();

        long count;
        long last = -1;
        boolean rejects;

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            event.requireWhole(event.number);
            if (event.number <= last)
            {
                throw new AssertionError(event.number + " behind " + last);
            }
            last = event.number;
            count++;
            if (rejects)
            {
                throw REJECTION;
            }
        }
    }

    private long number;

    private static void assertAllocatesNothing(final Path path) throws Exception
    {
        assertAllocatesNothing(path, EVENTS);
    }

    private static void assertAllocatesNothing(final Path path, final int events) throws Exception
    {
        path.pass(WARM_UP);
        final long nothing = allocatedBy(path, 0);
        assertEquals(0, nothing, "bytes that the measuring itself allocates");
        assertEquals(0, allocatedBy(path, events), "bytes allocated over " + events + " events");
    }

    private static long allocatedBy(final Path path, final int events) throws Exception
    {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        path.pass(events);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** One thread publishes a batch, then polls every stage, and so on. */
    private Path alternating(
        final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline, final int stages)
    {
        final Checker[] checkers = new Checker[stages];
        final List<EventSubscription<NumberedEvent>> list = new ArrayList<>();
        for (int i = 0; i < stages; i++)
        {
            checkers[i] = new Checker();
            list.add(pipeline.subscribe("stage " + i));
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        final EventSubscription<NumberedEvent>[] subscriptions = list.toArray(new EventSubscription[0]);
        return events ->
        {
            for (int done = 0; done < events; done += BATCH)
            {
                for (int i = 0; i < BATCH; i++)
                {
                    publish(pool, pipeline);
                }
                for (int i = 0; i < subscriptions.length; i++)
                {
                    if (subscriptions[i].poll(checkers[i], CAPACITY) != BATCH)
                    {
                        throw new AssertionError("lost events");
                    }
                }
            }
        };
    }

    private void publish(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
    {
        if (!pipeline.offer(pool.acquire().fill(number)))
        {
            throw new AssertionError("not accepted");
        }
        number++;
    }

    private static RingPool<NumberedEvent> ringPool()
    {
        return new RingPool<>(NumberedEvent::new, CAPACITY);
    }

    @Test
    void shouldAllocateNothingOnTheOneLinePath() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        assertAllocatesNothing(alternating(pool, new RingPipeline<>(pool), 1));
    }

    @Test
    void shouldAllocateNothingOnTheOneLinePathWithThreeStages() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        assertAllocatesNothing(alternating(pool, new RingPipeline<>(pool), 3));
    }

    @Test
    void shouldAllocateNothingOnTheOneLinePathInBatches() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        final Checker checker = new Checker();
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
        assertAllocatesNothing(events ->
        {
            for (int done = 0; done < events; done += BATCH)
            {
                final long first = pool.claim(BATCH);
                for (int i = 0; i < BATCH; i++)
                {
                    pool.event(first + i).fill(number);
                    number++;
                }
                pipeline.offer(first, BATCH);
                subscription.poll(checker, CAPACITY);
            }
        });
        assertEquals(number, checker.count);
    }

    @Test
    void shouldAllocateNothingOnSpsc() throws Exception
    {
        assertAllocatesNothing(alternating(ringPool(), new SpscPipeline<>(CAPACITY), 1));
    }

    @Test
    void shouldAllocateNothingOnSpscWithASharedPool() throws Exception
    {
        assertAllocatesNothing(
            alternating(new SharedPool<>(NumberedEvent::new, CAPACITY), new SpscPipeline<>(CAPACITY), 1));
    }

    @Test
    void shouldAllocateNothingOnTheDisruptor() throws Exception
    {
        assertAllocatesNothing(alternating(ringPool(), DisruptorPipeline.single(CAPACITY), 1));
    }

    @Test
    void shouldAllocateNothingOnTheDisruptorWithThreeStages() throws Exception
    {
        assertAllocatesNothing(alternating(ringPool(), DisruptorPipeline.single(CAPACITY), 3));
    }

    @Test
    void shouldAllocateNothingOnTheDisruptorOfManyPublishers() throws Exception
    {
        assertAllocatesNothing(
            alternating(new SharedPool<>(NumberedEvent::new, CAPACITY), DisruptorPipeline.multi(CAPACITY), 3));
    }

    @Test
    void shouldAllocateNothingInline() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        final DirectPipeline<NumberedEvent> pipeline = new DirectPipeline<>();
        final Checker one = new Checker();
        final Checker two = new Checker();
        pipeline.subscribe("one").connect(one);
        pipeline.subscribe("two").connect(two);
        assertAllocatesNothing(events ->
        {
            for (int i = 0; i < events; i++)
            {
                publish(pool, pipeline);
            }
        });
        assertEquals(number, one.count);
        assertEquals(number, two.count);
    }

    @Test
    void shouldAllocateNothingWhenHandlersThrow() throws Exception
    {
        final RingPool<NumberedEvent> ring = ringPool();
        for (final EventPipeline<NumberedEvent> pipeline : List.of(
            new RingPipeline<>(ring), new SpscPipeline<NumberedEvent>(CAPACITY),
            DisruptorPipeline.<NumberedEvent>single(CAPACITY), new EvictingPipeline<NumberedEvent>(CAPACITY)))
        {
            number = 0;
            final ObjectPool<NumberedEvent> pool = pipeline instanceof RingPipeline ? ring : ringPool();
            final Checker checker = new Checker();
            checker.rejects = true;
            final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
            assertAllocatesNothing(events ->
            {
                for (int i = 0; i < events; i++)
                {
                    publish(pool, pipeline);
                    rejected(subscription, checker);
                }
            }, EVENTS);
            assertEquals(number, checker.count);
            subscription.flush();
            assertEquals(pool.capacity(), pool.available());
        }
    }

    private static void rejected(final EventSubscription<NumberedEvent> subscription, final Checker checker)
        throws Exception
    {
        try
        {
            subscription.poll(checker, BATCH);
        }
        catch (final Checker.Rejection ex)
        {
            return;
        }
        throw new AssertionError("nothing was thrown");
    }

    @Test
    void shouldAllocateNothingWhenTheQueueIsFull() throws Exception
    {
        for (final EventPipeline<NumberedEvent> pipeline : List.of(
            new SpscPipeline<NumberedEvent>(BATCH),
            DisruptorPipeline.<NumberedEvent>single(BATCH),
            DisruptorPipeline.<NumberedEvent>multi(BATCH)))
        {
            final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, CAPACITY);
            pipeline.subscribe("one");
            for (int i = 0; i < BATCH; i++)
            {
                publish(pool, pipeline);
            }
            assertAllocatesNothing(events ->
            {
                for (int i = 0; i < events; i++)
                {
                    final NumberedEvent event = pool.acquire();
                    if (pipeline.offer(event))
                    {
                        throw new AssertionError("accepted");
                    }
                    event.release();
                }
            });
            assertEquals(BATCH, pipeline.close());
            assertEquals(CAPACITY, pool.available());
        }
    }

    @Test
    void shouldAllocateNothingWhenTheRingIsExhausted() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        pipeline.subscribe("one");
        for (int i = 0; i < CAPACITY; i++)
        {
            publish(pool, pipeline);
        }
        assertAllocatesNothing(events ->
        {
            for (int i = 0; i < events; i++)
            {
                if (pool.acquire() != null)
                {
                    throw new AssertionError("acquired");
                }
            }
        });
        assertNull(pool.acquire());
        assertTrue(pool.metrics().exhausted() > EVENTS);
    }

    @Test
    void shouldAllocateNothingWhenNobodySubscribed() throws Exception
    {
        final RingPool<NumberedEvent> pool = ringPool();
        final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        assertAllocatesNothing(events ->
        {
            for (int i = 0; i < events; i++)
            {
                final NumberedEvent event = pool.acquire();
                if (pipeline.offer(event))
                {
                    throw new AssertionError("accepted");
                }
                event.release();
            }
        });
        assertEquals(CAPACITY, pool.available());
    }

    @Test
    void shouldAllocateNothingWhenEventsAreDisplaced() throws Exception
    {
        for (final EventPipeline<NumberedEvent> pipeline : List.of(
            new EvictingPipeline<NumberedEvent>(BATCH / 2),
            new ConflatingPipeline<NumberedEvent>(BATCH / 2, event -> event.number % (BATCH / 2))))
        {
            number = 0;
            final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, CAPACITY);
            final Checker checker = new Checker();
            final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
            assertAllocatesNothing(events ->
            {
                for (int done = 0; done < events; done += BATCH)
                {
                    for (int i = 0; i < BATCH; i++)
                    {
                        publish(pool, pipeline);
                    }
                    subscription.poll(checker, CAPACITY);
                }
            });
            assertEquals(number / 2, checker.count);
            assertEquals(number / 2, pipeline.displaced());
            assertEquals(CAPACITY, pool.available());
        }
    }

    @Test
    void shouldAllocateNothingOnEitherOfTwoThreads() throws Exception
    {
        final RingPool<NumberedEvent> ring = ringPool();
        betweenTwoThreads(ring, new RingPipeline<>(ring));
        betweenTwoThreads(new SharedPool<>(NumberedEvent::new, CAPACITY), new SpscPipeline<>(CAPACITY / 2));
        betweenTwoThreads(ringPool(), DisruptorPipeline.single(CAPACITY / 2));
    }

    /** What two threads tell each other, so that each has been through all of its paths before it counts. */
    private static final class WarmUp
    {
        volatile boolean wasFull;
        volatile boolean wasEmpty;
    }

    private void betweenTwoThreads(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
        throws Exception
    {
        number = 0;
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
        final Checker checker = new Checker();
        final Crew crew = new Crew();
        final WarmUp warmUp = new WarmUp();
        final long[] allocated = new long[2];
        crew.start("publisher", () ->
        {
            final IdleStrategy idle = Crew.idle();
            publishMany(crew, pool, pipeline, idle, warmUp, WARM_UP_OF_TWO);
            while (!warmUp.wasEmpty && crew.goesOn())
            {
                idle.idle();
            }
            THREADS.getCurrentThreadAllocatedBytes();
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            publishMany(crew, pool, pipeline, idle, warmUp, EVENTS);
            allocated[0] = THREADS.getCurrentThreadAllocatedBytes() - before;
        });
        crew.start("consumer", () ->
        {
            final IdleStrategy idle = Crew.idle();
            while (!warmUp.wasFull && crew.goesOn())
            {
                idle.idle();
            }
            consumeUntil(crew, subscription, checker, idle, WARM_UP_OF_TWO);
            for (int i = 0; i < 1_000; i++)
            {
                idle.idle(subscription.poll(checker, CAPACITY));
            }
            THREADS.getCurrentThreadAllocatedBytes();
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            warmUp.wasEmpty = true;
            consumeUntil(crew, subscription, checker, idle, WARM_UP_OF_TWO + EVENTS);
            allocated[1] = THREADS.getCurrentThreadAllocatedBytes() - before;
        });
        crew.join();
        assertEquals(0, allocated[0], "bytes allocated by the publisher of " + pipeline.describe());
        assertEquals(0, allocated[1], "bytes allocated by the consumer of " + pipeline.describe());
        assertEquals(WARM_UP_OF_TWO + EVENTS, checker.count);
        assertEquals(pool.capacity(), pool.available());
        assertEquals(0, pipeline.close());
    }

    private void publishMany(
        final Crew crew,
        final ObjectPool<NumberedEvent> pool,
        final EventPipeline<NumberedEvent> pipeline,
        final IdleStrategy idle,
        final WarmUp warmUp,
        final int events)
    {
        final long end = number + events;
        int refused = 0;
        while (number < end && crew.goesOn())
        {
            final NumberedEvent event = pool.acquire();
            if (event != null && pipeline.offer(event.fill(number)))
            {
                number++;
                idle.reset();
            }
            else
            {
                if (event != null)
                {
                    event.release();
                }
                refused++;
                warmUp.wasFull |= refused == 100;
                idle.idle();
            }
        }
    }

    private static void consumeUntil(
        final Crew crew,
        final EventSubscription<NumberedEvent> subscription,
        final Checker checker,
        final IdleStrategy idle,
        final long end) throws Exception
    {
        while (checker.count < end && crew.goesOn())
        {
            idle.idle(subscription.poll(checker, CAPACITY));
        }
        subscription.flush();
    }
}
