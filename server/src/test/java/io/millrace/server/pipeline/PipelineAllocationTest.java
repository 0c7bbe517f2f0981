package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P15: 0 bytes allocated by every thread that touches events, over 1,000,000 events after warm-up, or as many as
 * {@code -Dallocation.events} says. Also where the queue is full, the pool is exhausted, the handler throws, and where
 * events are displaced.
 */
@Tag("normal")
@Tag("allocation")
final class PipelineAllocationTest
{
    private static final int EVENTS = Integer.getInteger("allocation.events", 1_000_000);
    /** Enough for the compilers to have seen every branch. */
    private static final int WARM_UP = 200_000;
    private static final int MAX_WINDOWS = 6;
    private static final int CAPACITY = 1_024;
    private static final int BATCH = 64;

    /** Passes a number of events through the parts under test. */
    private interface Path
    {
        void pass(int events) throws Exception;
    }

    private long number;

    private static void assertAllocatesNothing(final Path path) throws Exception
    {
        path.pass(WARM_UP);
        AllocationWindows.assertNothing(EVENTS + " events", MAX_WINDOWS, () -> path.pass(EVENTS));
    }

    /** One thread publishes a batch, then polls every stage, and so on. */
    private Path alternating(
        final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline, final int stages)
    {
        final OrderChecker[] checkers = new OrderChecker[stages];
        final List<EventSubscription<NumberedEvent>> list = new ArrayList<>();
        for (int i = 0; i < stages; i++)
        {
            checkers[i] = new OrderChecker();
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
        final OrderChecker checker = new OrderChecker();
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
        final OrderChecker one = new OrderChecker();
        final OrderChecker two = new OrderChecker();
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
            final OrderChecker checker = new OrderChecker();
            checker.rejects = true;
            final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
            assertAllocatesNothing(events ->
            {
                for (int i = 0; i < events; i++)
                {
                    publish(pool, pipeline);
                    rejected(subscription, checker);
                }
            });
            assertEquals(number, checker.count);
            subscription.flush();
            assertEquals(pool.capacity(), pool.available());
        }
    }

    private static void rejected(final EventSubscription<NumberedEvent> subscription, final OrderChecker checker)
        throws Exception
    {
        try
        {
            subscription.poll(checker, BATCH);
        }
        catch (final OrderChecker.Rejection ex)
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
    void shouldAllocateNothingWithoutSubscribers() throws Exception
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
            final OrderChecker checker = new OrderChecker();
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
}
