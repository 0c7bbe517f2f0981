package io.millrace.server.pipeline;

import io.millrace.pool.SharedRingPool;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A stage that announces a revocation, and then leaves. */
class ClaimWatchTest
{
    @Test
    void shouldEndTheAnnouncementOfAStageThatLeaves() throws Exception
    {
        final SharedRingPool<NumberedEvent> pool = new SharedRingPool<>(NumberedEvent::new, 8);
        final SharedRingPipeline<NumberedEvent> pipeline =
            new SharedRingPipeline<>(pool, SharedRingPipeline.MIN_CLAIM_TIMEOUT_NS);
        final EventSubscription<NumberedEvent> leaving = pipeline.subscribe("leaving");
        final EventSubscription<NumberedEvent> staying = pipeline.subscribe("staying");
        final NumberedEvent event = pool.acquire();
        while (!pool.isRevocationAnnounced())
        {
            leaving.poll((each, sequence, endOfBatch) -> assertEquals(0, sequence), 8);
        }
        pipeline.unsubscribe(leaving);
        assertFalse(pool.isRevocationAnnounced());
        assertTrue(pipeline.offer(event));
        assertEquals(1, staying.poll((each, sequence, endOfBatch) -> assertEquals(0, sequence), 8));
    }
}
