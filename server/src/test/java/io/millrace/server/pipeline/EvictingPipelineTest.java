package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * The suite for DROP_OLDEST, and its special behaviour.
 */
final class EvictingPipelineTest extends OneStagePipelineSuite
{
    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, 2 * CAPACITY);
        pipeline = new EvictingPipeline<>(CAPACITY);
    }

    @Override
    EventPipeline<NumberedEvent> ofCapacity(final int capacity)
    {
        return new EvictingPipeline<>(capacity);
    }

    @Test
    void shouldEvictTheOldestWhenFull() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(CAPACITY + 3);
        assertEquals(3, pipeline.displaced());
        assertEquals(CAPACITY + 3, pipeline.publishedPosition());
        assertEquals(pool.capacity() - CAPACITY, pool.available());
        assertEquals(CAPACITY, stage.poll());
        assertEquals(numbers(3, CAPACITY + 2), stage.numbers);
        assertEquals(stage.numbers, stage.sequences);
        assertEquals(List.of(CAPACITY + 2L), stage.ends);
        assertBalance();
    }

    @Test
    void shouldAcceptEventsForeverWithoutAPoll()
    {
        stage("stage");
        publish(100 * CAPACITY);
        assertEquals(99 * CAPACITY, pipeline.displaced());
        assertEquals(CAPACITY, pipeline.close());
    }

    @Test
    void shouldNotEvictTheEventInHandling() throws Exception
    {
        final RecordingStage stage = stage("stage");
        stage.doing(event ->
        {
            if (event.number == 0)
            {
                publish(3 * CAPACITY);
                event.requireWhole(0);
            }
        });
        publish(2);
        assertEquals(CAPACITY + 1, stage.drain());
        assertEquals(0, stage.numbers.get(0));
        assertEquals(numbers(3 * CAPACITY + 2 - CAPACITY, 3 * CAPACITY + 1), stage.numbers.subList(1, CAPACITY + 1));
        assertEquals(2 * CAPACITY + 1, pipeline.displaced());
    }

    @Test
    void shouldCountEveryEventOnce() throws Exception
    {
        final RecordingStage stage = stage("stage");
        for (int i = 0; i < 20; i++)
        {
            publish(5);
            stage.poll(i % 4);
        }
        publish(1);
        stage.failOn(98, new IllegalStateException("planned"));
        assertThrows(IllegalStateException.class, stage::poll);
        final long delivered = stage.numbers.size();
        assertEquals(101 - delivered - pipeline.displaced(), pipeline.close());
    }

    @Test
    void shouldKeepOnlyTheNewestWithOneSlot() throws Exception
    {
        pipeline = new EvictingPipeline<>(1);
        final RecordingStage stage = stage("stage");
        publish(3);
        assertEquals(1, stage.poll());
        publish(1);
        publish(1);
        assertEquals(1, stage.poll());
        assertEquals(List.of(2L, 4L), stage.numbers);
        assertEquals(3, pipeline.displaced());
    }
}
