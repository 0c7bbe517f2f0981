package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The suite for CONFLATE, and its special behaviour.
 */
final class ConflatingPipelineTest extends OneStagePipelineSuite
{
    private static final int KEYS = 64;

    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, KEYS + CAPACITY);
        pipeline = new ConflatingPipeline<>(KEYS, event -> event.number % KEYS);
    }

    @Override
    EventPipeline<NumberedEvent> ofCapacity(final int capacity)
    {
        return new ConflatingPipeline<>(capacity, event -> event.number);
    }

    private void offer(final long number)
    {
        assertTrue(pipeline.offer(acquire(number)));
    }

    @Test
    void shouldDeliverTheNewestOfEachKeyInTheOrderInWhichTheKeysChanged() throws Exception
    {
        final RecordingStage stage = stage("stage");
        offer(5);
        offer(3);
        offer(5 + KEYS);
        offer(9);
        offer(3 + KEYS);
        offer(5 + 2 * KEYS);
        assertEquals(3, pipeline.displaced());
        assertEquals(pool.capacity() - 3, pool.available());
        assertEquals(3, stage.poll());
        assertEquals(List.of(5L + 2 * KEYS, 3L + KEYS, 9L), stage.numbers);
        assertEquals(List.of(0L, 1L, 2L), stage.sequences);
        assertEquals(List.of(9L), stage.ends);
    }

    @Test
    void shouldDeliverAKeyAgainThatChangedWhileHandled() throws Exception
    {
        final RecordingStage stage = stage("stage");
        stage.doing(event ->
        {
            if (event.number == 7)
            {
                offer(7 + KEYS);
                offer(7 + 2 * KEYS);
                event.requireWhole(7);
            }
        });
        offer(7);
        assertEquals(1, stage.poll());
        assertEquals(1, stage.poll());
        assertEquals(List.of(7L, 7L + 2 * KEYS), stage.numbers);
        assertEquals(1, pipeline.displaced());
    }

    @Test
    void shouldAcceptAllKeysAndNoMore() throws Exception
    {
        pipeline = new ConflatingPipeline<>(4, event -> event.number);
        final RecordingStage stage = stage("stage");
        for (int lap = 0; lap < 3; lap++)
        {
            for (final long key : new long[]{Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
            {
                offer(key);
            }
            final NumberedEvent event = acquire(1);
            assertFalse(pipeline.offer(event));
            event.requireWhole(1);
            event.release();
        }
        assertEquals(8, pipeline.displaced());
        assertEquals(4, stage.drain());
        assertEquals(List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE), stage.numbers);
        offer(-1);
        assertEquals(1, stage.drain());
    }

    /** An offer that throws releases the reference of its caller, and no other one. */
    @Test
    void shouldReleaseTheOffersReferenceOnlyIfTheKeyCannotBeFound() throws Exception
    {
        final boolean[] fails = {true};
        final ConflatingPipeline<NumberedEvent> conflating = new ConflatingPipeline<>(4, event ->
        {
            if (fails[0])
            {
                throw new IllegalStateException("no key");
            }
            return 0;
        });
        pipeline = conflating;
        final RecordingStage stage = stage("stage");
        final NumberedEvent first = acquire(1);
        assertThrows(IllegalStateException.class, () -> pipeline.offer(first));
        assertEquals(pool.capacity(), pool.available());
        fails[0] = false;
        final NumberedEvent second = acquire(2);
        assertTrue(pipeline.offer(second));
        fails[0] = true;
        assertThrows(IllegalStateException.class, () -> pipeline.offer(second), "published twice");
        assertEquals(pool.capacity() - 1, pool.available());
        assertEquals(2, conflating.keyErrors());
        assertEquals(1, stage.poll());
        assertEquals(List.of(2L), stage.numbers);
        assertEquals(pool.capacity(), pool.available());
    }

    @Test
    void shouldWorkWithOneKey() throws Exception
    {
        pipeline = new ConflatingPipeline<>(1, event -> 0);
        final RecordingStage stage = stage("stage").doing(event -> publish(event.number < 10 ? 2 : 0));
        publish(1);
        stage.drain();
        assertEquals(List.of(0L, 2L, 4L, 6L, 8L, 10L), stage.numbers);
        assertEquals(5, pipeline.displaced());
    }

    @Test
    void shouldContinueAfterAKeyOnWhichItsHandlerFailed() throws Exception
    {
        final RecordingStage stage = stage("stage").failOn(1, new IllegalStateException("planned"));
        publish(3);
        offer(KEYS + 2);
        assertThrows(IllegalStateException.class, stage::poll);
        assertEquals(1, stage.poll());
        assertEquals(List.of(0L, 1L, 2L + KEYS), stage.numbers);
        offer(1);
        stage.failOn(0, null);
        assertEquals(1, stage.poll());
    }

    @Test
    void shouldRefuseMoreKeysThanSlotsInItsRingOfChanges()
    {
        final int keys = 2 * ConflatingPipeline.MAX_KEYS;
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> ofCapacity(keys));
        assertEquals("maxKeys 67108864 is not in 1..33554432", thrown.getMessage());
    }
}
