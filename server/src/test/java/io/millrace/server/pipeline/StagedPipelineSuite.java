package io.millrace.server.pipeline;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Guarantees of the pipelines that have many stages, parallel and one after the other.
 */
abstract class StagedPipelineSuite extends PolledPipelineSuite implements Losslessness
{
    @Test
    void shouldRefuseTheSameStageNameTwice() throws Exception
    {
        final RecordingStage stage = stage("stage");
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> pipeline.subscribe("stage"));
        assertTrue(thrown.getMessage().contains("'stage'"), thrown.getMessage());
        publish(1);
        assertEquals(1, stage.poll());
    }

    @Test
    void shouldPassEveryEventToEveryStage() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two");
        final RecordingStage three = stage("three");
        for (int lap = 0; lap < 4; lap++)
        {
            publish(CAPACITY);
            one.drain();
            two.drain();
            three.drain();
        }
        assertEquals(numbers(0, 4 * CAPACITY - 1), one.numbers);
        assertEquals(one.numbers, two.numbers);
        assertEquals(one.numbers, three.numbers);
    }

    @Test
    void shouldWaitForTheSlowestStage() throws Exception
    {
        final RecordingStage quick = stage("quick");
        final RecordingStage slow = stage("slow");
        publish(CAPACITY);
        quick.drain();
        assertFull();
        slow.poll(3);
        slow.subscription.flush();
        publish(3);
        assertFull();
        quick.drain();
        slow.drain();
        assertEquals(quick.numbers, slow.numbers);
    }

    private void assertFull()
    {
        final NumberedEvent event = pool.acquire();
        if (event != null)
        {
            assertFalse(pipeline.offer(event.fill(99)));
            event.release();
        }
    }

    @Test
    void shouldPassToALaterStageOnlyEventsThatEarlierOnesPassed() throws Exception
    {
        final RecordingStage journal = stage("journal");
        final RecordingStage audit = stage("audit");
        final RecordingStage match = stage("match", journal, audit);
        final RecordingStage report = stage("report", match);
        publish(6);
        assertEquals(0, match.poll());
        assertEquals(4, journal.poll(4));
        assertEquals(0, match.poll());
        assertEquals(2, audit.poll(2));
        assertEquals(2, match.poll());
        assertEquals(2, report.poll());
        assertEquals(0, match.poll());
        audit.drain();
        assertEquals(2, match.poll());
        journal.drain();
        assertEquals(2, match.poll());
        assertEquals(4, report.poll());
        assertEquals(numbers(0, 5), report.numbers);
        assertEquals(List.of(1L, 3L, 5L), match.ends);
        assertEquals(List.of(1L, 5L), report.ends);
    }

    @Test
    void shouldReportEndOfBatchToALaterStageAtItsLimit() throws Exception
    {
        final RecordingStage journal = stage("journal");
        final RecordingStage match = stage("match", journal);
        publish(7);
        journal.drain();
        match.poll(3);
        match.poll(3);
        match.poll(3);
        assertEquals(List.of(2L, 5L, 6L), match.ends);
    }

    @Test
    void shouldNotPassAnEventThatAnEarlierStageFailedOn() throws Exception
    {
        final IllegalStateException failure = new IllegalStateException("planned");
        final RecordingStage journal = stage("journal").failOn(2, failure);
        final RecordingStage match = stage("match", journal);
        publish(5);
        for (int i = 0; i < 3; i++)
        {
            assertSame(failure, assertThrows(IllegalStateException.class, journal::poll));
            match.drain();
            assertEquals(numbers(0, 1), match.numbers);
        }
        assertEquals(List.of(0L, 1L, 2L, 2L, 2L), journal.numbers);
        journal.failOn(2, null);
        journal.drain();
        match.drain();
        assertEquals(numbers(0, 4), match.numbers);
    }

    @Test
    void shouldPassNothingOfABatchThatFailedAtItsEnd() throws Exception
    {
        final RecordingStage journal = stage("journal").failOn(4, new IllegalStateException("cannot force"));
        journal.completesAtEndOfBatch = true;
        final RecordingStage match = stage("match", journal);
        publish(2);
        journal.poll();
        assertEquals(2, match.poll());
        publish(3);
        assertThrows(IllegalStateException.class, journal::poll);
        journal.subscription.flush();
        assertEquals(0, match.poll());
        assertEquals(2, journal.subscription.position());
        journal.failOn(4, null);
        assertEquals(3, journal.poll());
        assertEquals(3, match.poll());
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 2L, 3L, 4L), journal.numbers);
    }

    @Test
    void shouldReleaseAnEventOnWhichOneOfThreeStagesFailed() throws Exception
    {
        final RecordingStage one = stage("one");
        final RecordingStage two = stage("two").failOn(1, new IllegalStateException("planned"));
        final RecordingStage three = stage("three");
        publish(3);
        one.drain();
        assertThrows(IllegalStateException.class, two::poll);
        two.drain();
        three.drain();
        assertBalance();
        assertEquals(numbers(0, 2), two.numbers);
    }

    @Test
    void shouldPassToAStageThatJoinsOthersOnlyLaterEvents() throws Exception
    {
        final RecordingStage first = stage("first");
        publish(3);
        final RecordingStage late = stage("late");
        publish(2);
        assertEquals(2, late.drain());
        assertEquals(numbers(3, 4), late.numbers);
        assertEquals(numbers(3, 4), late.sequences);
        first.drain();
        assertEquals(numbers(0, 4), first.numbers);
        assertBalance();
    }

    @Test
    void shouldPassToAStageBehindASlowOneOnlyLaterEventsThatItPassed() throws Exception
    {
        final RecordingStage slow = stage("slow");
        publish(3);
        final RecordingStage late = stage("late", slow);
        assertEquals(0, late.poll());
        publish(2);
        assertEquals(0, late.poll());
        slow.poll(2);
        assertEquals(0, late.poll());
        slow.poll(2);
        assertEquals(1, late.poll());
        slow.drain();
        late.drain();
        assertEquals(numbers(0, 4), slow.numbers);
        assertEquals(numbers(3, 4), late.numbers);
        assertBalance();
    }

    @Test
    void shouldNotOvertakeASlowStageWithALaterFollower() throws Exception
    {
        final RecordingStage slow = stage("slow");
        publish(CAPACITY - 2);
        final RecordingStage late = stage("late", slow);
        publish(2);
        assertFull();
        slow.poll(1);
        slow.subscription.flush();
        publish(1);
        assertFull();
        slow.drain();
        late.drain();
        assertEquals(numbers(0, CAPACITY), slow.numbers);
        assertEquals(numbers(CAPACITY - 2, CAPACITY), late.numbers);
        assertBalance();
    }

    @Test
    void shouldPassAnEventThatFailedBeforeAStageJoined() throws Exception
    {
        final RecordingStage stage = stage("stage").failOn(1, new IllegalStateException("planned"));
        stage.completesAtEndOfBatch = true;
        publish(3);
        final RecordingStage late = stage("late", stage);
        publish(2);
        assertThrows(IllegalStateException.class, stage::poll);
        stage.failOn(4, new IllegalStateException("planned"));
        assertThrows(IllegalStateException.class, stage::poll);
        assertEquals(0, late.poll());
        stage.failOn(4, null);
        stage.drain();
        late.drain();
        assertEquals(List.of(0L, 1L, 0L, 1L, 2L, 3L, 4L, 0L, 1L, 2L, 3L, 4L), stage.numbers);
        assertEquals(numbers(3, 4), late.numbers);
        assertBalance();
    }

    @Test
    void shouldKeepTheBatchOfATerminalStageThatFailedAtItsEnd() throws Exception
    {
        final RecordingStage journal = stage("journal").failOn(4, new IllegalStateException("cannot force"));
        journal.completesAtEndOfBatch = true;
        final RecordingStage match = stage("match");
        publish(2);
        assertEquals(2, journal.poll());
        publish(3);
        for (int i = 0; i < 3; i++)
        {
            assertThrows(IllegalStateException.class, journal::poll);
            journal.subscription.flush();
            assertEquals(2, journal.subscription.position());
        }
        assertEquals(5, match.drain());
        publish(CAPACITY - 3);
        assertFull();
        journal.failOn(4, null);
        journal.drain();
        match.drain();
        assertEquals(CAPACITY + 2, journal.subscription.position());
        assertBalance();
    }

    @Test
    void shouldGiveBackTheFailedBatchOfATerminalStageAtTheClose() throws Exception
    {
        final RecordingStage journal = stage("journal").failOn(1, new IllegalStateException("cannot force"));
        journal.completesAtEndOfBatch = true;
        publish(2);
        assertThrows(IllegalStateException.class, journal::poll);
        assertEquals(2, pipeline.close());
        assertBalance();
    }

    @Test
    void shouldPassAGateOnlyUpToTheFirstEventForWhichItIsClosed() throws Exception
    {
        final EventSubscription<NumberedEvent> gate = pipeline.subscribe("gate");
        final RecordingStage answers = new RecordingStage(pipeline.subscribe("answers", gate));
        final long[] open = {-1};
        final EventGate<NumberedEvent> upTo = (event, sequence) -> event.number <= open[0];
        publish(6);
        assertEquals(0, gate.pass(upTo, Integer.MAX_VALUE));
        assertEquals(0, answers.poll());
        open[0] = 3;
        assertEquals(1, gate.pass(upTo, 1));
        assertEquals(1, answers.poll());
        assertEquals(3, gate.pass(upTo, Integer.MAX_VALUE));
        assertEquals(0, gate.pass(upTo, Integer.MAX_VALUE));
        assertEquals(4, gate.position());
        assertEquals(3, answers.poll());
        open[0] = 5;
        assertEquals(2, gate.pass(upTo, Integer.MAX_VALUE));
        assertEquals(0, gate.pass(upTo, Integer.MAX_VALUE));
        assertEquals(2, answers.poll());
        assertEquals(numbers(0, 5), answers.numbers);
        assertBalance();
    }

    @Test
    void shouldPassAGateBehindAnotherStageOnlyWhatThatStagePassed() throws Exception
    {
        final RecordingStage first = stage("first");
        final EventSubscription<NumberedEvent> gate = pipeline.subscribe("gate", first.subscription);
        final RecordingStage answers = new RecordingStage(pipeline.subscribe("answers", gate));
        publish(4);
        assertEquals(0, gate.pass((event, sequence) -> true, Integer.MAX_VALUE));
        first.poll(3);
        assertEquals(3, gate.pass((event, sequence) -> true, Integer.MAX_VALUE));
        assertEquals(3, answers.poll());
        final IllegalStateException failure = new IllegalStateException("planned");
        first.drain();
        assertSame(failure, assertThrows(IllegalStateException.class, () -> gate.pass((event, sequence) ->
        {
            throw failure;
        }, Integer.MAX_VALUE)));
        assertEquals(0, answers.poll());
        assertEquals(1, gate.pass((event, sequence) -> true, Integer.MAX_VALUE));
        answers.drain();
        assertBalance();
    }

    @Test
    void shouldCountTheMissedEventsOfEachTerminalStageAtTheClose() throws Exception
    {
        final RecordingStage journal = stage("journal");
        final RecordingStage match = stage("match", journal);
        final RecordingStage audit = stage("audit");
        publish(5);
        journal.poll(3);
        match.poll(2);
        audit.poll(1);
        assertEquals(3 + 4, pipeline.close());
        assertBalance();
        assertEquals(0, match.poll() + journal.poll() + audit.poll());
    }

    @Test
    void shouldCountTheMissedEventsOfAStageWithALaterFollower() throws Exception
    {
        final RecordingStage slow = stage("slow");
        publish(3);
        stage("late", slow);
        publish(2);
        slow.poll(1);
        // It was the terminal stage of the first three events; the late stage is that of the other two.
        assertEquals(2 + 2, pipeline.close());
        assertBalance();
    }

    @Test
    void shouldKeepAnEventUntilTheLastOfManyReferencesIsReleased() throws Exception
    {
        final List<NumberedEvent> kept = new ArrayList<>();
        final RecordingStage.Action keep = event ->
        {
            event.retain(2);
            kept.add(event);
            kept.add(event);
        };
        final RecordingStage one = stage("one").doing(keep);
        final RecordingStage two = stage("two").doing(keep);
        publish(2);
        one.drain();
        two.drain();
        for (int i = 0; i < kept.size(); i++)
        {
            kept.get(i).requireWhole(i % 4 / 2);
        }
        assertEquals(pool.capacity() - 2, pool.available());
        for (final NumberedEvent event : kept)
        {
            assertTrue(event.number >= 0, "back before its last release");
            event.release();
        }
        assertBalance();
    }
}
