package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** In checked mode a stage that leaves has references to events that a stage before it still handles. */
@Tag("checked")
class LeavingStageTest
{
    private static final int CAPACITY = 8;

    private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
    private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
    private final EventSubscription<NumberedEvent> first = pipeline.subscribe("first");
    private final EventSubscription<NumberedEvent> leaving = pipeline.subscribe("leaving", first);

    private void offer(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            pipeline.offer(pool.acquire());
        }
    }

    private static void ignore(final NumberedEvent event, final long sequence, final boolean endOfBatch)
    {
    }

    /** A retain needs a reference that is not released. */
    private static void use(final NumberedEvent event, final long sequence, final boolean endOfBatch)
    {
        event.retain(1);
        event.release();
    }

    @Test
    void shouldKeepThemUntilTheStageBeforeHasPassedThem() throws Exception
    {
        offer(CAPACITY - 1);
        assertEquals(3, first.poll(LeavingStageTest::ignore, 3));
        assertEquals(1, leaving.poll(LeavingStageTest::ignore, 1));
        assertEquals(CAPACITY - 2, pipeline.unsubscribe(leaving));
        assertEquals(CAPACITY - 4, first.poll(LeavingStageTest::use, CAPACITY));
        first.flush();
        // All are free again, and the stage is the last one now.
        offer(CAPACITY);
        assertEquals(CAPACITY, first.poll(LeavingStageTest::use, CAPACITY));
        first.flush();
        assertEquals(CAPACITY, pool.available());
        assertEquals("", pool.describeInFlight());
    }

    @Test
    void shouldReleaseThemAtTheClose() throws Exception
    {
        offer(CAPACITY - 1);
        assertEquals(3, first.poll(LeavingStageTest::ignore, 3));
        pipeline.unsubscribe(leaving);
        pipeline.close();
        assertEquals(CAPACITY, pool.available());
        assertEquals("", pool.describeInFlight());
    }
}
