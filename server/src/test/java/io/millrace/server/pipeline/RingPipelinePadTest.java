package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.RingPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Behaviour of the ring alone: events acquired and never published (PADs), batches, and a position that is announced in
 * intervals.
 */
final class RingPipelinePadTest
{
    private static final int CAPACITY = 16;

    private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
    private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);

    @AfterEach
    void everyEventIsBack()
    {
        pipeline.close();
        assertEquals(CAPACITY, pool.available(), pool::describeInFlight);
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }

    private RecordingStage stage(final String name, final RecordingStage... after)
    {
        final EventSubscription<?>[] before = new EventSubscription<?>[after.length];
        for (int i = 0; i < before.length; i++)
        {
            before[i] = after[i].subscription;
        }
        return new RecordingStage(pipeline.subscribe(name, before));
    }

    private NumberedEvent acquire(final long number)
    {
        return pool.acquire().fill(number);
    }

    private void publish(final long number)
    {
        assertTrue(pipeline.offer(acquire(number)));
    }

    @Test
    void shouldSkipAnEventThatWasOvertaken() throws Exception
    {
        final RecordingStage first = stage("first");
        final RecordingStage later = stage("later", first);
        publish(0);
        final NumberedEvent forgotten = acquire(-5);
        publish(2);
        assertEquals(1, first.poll());
        assertEquals(1, first.poll());
        assertEquals(0, first.poll());
        assertEquals(1, later.poll());
        assertEquals(1, later.poll());
        assertEquals(0, later.poll());
        assertEquals(List.of(0L, 2L), later.numbers);
        assertEquals(List.of(0L, 2L), later.sequences);
        assertEquals(first.numbers, first.ends);
        assertEquals(later.numbers, later.ends);
        assertEquals(1, pool.metrics().abandoned());
        assertThrows(IllegalStateException.class, () -> refused(forgotten));
        later.drain();
        assertEquals(CAPACITY, pool.available());
    }

    /** Checked mode first reports that the event has no user, normal mode that the ring refuses it. */
    private void refused(final NumberedEvent event)
    {
        try
        {
            pipeline.offer(event);
        }
        catch (final IllegalArgumentException ex)
        {
            assertFalse(PoolCheck.ENABLED);
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldSkipAReleasedEvent() throws Exception
    {
        final RecordingStage first = stage("first");
        final RecordingStage later = stage("later", first);
        publish(0);
        acquire(-5).release();
        acquire(-6).release();
        assertEquals(1, first.poll());
        assertEquals(0, first.poll());
        assertEquals(1, later.poll());
        assertEquals(0, later.poll());
        later.subscription.flush();
        assertEquals(3, later.subscription.position());
        assertEquals(CAPACITY, pool.available());
        assertThrows(IllegalStateException.class, () -> refused(pool.event(1)));
        assertEquals(2, pool.metrics().abandoned());
    }

    @Test
    void shouldPassAWrapOfPadsOnly() throws Exception
    {
        final RecordingStage first = stage("first");
        final RecordingStage later = stage("later", first);
        for (int lap = 0; lap < 3; lap++)
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                acquire(-5).release();
            }
            assertNull(pool.acquire());
            assertEquals(0, first.drain());
            assertEquals(0, later.drain());
        }
        publish(7);
        assertEquals(1, first.drain());
        assertEquals(1, later.drain());
        assertEquals(List.of(7L), later.numbers);
    }

    @Test
    void shouldPublishOutOfAcquireOrderWithPads() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final NumberedEvent[] events = new NumberedEvent[6];
        for (int i = 0; i < events.length; i++)
        {
            events[i] = acquire(i);
        }
        assertTrue(pipeline.offer(events[1]));
        assertTrue(pipeline.offer(events[4]));
        assertEquals(0, stage.numbers.size());
        stage.drain();
        assertEquals(List.of(1L, 4L), stage.numbers);
        // The sixth is still in flight; the four before the fifth become free with it.
        assertEquals(CAPACITY - 1, pool.available());
        assertTrue(pipeline.offer(events[5]));
        stage.drain();
        assertEquals(List.of(1L, 4L, 5L), stage.numbers);
        assertEquals(3, pool.metrics().abandoned());
    }

    @Test
    void shouldRefuseAnEventInFlight() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final NumberedEvent event = acquire(0);
        assertTrue(pipeline.offer(event));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(event));
        publish(1);
        assertEquals(2, stage.drain());
        assertEquals(List.of(0L, 1L), stage.numbers);
    }

    @Test
    void shouldRefuseAnEventOfAnotherRingAndLeaveItWithItsUser() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        final RingPool<NumberedEvent> other = new RingPool<>(NumberedEvent::new, 4);
        final NumberedEvent foreign = other.acquire().fill(9);
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(foreign));
        foreign.requireWhole(9);
        foreign.release();
        assertEquals(4, other.available());
        publish(1);
        assertEquals(2, one.drain() + two.drain());
    }

    @Test
    void shouldPublishABatchAtOnce() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        for (int lap = 0; lap < 10; lap++)
        {
            final long first = pool.claim(7);
            for (long sequence = first; sequence < first + 7; sequence++)
            {
                assertEquals(0, one.poll());
                pool.event(sequence).fill(sequence);
            }
            assertTrue(pipeline.offer(first, 7));
            assertEquals(7, one.drain());
            assertEquals(7, two.drain());
        }
        assertEquals(PipelineSuite.numbers(0, 69), two.numbers);
        assertEquals(10, two.ends.size());
    }

    @Test
    void shouldPublishPartOfABatchAndSkipReleasedEvents() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        final long first = pool.claim(6);
        for (long sequence = first; sequence < first + 6; sequence++)
        {
            pool.event(sequence).fill(sequence);
        }
        pool.event(1).release();
        assertTrue(pipeline.offer(0, 3));
        assertTrue(pipeline.offer(4, 1));
        pool.event(5).release();
        for (final RecordingStage stage : List.of(one, two))
        {
            stage.poll();
            stage.drain();
            assertEquals(List.of(0L, 2L, 4L), stage.numbers);
            assertEquals(stage.numbers, stage.ends);
        }
        assertEquals(CAPACITY, pool.available());
    }

    @Test
    void shouldPublishABatchWhoseHeadWasReleased() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        final long first = pool.claim(3);
        for (long sequence = first; sequence < first + 3; sequence++)
        {
            pool.event(sequence).fill(sequence);
        }
        pool.event(first).release();
        assertTrue(pipeline.offer(first, 3));
        assertEquals(4, one.drain() + two.drain());
        assertEquals(List.of(1L, 2L), two.numbers);
    }

    @Test
    void shouldRefuseABatchThatWasNotClaimed() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        final long first = pool.claim(2);
        pool.event(first).fill(0);
        pool.event(first + 1).fill(1);
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first, 3));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first, 0));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first, -1));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first - 1, 2));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first, Integer.MAX_VALUE));
        assertTrue(pipeline.offer(first, 2));
        assertThrows(IllegalArgumentException.class, () -> pipeline.offer(first, 2));
        assertEquals(4, one.drain() + two.drain());
    }

    @Test
    void shouldLeaveABatchWithItsPublisherWithoutSubscribers()
    {
        final long first = pool.claim(3);
        assertFalse(pipeline.offer(first, 3));
        for (long sequence = first; sequence < first + 3; sequence++)
        {
            pool.event(sequence).release();
        }
    }

    @Test
    void shouldAnnounceItsPositionEveryEighthAndOnRequest() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(0);
        stage.poll();
        publish(1);
        stage.poll();
        assertEquals(2, stage.subscription.position());
        publish(2);
        stage.poll();
        // This query requests the position, the next poll answers.
        assertEquals(2, stage.subscription.position());
        assertEquals(0, stage.poll());
        assertEquals(3, stage.subscription.position());
        publish(3);
        stage.poll();
        stage.subscription.flush();
        assertEquals(4, stage.subscription.position());
    }

    @Test
    void shouldAnnounceThePositionOfAFollowedStageAtTheEndOfEachPoll() throws Exception
    {
        final RecordingStage first = stage("first");
        stage("later", first);
        publish(0);
        first.poll();
        assertEquals(1, first.subscription.position());
    }

    @Test
    void shouldStopAtARetainedEventAndContinueAfterItsRelease() throws Exception
    {
        final List<NumberedEvent> kept = new ArrayList<>();
        final RecordingStage stage = stage("stage");
        stage.doing(event ->
        {
            if (event.number == 3)
            {
                event.retain(1);
                kept.add(event);
            }
        });
        long number = 0;
        for (NumberedEvent event = pool.acquire(); event != null; event = pool.acquire())
        {
            assertTrue(pipeline.offer(event.fill(number)));
            number++;
            stage.drain();
        }
        // One wrap behind the retained event, and no further.
        assertEquals(3 + CAPACITY, number);
        assertEquals(1, pool.metrics().exhausted());
        for (int i = 0; i < 5; i++)
        {
            assertNull(pool.acquire());
            assertEquals(-1, pool.claim(1));
        }
        assertEquals(11, pool.metrics().exhausted());
        kept.get(0).requireWhole(3);
        assertEquals(CAPACITY - 1, pool.available());
        assertTrue(pool.describeInFlight().contains("1 of 16"), pool.describeInFlight());
        kept.get(0).release();
        publish(number);
        stage.drain();
        assertEquals(PipelineSuite.numbers(0, number), stage.numbers);
    }

    @Test
    void shouldRefuseAPoolOfAnotherPipeline()
    {
        assertThrows(IllegalStateException.class, () -> new RingPipeline<>(pool));
        assertThrows(NullPointerException.class, () -> new RingPipeline<NumberedEvent>(null));
    }
}
