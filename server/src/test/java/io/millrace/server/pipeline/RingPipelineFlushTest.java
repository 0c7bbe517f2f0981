package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The stage's next poll announces a position that a thread has requested; without a request it does not.
 */
final class RingPipelineFlushTest
{
    private static final int CAPACITY = 1_024;
    private static final int EIGHTH = CAPACITY / 8;
    private static final int ALL = Integer.MAX_VALUE;

    private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
    private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
    private long number;

    private RecordingStage stage(final String name, final EventSubscription<?>... after)
    {
        return new RecordingStage(pipeline.subscribe(name, after));
    }

    private void publish(final int events)
    {
        for (int i = 0; i < events; i++)
        {
            assertTrue(pipeline.offer(pool.acquire().fill(number)));
            number++;
        }
    }

    /** The announced position, without a request for a newer one. */
    private static long announced(final RecordingStage stage)
    {
        return ((RingSubscription<?>)stage.subscription).positionAcquire();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, EIGHTH - 1, EIGHTH, EIGHTH + 1, CAPACITY - 1, CAPACITY})
    void shouldFreeAnEmptyRingCompletelyAfterOneMorePoll(final int events) throws Exception
    {
        final RecordingStage stage = stage("stage");
        for (int lap = 0; lap < 20; lap++)
        {
            publish(events);
            for (int done = 0; done < events;)
            {
                done += stage.poll(100);
            }
            if (pool.claim(CAPACITY) < 0)
            {
                assertEquals(0, stage.poll(100));
                assertTrue(pool.claim(CAPACITY) >= 0, "the stage did not answer");
            }
            giveBack();
            stage.poll();
        }
    }

    private void giveBack()
    {
        for (long sequence = pool.claimedPosition() - CAPACITY; sequence < pool.claimedPosition(); sequence++)
        {
            pool.event(sequence).release();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 11, ALL})
    void shouldAnswerAtTheEndOfAPollThatDelivered(final int limit) throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(10);
        assertEquals(-1, pool.claim(CAPACITY));
        assertEquals(10, stage.poll(limit));
        assertTrue(pool.claim(CAPACITY) >= 0);
        giveBack();
    }

    @Test
    void shouldReportCapacityAfterOneMorePoll() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(EIGHTH - 1);
        stage.poll();
        assertFalse(pool.hasCapacity(CAPACITY));
        stage.poll();
        assertTrue(pool.hasCapacity(CAPACITY));
    }

    @Test
    void shouldHaveAnAnswerOfEachTerminalStage() throws Exception
    {
        final RecordingStage journal = stage("journal");
        final RecordingStage match = stage("match", journal.subscription);
        final RecordingStage report = stage("report", match.subscription);
        final RecordingStage audit = stage("audit");
        publish(50);
        for (final RecordingStage stage : new RecordingStage[] {journal, match, report, audit})
        {
            assertEquals(50, stage.poll());
        }
        assertEquals(-1, pool.claim(CAPACITY));
        assertEquals(0, audit.poll());
        assertEquals(-1, pool.claim(CAPACITY));
        assertEquals(0, report.poll());
        assertTrue(pool.claim(CAPACITY) >= 0);
        giveBack();
    }

    @Test
    void shouldFreeAFullRingWithinABoundedNumberOfClaimsAlsoBelowAnEighth() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(CAPACITY);
        assertEquals(1, stage.poll(1));
        int claims = 1;
        while (pool.acquire() == null)
        {
            claims++;
            if (claims % 1_000 == 0)
            {
                // Slow, and never without events.
                stage.poll(1);
            }
            assertTrue(claims < 70_000, "refused for ever");
        }
        assertTrue(stage.numbers.size() < EIGHTH, "an eighth alone would free it");
    }

    @Test
    void shouldAnnounceNoPositionWithoutARequest() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(EIGHTH - 1);
        stage.poll();
        for (int i = 0; i < 1_000; i++)
        {
            assertEquals(0, stage.poll());
        }
        assertEquals(0, announced(stage));
        publish(1);
        stage.poll();
        assertEquals(EIGHTH, announced(stage));
    }

    @Test
    void shouldBeQueriedOnceForEachAnswer() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(10);
        assertFalse(pool.hasCapacity(CAPACITY));
        stage.poll();
        assertEquals(10, announced(stage));
        publish(10);
        stage.poll();
        stage.poll();
        assertEquals(10, announced(stage));
    }

    @Test
    void shouldAnswerAReport() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(10);
        stage.poll();
        assertEquals(CAPACITY - 10, pool.available());
        stage.poll();
        assertEquals(CAPACITY, pool.available());
        publish(10);
        stage.poll();
        assertEquals(10, stage.subscription.position());
        stage.poll();
        assertEquals(20, stage.subscription.position());
    }

    @Test
    void shouldAnswerAfterAHandlerFailed() throws Exception
    {
        final RecordingStage stage = stage("stage").failOn(9, new IllegalStateException("planned"));
        publish(10);
        assertEquals(-1, pool.claim(CAPACITY));
        try
        {
            stage.poll();
        }
        catch (final IllegalStateException ex)
        {
            assertEquals("planned", ex.getMessage());
        }
        assertTrue(pool.claim(CAPACITY) >= 0);
        giveBack();
    }

    @Test
    void shouldNotAnswerForEventsBeyondTheStage() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(CAPACITY);
        assertEquals(-1, pool.claim(EIGHTH * 7 + 1));
        stage.poll(EIGHTH - 1);
        for (int i = 0; i < 140_000; i++)
        {
            assertEquals(-1, pool.claim(EIGHTH));
        }
        stage.poll(0);
        assertNull(EIGHTH > 1 && pool.hasCapacity(EIGHTH) ? pool : null);
        assertTrue(pool.hasCapacity(EIGHTH - 1));
    }
}
