package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P15: 0 bytes allocated by a publishing and by a consuming thread, over 1,000,000 events after warm-up, or as many as
 * {@code -Dallocation.events} says.
 */
@Tag("normal")
@Tag("allocation")
final class TwoThreadsAllocationTest
{
    private static final int EVENTS = Integer.getInteger("allocation.events", 1_000_000);
    /** Two threads interact in several ways. The first use of each way links its calls, which allocates. */
    private static final int WARM_UP = 2_000_000;
    private static final int MAX_RUNS = 6;
    /** More than the JVM allocated in any of the observed runs, 3,350 bytes in all: a run with more fails at once. */
    private static final long MAX_JVM_BYTES = 4_096;
    private static final int CAPACITY = 1_024;

    /** Signals between the two threads, so that each has used all of its paths before the count starts. */
    private static final class WarmUp
    {
        volatile boolean wasFull;
        volatile boolean wasEmpty;
    }

    private long number;

    @Test
    void shouldAllocateNothingOnEitherOfTwoThreads() throws Exception
    {
        betweenTwoThreads(TwoThreadsAllocationTest::ringPool, RingPipeline::new);
        betweenTwoThreads(() -> new SharedPool<>(NumberedEvent::new, CAPACITY),
            pool -> new SpscPipeline<>(CAPACITY / 2));
        betweenTwoThreads(TwoThreadsAllocationTest::ringPool, pool -> DisruptorPipeline.single(CAPACITY / 2));
    }

    private static RingPool<NumberedEvent> ringPool()
    {
        return new RingPool<>(NumberedEvent::new, CAPACITY);
    }

    private <P extends ObjectPool<NumberedEvent>> void betweenTwoThreads(
        final Supplier<P> pools, final Function<P, EventPipeline<NumberedEvent>> pipelines) throws Exception
    {
        AllocationWindows.assertNoBytes("publisher and consumer", MAX_RUNS, () ->
        {
            final P pool = pools.get();
            final long[] allocated = allocated(pool, pipelines.apply(pool));
            final long bytes = allocated[0] + allocated[1];
            assertTrue(bytes <= MAX_JVM_BYTES, () -> pool.name() + " " + Arrays.toString(allocated));
            return bytes;
        });
    }

    private long[] allocated(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
        throws Exception
    {
        number = 0;
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
        final OrderChecker checker = new OrderChecker();
        final TestThreads workers = new TestThreads();
        final WarmUp warmUp = new WarmUp();
        final long[] allocated = new long[2];
        workers.start("publisher", () ->
        {
            final IdleStrategy idle = PipelineFixture.idle();
            publishMany(workers, pool, pipeline, idle, warmUp, WARM_UP);
            while (!warmUp.wasEmpty && workers.isRunning())
            {
                idle.idle();
            }
            allocated[0] = AllocationWindows.allocatedBytes(
                () -> publishMany(workers, pool, pipeline, idle, warmUp, EVENTS));
        });
        workers.start("consumer", () ->
        {
            final IdleStrategy idle = PipelineFixture.idle();
            while (!warmUp.wasFull && workers.isRunning())
            {
                idle.idle();
            }
            consumeUntil(workers, subscription, checker, idle, WARM_UP);
            for (int i = 0; i < 1_000; i++)
            {
                idle.idle(subscription.poll(checker, CAPACITY));
            }
            allocated[1] = AllocationWindows.allocatedBytes(() ->
            {
                warmUp.wasEmpty = true;
                consumeUntil(workers, subscription, checker, idle, WARM_UP + EVENTS);
            });
        });
        workers.join();
        assertEquals(WARM_UP + EVENTS, checker.count);
        assertEquals(pool.capacity(), pool.available());
        assertEquals(0, pipeline.close());
        return allocated;
    }

    private void publishMany(
        final TestThreads workers,
        final ObjectPool<NumberedEvent> pool,
        final EventPipeline<NumberedEvent> pipeline,
        final IdleStrategy idle,
        final WarmUp warmUp,
        final int events)
    {
        final long end = number + events;
        int refused = 0;
        while (number < end && workers.isRunning())
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
        final TestThreads workers,
        final EventSubscription<NumberedEvent> subscription,
        final OrderChecker checker,
        final IdleStrategy idle,
        final long end) throws Exception
    {
        while (checker.count < end && workers.isRunning())
        {
            idle.idle(subscription.poll(checker, CAPACITY));
        }
        subscription.flush();
    }
}
