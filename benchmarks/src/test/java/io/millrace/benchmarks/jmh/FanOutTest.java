package io.millrace.benchmarks.jmh;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@ExtendWith(NoPinning.class)
@Timeout(60)
final class FanOutTest
{
    /** More than two laps of a ring. */
    private static final int EVENTS = 10_000;

    @ParameterizedTest
    @CsvSource({"lmaxPolled,1to3", "lmaxFused,1to3", "ringPolled,1to3", "ringFused,1to3",
        "lmaxPolled,1to1to2", "lmaxFused,1to1to2", "ringPolled,1to1to2", "ringFused,1to1to2"})
    void shouldBringEveryEventInOrderToEveryStageOnOneThread(final String contender, final String topology)
        throws Exception
    {
        transfer(FanOutContender.named(contender, Topology.named(topology), EVENTS));
    }

    @ParameterizedTest
    @CsvSource({"lmax,1to3", "ring,1to3", "lmax,1to1to2", "ring,1to1to2"})
    void shouldBringEveryEventInOrderToEveryStageOnItsOwnThread(final String contender, final String threads)
        throws Exception
    {
        transfer(FanOutContender.named(contender + "OnThreads", Topology.named(threads), EVENTS));
    }

    private static void transfer(final Contender path) throws Exception
    {
        path.yieldWhenIdle();
        final TwoThreads threads = new TwoThreads(path, false);
        threads.transfer(EVENTS);
        threads.transfer(EVENTS);
        threads.close();
    }

    @Test
    void shouldNoticeAStageThatRunsAheadOfTheOneThatItFollows()
    {
        final List<FanOutContender.Stage> stages = FanOutContender.stages(Topology.JOURNAL, 1);
        final PlainEvent event = PlainEvent.withFields(FanOutContender.FIELDS).get();
        event.fill(0);
        assertThrows(IllegalStateException.class, () -> stages.get(1).accept(event));
        stages.get(0).accept(event);
        stages.get(1).accept(event);
    }

    @Test
    void shouldLetTheStagesOfAFanOutRunInAnyOrder()
    {
        final List<FanOutContender.Stage> stages = FanOutContender.stages(Topology.FAN_OUT, 1);
        final PlainEvent event = PlainEvent.withFields(FanOutContender.FIELDS).get();
        event.fill(0);
        stages.get(2).accept(event);
        stages.get(0).accept(event);
    }

    @Test
    void shouldSayWhichStageFollowsTheFirst()
    {
        assertFalse(Topology.JOURNAL.follows(0));
        assertTrue(Topology.JOURNAL.follows(2));
        assertFalse(Topology.named("1to3").follows(1));
        assertEquals(Topology.JOURNAL, Topology.named("1to1to2"));
        assertThrows(IllegalArgumentException.class, () -> Topology.named("2to1"));
    }
}
