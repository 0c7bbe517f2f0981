package io.millrace.server.pipeline;

import io.millrace.pool.PoolViolationException;
import io.millrace.pool.RingPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The suite for the inline call, and its special behaviour.
 */
final class DirectPipelineTest extends PipelineSuite
{
    @Override
    void create()
    {
        pool = new RingPool<>(NumberedEvent::new, CAPACITY);
        pipeline = new DirectPipeline<>();
    }

    @Override
    void passOne(final RecordingStage stage)
    {
        publish(1);
    }

    @Test
    void shouldCallItsStagesOneAfterTheOtherInsideOfTheOffer() throws Exception
    {
        final List<String> calls = new ArrayList<>();
        final RecordingStage one = stage("one").doing(event -> calls.add("one " + event.number));
        final RecordingStage two = stage("two", one).doing(event -> calls.add("two " + event.number));
        publish(2);
        assertEquals(List.of("one 0", "two 0", "one 1", "two 1"), calls);
        assertEquals(numbers(0, 1), two.ends);
        assertEquals(0, pipeline.capacity());
        assertEquals(0, two.poll());
        assertBalance();
    }

    @Test
    void shouldReturnFromAnOfferWhoseFailureIsAbsorbed()
    {
        final IllegalStateException failure = new IllegalStateException("planned");
        final List<Exception> absorbed = new ArrayList<>();
        final DirectPipeline<NumberedEvent> direct = (DirectPipeline<NumberedEvent>)pipeline;
        direct.subscribe("one").connect((event, sequence, endOfBatch) ->
        {
            throw failure;
        }, absorbed::add);
        publish(2);
        assertEquals(List.of(failure, failure), absorbed);
        assertBalance();
    }

    @Test
    void shouldNotPassAnEventToLaterStagesAfterAFailure()
    {
        final IllegalStateException failure = new IllegalStateException("planned");
        final RecordingStage one = stage("one").failOn(1, failure);
        final RecordingStage two = stage("two", one);
        publish(1);
        assertSame(failure, assertThrows(IllegalStateException.class, () -> publish(1)));
        assertBalance();
        assertTrue(pipeline.offer(acquire(2)));
        assertEquals(numbers(0, 2), one.numbers);
        assertEquals(List.of(0L, 2L), two.numbers);
        assertEquals(3, one.subscription.position());
        assertEquals(3, two.subscription.position());
    }

    @Test
    void shouldRefuseToPublishWhileAStageIsNotConnected()
    {
        final RecordingStage one = stage("one");
        final EventSubscription<NumberedEvent> two = pipeline.subscribe("two");
        final NumberedEvent event = acquire(5);
        final IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> pipeline.offer(event));
        assertTrue(thrown.getMessage().contains("'two'"), thrown.getMessage());
        assertBalance();
        assertEquals(0, pipeline.publishedPosition());
        assertEquals(List.of(), one.numbers);
        final RecordingStage second = new RecordingStage(two);
        assertTrue(pipeline.offer(acquire(5)));
        assertEquals(List.of(5L), second.numbers);
    }

    @Test
    void shouldRefuseASecondHandlerOfAStage()
    {
        final RecordingStage stage = stage("stage");
        assertThrows(IllegalStateException.class, () -> new RecordingStage(stage.subscription));
    }

    @Test
    void shouldRefuseTheSameStageNameTwice()
    {
        stage("stage");
        assertThrows(IllegalArgumentException.class, () -> pipeline.subscribe("stage"));
    }

    @Test
    void shouldPassToAJoiningStageOnlyLaterEvents()
    {
        final RecordingStage one = stage("one");
        publish(2);
        final RecordingStage late = stage("late", one);
        publish(2);
        assertEquals(numbers(2, 3), late.numbers);
        assertEquals(numbers(2, 3), late.sequences);
    }

    @Test
    void shouldForwardIntoAnotherPipelineFromAHandler() throws Exception
    {
        final SpscPipeline<NumberedEvent> second = new SpscPipeline<>(2);
        final RecordingStage end = new RecordingStage(second.subscribe("end"));
        stage("stage").doing(event ->
        {
            event.retain(1);
            if (!second.offer(event))
            {
                event.release();
            }
        });
        publish(4);
        assertEquals(pool.capacity() - 2, pool.available());
        end.drain();
        assertEquals(numbers(0, 1), end.numbers);
        assertBalance();
    }

    @Test
    @Tag("checked")
    void shouldReportASecondPublishingThread() throws Exception
    {
        stage("stage");
        publish(1);
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread other = new Thread(() -> pipeline.offer(new NumberedEvent()), "intruder");
        other.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
        other.start();
        other.join();
        assertEquals(PoolViolationException.class, thrown.get().getClass());
        assertFalse(thrown.get().getMessage().isEmpty());
        assertTrue(thrown.get().getMessage().contains("'intruder'"), thrown.get().getMessage());
    }
}
