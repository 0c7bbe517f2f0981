package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.BackPressure;
import io.millrace.server.EventPublication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes allocated when a position is requested, and when a publisher would wait for itself.
 */
@Tag("normal")
final class SlowPathAllocationTest
{
    private static final int ROUNDS = 1_000_000;
    private static final int MAX_WINDOWS = 6;
    private static final int CAPACITY = 1_024;

    private interface Round
    {
        void run() throws Exception;
    }

    private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
    private long number;
    private long seen;

    private static void assertAllocatesNothing(final Round round) throws Exception
    {
        runMany(round);
        AllocationWindows.assertNothing(ROUNDS + " rounds", MAX_WINDOWS, () -> runMany(round));
    }

    private static void runMany(final Round round) throws Exception
    {
        for (int i = 0; i < ROUNDS; i++)
        {
            round.run();
        }
    }

    private void publish(final EventPipeline<NumberedEvent> pipeline)
    {
        pipeline.offer(pool.acquire().fill(number));
        number++;
    }

    private static void require(final boolean condition)
    {
        if (!condition)
        {
            throw new AssertionError("not as planned");
        }
    }

    @Test
    void shouldAllocateNothingWhenAPositionIsRequested() throws Exception
    {
        final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("stage");
        final EventHandler<NumberedEvent> handler = (event, sequence, end) -> seen = event.number;
        assertAllocatesNothing(() ->
        {
            publish(pipeline);
            require(pool.claim(CAPACITY) < 0);
            require(subscription.poll(handler, 1) == 1 && pool.hasCapacity(CAPACITY));
            publish(pipeline);
            subscription.poll(handler, 1);
            require(subscription.position() == number - 1 && pool.available() == CAPACITY - 1);
            require(subscription.poll(handler, 1) == 0 && subscription.position() == number);
        });
        assertEquals(number - 1, seen);
        assertTrue(pool.metrics().exhausted() > ROUNDS);
    }

    @Test
    void shouldAllocateNothingWhenAPublisherWouldWaitForItself() throws Exception
    {
        refuse(new RingPipeline<>(pool), pool);
        final RingPool<NumberedEvent> unbound = new RingPool<>(NumberedEvent::new, CAPACITY);
        refuse(new SpscPipeline<>(CAPACITY), unbound);
    }

    private static void refuse(final EventPipeline<NumberedEvent> pipeline, final ObjectPool<NumberedEvent> pool)
        throws Exception
    {
        pipeline.subscribe("stage");
        final EventPublication<NumberedEvent> out =
            new EventPublication<>(pool, pipeline, BackPressure.BLOCK, NumberedEvent::new);
        require(out.claim() != null);
        assertAllocatesNothing(() -> require(!out.awaitCapacity(CAPACITY)));
        for (int i = 1; i < CAPACITY; i++)
        {
            require(out.claim() != null);
        }
        assertAllocatesNothing(() -> require(out.claim() == null));
        assertEquals(0, out.blocked());
    }
}
