package io.millrace.server;

import io.millrace.pool.testkit.FieldLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An object that is used for each event shares no cache line with its neighbours in the heap.
 */
@Tag("normal")
class PaddingTest
{
    @ParameterizedTest
    @ValueSource(strings = {"InVmSource", "EventPublication", "GuardedHandler", "StageWork", "Feed", "FeedSubscription",
        "agent.GatheringIdleStrategy", "pipeline.RingPipeline", "pipeline.SharedRingPipeline",
        "pipeline.RingFirstSubscription", "pipeline.RingLaterSubscription", "pipeline.DirectPipeline"})
    void shouldKeepItsFieldsAwayFromItsNeighbours(final String name) throws ClassNotFoundException
    {
        new FieldLayout(Class.forName("io.millrace.server." + name)).assertAlone();
    }
}
