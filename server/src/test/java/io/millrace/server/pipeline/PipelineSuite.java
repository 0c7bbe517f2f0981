package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.PoolViolationException;
import io.millrace.pool.RingPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Guarantees of every pipeline; each kind runs this suite. After each test all events are back in the pool. The suite
 * runs in normal and in checked mode; tests of checked mode alone have the tag {@code checked}.
 */
abstract class PipelineSuite extends PipelineFixture
{
    @Test
    void shouldDeliverEventsInTheOrderInWhichTheyWerePublished() throws Exception
    {
        final RecordingStage stage = stage("stage");
        for (int lap = 0; lap < 5; lap++)
        {
            publish(CAPACITY - 1);
            stage.drain();
        }
        assertEquals(numbers(0, 5 * (CAPACITY - 1) - 1), stage.numbers);
    }

    @Test
    void shouldNumberEventsFromZeroAndReportItsPosition() throws Exception
    {
        final RecordingStage stage = stage("stage");
        assertEquals(0, pipeline.publishedPosition());
        assertEquals(0, stage.subscription.position());
        publish(5);
        stage.drain();
        assertEquals(numbers(0, 4), stage.sequences);
        assertEquals(5, pipeline.publishedPosition());
        assertEquals(5, stage.subscription.position());
    }

    @Test
    void shouldLeaveAnEventWithItsPublisherWithoutSubscribers()
    {
        final NumberedEvent event = acquire(7);
        assertFalse(pipeline.offer(event));
        assertFalse(pipeline.offer(event));
        event.requireWhole(7);
        assertEquals(0, pipeline.publishedPosition());
        event.release();
        assertBalance();
    }

    @Test
    void shouldAcceptAnEventAfterARefusalWithoutSubscribers() throws Exception
    {
        final NumberedEvent event = acquire(7);
        assertFalse(pipeline.offer(event));
        final RecordingStage stage = stage("stage");
        assertTrue(pipeline.offer(event));
        stage.drain();
        assertEquals(List.of(7L), stage.numbers);
    }

    @Test
    void shouldPassToAStageOnlyEventsPublishedAfterItJoined() throws Exception
    {
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            final NumberedEvent early = acquire(1_000 + i);
            assertFalse(pipeline.offer(early));
            early.release();
        }
        final RecordingStage stage = stage("stage");
        publish(3);
        stage.drain();
        assertEquals(numbers(0, 2), stage.numbers);
    }

    @Test
    void shouldRefuseAStageThatFollowsAStageOfAnotherPipeline()
    {
        final EventPipeline<NumberedEvent> other = new SpscPipeline<>(2);
        final EventSubscription<NumberedEvent> foreign = other.subscribe("foreign");
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> pipeline.subscribe("stage", foreign));
        assertTrue(thrown.getMessage().contains("'stage'"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("'foreign'"), thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> pipeline.subscribe("stage", (EventSubscription<?>)null));
        // Nothing has changed: there is no stage, and the name is free.
        final NumberedEvent event = acquire(1);
        assertFalse(pipeline.offer(event));
        event.release();
        stage("stage");
    }

    @Test
    void shouldRefuseAStageWithoutAName()
    {
        assertThrows(NullPointerException.class, () -> pipeline.subscribe(null));
        stage("stage");
    }

    @Test
    void shouldRefuseNullAndContinue() throws Exception
    {
        final RecordingStage stage = stage("stage");
        assertThrows(NullPointerException.class, () -> pipeline.offer(null));
        publish(2);
        stage.drain();
        assertEquals(numbers(0, 1), stage.numbers);
    }

    @Test
    void shouldAcceptNothingAfterTheClose() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(2);
        stage.drain();
        assertEquals(0, pipeline.close());
        final NumberedEvent event = acquire(9);
        assertFalse(pipeline.offer(event));
        event.requireWhole(9);
        event.release();
        assertEquals(0, stage.drain());
        assertEquals(0, pipeline.close());
        assertThrows(IllegalStateException.class, () -> pipeline.subscribe("late"));
    }

    @Test
    void shouldRefuseAStageAfterAClose()
    {
        assertEquals(0, pipeline.close());
        assertThrows(IllegalStateException.class, () -> pipeline.subscribe("late"));
        final NumberedEvent event = acquire(9);
        assertFalse(pipeline.offer(event));
        event.release();
    }

    /** False if pool and pipeline are one. */
    boolean takesAnyEvent()
    {
        return true;
    }

    @Test
    void shouldPassOrRefuseAnEventOfNoPoolAndContinue() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final NumberedEvent foreign = new NumberedEvent().fill(77);
        if (takesAnyEvent())
        {
            assertTrue(pipeline.offer(foreign));
        }
        else
        {
            assertThrows(IllegalArgumentException.class, () -> pipeline.offer(foreign));
        }
        publish(1);
        stage.drain();
        assertEquals(takesAnyEvent() ? List.of(77L, 0L) : List.of(0L), stage.numbers);
    }

    static List<Throwable> failures()
    {
        return List.of(new IllegalStateException("planned"), new IOException("planned"),
            new StackOverflowError("planned"), new AssertionError("planned"), new OutOfMemoryError("planned"));
    }

    /** Moves the published events through the stage: a poll, or the offer itself. */
    abstract void passOne(RecordingStage stage) throws Exception;

    @ParameterizedTest
    @MethodSource("failures")
    void shouldPropagateAnExceptionOfAHandlerAndReleaseTheEvent(final Throwable failure) throws Exception
    {
        final RecordingStage stage = stage("stage").failOn(1, failure);
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            if (i == 1)
            {
                assertSame(failure, thrownWhilePassingOne(stage));
            }
            else
            {
                passOne(stage);
            }
        }
        assertEquals(numbers(0, 3 * CAPACITY - 1), stage.numbers);
        stage.subscription.flush();
        assertEquals(3 * CAPACITY, stage.subscription.position());
        assertBalance();
    }

    /** Not assertThrows, which does not let an OutOfMemoryError be caught. */
    private Throwable thrownWhilePassingOne(final RecordingStage stage)
    {
        try
        {
            passOne(stage);
        }
        catch (final Throwable ex)
        {
            return ex;
        }
        return null;
    }

    @Test
    void shouldKeepARetainedEventUntilItIsReleased() throws Exception
    {
        final List<NumberedEvent> kept = new ArrayList<>();
        final RecordingStage stage = stage("stage").doing(event ->
        {
            if (event.number == 2)
            {
                event.retain(1);
                kept.add(event);
            }
        });
        publish(5);
        stage.drain();
        assertEquals(pool.capacity() - 1, pool.available());
        kept.get(0).requireWhole(2);
        kept.get(0).release();
        assertBalance();
    }

    @Test
    void shouldSurviveAHandlerThatReleasesItsEvent() throws Exception
    {
        strayReleases = 1;
        final RecordingStage stage = stage("stage").doing(event ->
        {
            if (event.number == 0)
            {
                event.release();
            }
        });
        if (PoolCheck.ENABLED)
        {
            final String thread = Thread.currentThread().getName();
            final PoolViolationException thrown = assertThrows(PoolViolationException.class, () -> passOne(stage));
            final String story = "acquired by thread '" + thread + "', released by thread '" + thread;
            assertTrue(thrown.getMessage().contains(story), thrown.getMessage());
        }
        else
        {
            passOne(stage);
        }
        for (int i = 1; i < 2 * CAPACITY; i++)
        {
            passOne(stage);
        }
        assertEquals(numbers(0, 2 * CAPACITY - 1), stage.numbers);
    }

    private void assertRefused(final NumberedEvent event)
    {
        final RuntimeException thrown = assertThrows(RuntimeException.class, () -> pipeline.offer(event));
        // Checked mode names the threads already at the release.
        assertTrue(thrown instanceof IllegalArgumentException || PoolCheck.ENABLED &&
            thrown instanceof PoolViolationException, thrown.toString());
    }

    @Test
    void shouldRefuseAnEventThatWasPublishedBefore() throws Exception
    {
        final RecordingStage one = stage("one");
        final NumberedEvent event = acquire(0);
        assertTrue(pipeline.offer(event));
        assertRefused(event);
        one.drain();
        assertRefused(event);
        assertEquals(List.of(0L), one.numbers);
        assertBalance();
        // The next user has its own reference.
        final NumberedEvent next = acquire(1);
        one.drain();
        assertEquals(PoolCheck.ENABLED || takesAnyEvent() ? 1 : 0, next.refCount());
        next.release();
    }

    @Test
    void shouldRefuseAnEventThatWasReleasedBefore() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final NumberedEvent event = acquire(0);
        event.release();
        assertRefused(event);
        stage.drain();
        assertBalance();
    }

    @Test
    void shouldRefuseAForwardedEventThatWasNotRetained() throws Exception
    {
        if (PoolCheck.ENABLED && !takesAnyEvent())
        {
            // There the stage has a counted reference; the defect is reported when it is released twice.
            return;
        }
        final SpscPipeline<NumberedEvent> next = new SpscPipeline<>(2);
        final RecordingStage behind = new RecordingStage(next.subscribe("behind"));
        final List<Object> refused = new ArrayList<>();
        final RecordingStage stage = stage("stage").doing(event ->
        {
            if (event.number == 0)
            {
                try
                {
                    next.offer(event);
                }
                catch (final IllegalArgumentException ex)
                {
                    refused.add(ex);
                }
            }
            else
            {
                event.retain(1);
                assertTrue(next.offer(event));
            }
        });
        for (int i = 0; i < 3; i++)
        {
            passOne(stage);
            behind.drain();
        }
        assertEquals(1, refused.size());
        assertEquals(List.of(1L, 2L), behind.numbers);
    }

    @Test
    void shouldPublishARetainedEventAgain() throws Exception
    {
        final List<NumberedEvent> kept = new ArrayList<>();
        final RecordingStage stage = stage("stage").doing(event ->
        {
            event.retain(2);
            kept.add(event);
        });
        passOne(stage);
        final NumberedEvent event = kept.get(0);
        final SpscPipeline<NumberedEvent> next = new SpscPipeline<>(2);
        final RecordingStage behind = new RecordingStage(next.subscribe("behind"));
        assertTrue(next.offer(event));
        behind.drain();
        assertTrue(next.offer(event));
        assertThrows(IllegalArgumentException.class, () -> next.offer(event));
        behind.drain();
        assertEquals(List.of(0L, 0L), behind.numbers);
        assertBalance();
    }

    @Test
    void shouldHandOverThePublishingEndToAnotherThread() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(1);
        handOver();
        final Throwable[] failure = new Throwable[1];
        final Thread other = new Thread(() ->
        {
            publish(2);
            handOver();
        }, "other publisher");
        other.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        other.start();
        other.join();
        if (failure[0] != null)
        {
            throw new AssertionError("the other publisher failed", failure[0]);
        }
        publish(1);
        stage.drain();
        assertEquals(numbers(0, 3), stage.numbers);
    }

    private void handOver()
    {
        pipeline.handOver();
        if (pool instanceof RingPool)
        {
            ((RingPool<NumberedEvent>)pool).handOver();
        }
    }

    @Test
    void shouldDescribeItself()
    {
        assertEquals(pipeline.getClass().getSimpleName() + "(" + pipeline.capacity() + ")", pipeline.describe());
        assertEquals("stage", stage("stage").subscription.stage());
    }
}
