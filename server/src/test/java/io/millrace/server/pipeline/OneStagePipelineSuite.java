package io.millrace.server.pipeline;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Guarantees of the pipelines that have one stage.
 */
abstract class OneStagePipelineSuite extends PolledPipelineSuite
{
    @Test
    void shouldRefuseASecondStageNamingBoth() throws Exception
    {
        final RecordingStage stage = stage("first");
        final IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> pipeline.subscribe("second"));
        assertTrue(thrown.getMessage().contains("'first'"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("'second'"), thrown.getMessage());
        assertThrows(IllegalStateException.class, () -> pipeline.subscribe("second", stage.subscription));
        publish(1);
        assertEquals(1, stage.poll());
    }

    abstract EventPipeline<NumberedEvent> ofCapacity(int capacity);

    @Test
    void shouldRefuseCapacitiesOutOfRangeNamingValueAndRange()
    {
        for (final int capacity : new int[]{Integer.MIN_VALUE, -1, 0, 3, 6, 1 << 27, Integer.MAX_VALUE})
        {
            final IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> ofCapacity(capacity));
            assertTrue(thrown.getMessage().contains(" " + capacity + " "), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("1.."), thrown.getMessage());
        }
        assertEquals(1, ofCapacity(1).capacity());
        assertEquals(64, ofCapacity(64).capacity());
    }
}
