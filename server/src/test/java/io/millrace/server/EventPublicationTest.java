package io.millrace.server;

import io.millrace.pool.SharedPool;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.SpscPipeline;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The publishing end without a server. */
class EventPublicationTest
{
    private final SharedPool<Tick> pool = new SharedPool<>(Tick::new, 4);
    private final SpscPipeline<Tick> pipeline = new SpscPipeline<>(2);
    private final EventSubscription<Tick> stage = pipeline.subscribe("a");
    private final EventPublication<Tick> publication =
        new EventPublication<>(pool, pipeline, BackPressure.BLOCK, null);
    private int publishedLate;

    private boolean pollOne()
    {
        try
        {
            return stage.poll(Tick.IGNORED, 1) == 1;
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** The closing thread may have counted what is in the pipeline before this event came. */
    @Test
    void shouldReportAnEventThatItPublishesAfterAWaitDuringWhichItIsClosed()
    {
        publication.onPublishedLate(() -> publishedLate++);
        assertTrue(publication.offer(publication.claim()));
        assertTrue(publication.offer(publication.claim()));
        assertEquals(0, publishedLate);
        publication.waitIsFutile(() ->
        {
            assertTrue(pollOne());
            publication.close();
            return false;
        });
        assertTrue(publication.offer(publication.claim()));
        assertEquals(1, publishedLate);
        assertEquals(1, publication.blocked());
        assertTrue(pollOne());
        assertTrue(pollOne());
        assertFalse(pollOne());
        assertEquals(4, pool.available());
    }
}
