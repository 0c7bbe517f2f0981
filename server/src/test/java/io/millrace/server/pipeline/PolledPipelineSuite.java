package io.millrace.server.pipeline;

import io.millrace.pool.PoolViolationException;
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
 * Guarantees of every pipeline whose events wait until they are polled.
 */
abstract class PolledPipelineSuite extends PipelineSuite
{
    /** For {@link Losslessness}. */
    public final PolledPipelineSuite suite()
    {
        return this;
    }

    @Override
    void passOne(final RecordingStage stage) throws Exception
    {
        publish(1);
        assertEquals(1, stage.poll());
        stage.subscription.flush();
    }

    @Test
    void shouldPollNothingWhenEmpty() throws Exception
    {
        final RecordingStage stage = stage("stage");
        assertEquals(0, stage.poll());
        publish(1);
        assertEquals(1, stage.poll());
        assertEquals(0, stage.poll());
        assertEquals(List.of(0L), stage.numbers);
    }

    @Test
    void shouldPollNoMoreThanTheLimit() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(CAPACITY);
        assertEquals(0, stage.poll(0));
        assertEquals(0, stage.poll(-1));
        assertEquals(3, stage.poll(3));
        assertEquals(numbers(0, 2), stage.numbers);
        assertEquals(1, stage.poll(1));
        assertEquals(3, stage.poll(3));
        assertEquals(1, stage.poll(3));
        assertEquals(0, stage.poll(3));
        assertEquals(numbers(0, CAPACITY - 1), stage.numbers);
    }

    @Test
    void shouldReportEndOfBatchOncePerPollWithItsLastEvent() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(CAPACITY);
        stage.poll(3);
        stage.poll(1);
        stage.poll(Integer.MAX_VALUE);
        publish(2);
        stage.poll(2);
        publish(1);
        stage.poll(2);
        assertEquals(List.of(2L, 3L, 7L, 9L, 10L), stage.ends);
    }

    @Test
    void shouldReportEndOfBatchOncePerPollDespiteNewEvents() throws Exception
    {
        final RecordingStage stage = stage("stage");
        stage.doing(event ->
        {
            if (event.number < 4)
            {
                publish(1);
            }
        });
        publish(1);
        int polls = 0;
        while (stage.poll() > 0)
        {
            polls++;
            assertEquals(polls, stage.ends.size());
            assertEquals(stage.numbers.get(stage.numbers.size() - 1), stage.ends.get(polls - 1));
        }
        assertEquals(numbers(0, 4), stage.numbers);
    }

    @Test
    void shouldContinueAfterAnEventOnWhichItsTerminalStageFailed() throws Exception
    {
        final IllegalStateException failure = new IllegalStateException("planned");
        final RecordingStage stage = stage("stage").failOn(2, failure);
        publish(6);
        assertSame(failure, assertThrows(IllegalStateException.class, stage::poll));
        assertEquals(numbers(0, 2), stage.numbers);
        assertEquals(3, stage.poll());
        assertEquals(numbers(0, 5), stage.numbers);
        assertEquals(List.of(5L), stage.ends);
    }

    @Test
    void shouldFailOnEachEventOfABatchAndLoseNone() throws Exception
    {
        final RecordingStage stage = stage("stage").doing(event ->
        {
            throw new IllegalStateException("planned");
        });
        for (int lap = 0; lap < 4; lap++)
        {
            publish(CAPACITY);
            for (int i = 0; i < CAPACITY; i++)
            {
                assertThrows(IllegalStateException.class, stage::poll);
            }
            assertEquals(0, stage.poll());
            stage.subscription.flush();
        }
        assertEquals(numbers(0, 4 * CAPACITY - 1), stage.numbers);
    }

    @Test
    void shouldKeepAnEventUntilItsHandlerReturns() throws Exception
    {
        final RecordingStage stage = stage("stage").doing(event ->
        {
            final long number = event.number;
            final List<NumberedEvent> acquired = new ArrayList<>();
            for (NumberedEvent next = pool.acquire(); next != null; next = pool.acquire())
            {
                assertFalse(next == event, "recycled while it is handled");
                acquired.add(next.fill(-7));
            }
            event.requireWhole(number);
            acquired.forEach(NumberedEvent::release);
        });
        publish(3);
        stage.drain();
        assertEquals(numbers(0, 2), stage.numbers);
    }

    @Test
    void shouldCountUndeliveredEventsAtTheClose() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(5);
        assertEquals(2, stage.poll(2));
        assertEquals(3, pipeline.close());
        assertBalance();
        assertEquals(0, stage.poll());
        assertEquals(numbers(0, 1), stage.numbers);
        assertEquals(0, pipeline.close());
    }

    /** False if any number of threads publish. */
    boolean takesOnePublisher()
    {
        return true;
    }

    @Test
    @Tag("checked")
    void shouldReportASecondPublishingThread() throws Exception
    {
        final RecordingStage stage = stage("stage");
        publish(1);
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread other = new Thread(() -> pipeline.offer(new NumberedEvent().fill(1)), "intruder");
        other.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
        other.start();
        other.join();
        if (takesOnePublisher())
        {
            assertEquals(PoolViolationException.class, thrown.get().getClass());
            final String message = thrown.get().getMessage();
            assertTrue(message.contains("'intruder'"), message);
            assertTrue(message.contains("'" + Thread.currentThread().getName() + "'"), message);
        }
        stage.drain();
        assertEquals(takesOnePublisher() || !takesAnyEvent() ? List.of(0L) : List.of(0L, 1L), stage.numbers);
    }

    @Test
    @Tag("checked")
    void shouldReportAnOfferOfAReleasedEvent() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final NumberedEvent event = acquire(1);
        event.release();
        final PoolViolationException thrown = assertThrows(PoolViolationException.class, () -> pipeline.offer(event));
        final String name = Thread.currentThread().getName();
        assertTrue(thrown.getMessage().contains("released by thread '" + name + "'"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("used by thread '" + name + "'"), thrown.getMessage());
        publish(1);
        stage.drain();
        assertEquals(List.of(0L), stage.numbers);
    }
}
