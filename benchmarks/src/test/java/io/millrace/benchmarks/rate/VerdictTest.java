package io.millrace.benchmarks.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

class VerdictTest
{
    private static final int CORES = 2;

    @Test
    void shouldDropRoundsThatLostMoreThanOnePercent()
    {
        final Verdict verdict = Verdict.of(Rounds.nine(4), CORES);
        assertTrue(verdict.valid());
        assertEquals(5, verdict.kept().size());
        assertEquals("ok 5/9", verdict.status());
    }

    @Test
    void shouldBeInvalidWithFewerThanFiveOfNineCleanRounds()
    {
        final Verdict verdict = Verdict.of(Rounds.nine(5), CORES);
        assertFalse(verdict.valid());
        assertEquals("4 of 9 rounds had steal <= 1 %, 5 are needed", verdict.invalid());
        assertEquals("INVALID 4/9", verdict.status());
    }

    @Test
    void shouldTakeAllRoundsIntoAnInvalidResult()
    {
        assertEquals(9, Verdict.of(Rounds.nine(9), CORES).kept().size());
    }

    @Test
    void shouldBeInvalidWithMoreRunnableThreadsThanCores()
    {
        final Verdict verdict = Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 3, 1.0)), CORES);
        assertEquals("3.0 runnable threads on 2 cores", verdict.invalid());
    }

    @Test
    void shouldNotTakeIdleCoresForRoomOnTheMeasuredOnes()
    {
        final Verdict verdict = Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 3, 1.0)), 64);
        assertEquals("3.0 runnable threads on 2 cores", verdict.invalid());
    }

    @Test
    void shouldCountTheTwoBusyThreadsAmongTheRunnable()
    {
        assertTrue(Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 2, 1.0)), CORES).valid());
    }

    @Test
    void shouldForgiveAThreadThatPassedInFewRounds()
    {
        final List<RoundResult> rounds = new java.util.ArrayList<>(Collections.nCopies(5, Rounds.good()));
        rounds.addAll(Collections.nCopies(4, Rounds.with(0.0, 9, 1.0)));
        assertTrue(Verdict.of(rounds, CORES).valid());
    }

    @Test
    void shouldNameBothReasons()
    {
        final Verdict verdict = Verdict.of(Collections.nCopies(9, Rounds.with(0.5, 4, 1.0)), CORES);
        assertEquals("0 of 9 rounds had steal <= 1 %, 5 are needed; 4.0 runnable threads on 2 cores",
            verdict.invalid());
    }

    @Test
    void shouldBeSaturatedBelowNinetyNinePercent()
    {
        final Verdict verdict = Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 2, 0.98)), CORES);
        assertTrue(verdict.valid(), "a result of its own");
        assertEquals("SATURATED 9/9", verdict.status());
        assertFalse(Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 2, 0.995)), CORES).saturated());
    }

    @Test
    void shouldBeSaturatedWhenEveryRoundThatTheHostLeftAloneFellShort()
    {
        final List<RoundResult> rounds = new java.util.ArrayList<>(Collections.nCopies(8, Rounds.with(0.2, 2, 0.5)));
        rounds.add(Rounds.with(0.0, 2, 0.8));
        final Verdict verdict = Verdict.of(rounds, CORES);
        assertTrue(verdict.valid(), verdict::invalid);
        assertEquals("SATURATED 1/9", verdict.status());
        assertEquals(1, verdict.kept().size(), "the noisy rounds do not count");
    }

    @Test
    void shouldBeInvalidWhenTheHostMayBeWhyTheRateWasNotReached()
    {
        assertEquals("INVALID 0/9", Verdict.of(Collections.nCopies(9, Rounds.with(0.2, 2, 0.5)), CORES).status());
        final List<RoundResult> rounds = new java.util.ArrayList<>(Collections.nCopies(7, Rounds.with(0.2, 2, 0.5)));
        rounds.add(Rounds.with(0.0, 2, 0.8));
        rounds.add(Rounds.with(0.0, 2, 1.0));
        assertEquals("INVALID 2/9", Verdict.of(rounds, CORES).status());
        assertFalse(Verdict.of(rounds, CORES).saturated());
        assertEquals("INVALID 9/9",
            Verdict.of(Collections.nCopies(9, Rounds.with(0.0, 3, 0.5)), CORES).status(), "a third thread was busy");
    }

    @Test
    void shouldKeepEveryRoundWhereStealIsNotKnown()
    {
        assertEquals("ok 9/9", Verdict.of(Collections.nCopies(9, Rounds.with(Double.NaN, 0, 1.0)), CORES).status());
    }

    @Test
    void shouldCallFewerThanNineRoundsALookWhateverTheyShow()
    {
        assertEquals("LOOK 1/1", Verdict.of(List.of(Rounds.good()), CORES).status());
        assertEquals("LOOK 8/8", Verdict.of(Collections.nCopies(8, Rounds.good()), CORES).status());
        assertEquals("LOOK 3/3", Verdict.of(Collections.nCopies(3, Rounds.with(0.0, 2, 0.5)), CORES).status());
        assertEquals("INVALID 0/1", Verdict.of(List.of(Rounds.with(0.5, 2, 1.0)), CORES).status());
        assertTrue(Verdict.of(List.of(Rounds.good()), CORES).valid(), "nothing to run again");
    }

    @Test
    void shouldNeedTheSamePartOfAnotherNumberOfRounds()
    {
        assertEquals(5, Verdict.needed(9));
        assertEquals(1, Verdict.needed(1));
        assertEquals(2, Verdict.needed(2));
        assertEquals(10, Verdict.needed(18));
    }
}
