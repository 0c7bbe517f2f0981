package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.SharedPool;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A displaced event throws at its release: the newer event is still in the pipeline, and nowhere else.
 */
class DisplacedEventTest
{
    private static final int EVENTS = 8;

    private final SharedPool<HookedEvent> pool = new SharedPool<>(HookedEvent::new, EVENTS);
    private final List<Long> seen = new ArrayList<>();

    @Test
    void shouldAcceptTheEventThatEvictsTheOldest() throws Exception
    {
        assertAccepted(new EvictingPipeline<>(1));
    }

    @Test
    void shouldAcceptTheEventThatIsTheNewestOfItsKey() throws Exception
    {
        assertAccepted(new ConflatingPipeline<>(4, event -> 0));
    }

    private void assertAccepted(final EventPipeline<HookedEvent> pipeline) throws Exception
    {
        final EventSubscription<HookedEvent> stage = pipeline.subscribe("stage");
        assertTrue(pipeline.offer(event(0, true)));
        final HookedEvent next = event(1, false);
        assertEquals("planned", assertThrows(IllegalStateException.class, () -> pipeline.offer(next)).getMessage());
        assertEquals(1, pipeline.displaced());
        assertEquals(2, pipeline.publishedPosition() + (pipeline instanceof ConflatingPipeline ? 1 : 0));
        assertEquals(EVENTS - 1, pool.available());
        assertEquals(1, stage.poll((event, sequence, endOfBatch) -> seen.add(event.number), EVENTS));
        assertEquals(List.of(1L), seen);
        assertEquals(EVENTS, pool.available());
        assertTrue(pipeline.offer(event(2, false)));
        assertTrue(pipeline.offer(event(3, false)));
        assertEquals(1, stage.poll((event, sequence, endOfBatch) -> seen.add(event.number), EVENTS));
        assertEquals(List.of(1L, 3L), seen);
        assertEquals(0, pool.metrics().doubleReleases());
    }

    private HookedEvent event(final long number, final boolean throwsOnRelease)
    {
        final HookedEvent event = pool.acquire();
        event.number = number;
        event.throwsOnRelease = throwsOnRelease;
        return event;
    }

    private static final class HookedEvent extends BasePoolAware
    {
        private long number;
        private boolean throwsOnRelease;

        @Override
        protected void onRelease()
        {
            if (throwsOnRelease)
            {
                throwsOnRelease = false;
                throw new IllegalStateException("planned");
            }
        }
    }
}
