package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SeriesTest
{
    private static final int CORES = 2;

    @Test
    void shouldDropRoundsThatLostMoreThanOnePercent()
    {
        final Series<Round> series = Round.series(Rounds.nine(4), CORES);
        assertTrue(series.isValid());
        assertEquals(5, series.kept().size());
        assertEquals("ok 5/9", series.status());
    }

    @Test
    void shouldBeInvalidWithFewerThanFiveOfNineCleanRounds()
    {
        final Series<Round> series = Round.series(Rounds.nine(5), CORES);
        assertFalse(series.isValid());
        assertEquals("4 of 9 rounds are clean, 5 are needed", series.invalid());
        assertEquals("INVALID 4/9", series.status());
    }

    @Test
    void shouldTakeAllRoundsIntoAnInvalidResult()
    {
        assertEquals(9, Round.series(Rounds.nine(9), CORES).kept().size());
    }

    @Test
    void shouldBeInvalidWithMoreRunnableThreadsThanCores()
    {
        final Series<Round> series = Round.series(Collections.nCopies(9, Rounds.with(0.0, 3, 1.0)), CORES);
        assertEquals("3.0 runnable threads on 2 CPUs", series.invalid());
    }

    @Test
    void shouldNotCountIdleCoresAsCapacityOfTheMeasuredOnes()
    {
        final Series<Round> series = Round.series(Collections.nCopies(9, Rounds.with(0.0, 3, 1.0)), 64);
        assertEquals("3.0 runnable threads on 2 CPUs", series.invalid());
    }

    @Test
    void shouldCountTheTwoBusyThreadsAmongTheRunnable()
    {
        assertTrue(Round.series(Collections.nCopies(9, Rounds.with(0.0, 2, 1.0)), CORES).isValid());
    }

    @Test
    void shouldForgiveAThreadThatPassedInFewRounds()
    {
        final List<Round> rounds = new java.util.ArrayList<>(Collections.nCopies(5, Rounds.good()));
        rounds.addAll(Collections.nCopies(4, Rounds.with(0.0, 9, 1.0)));
        assertTrue(Round.series(rounds, CORES).isValid());
    }

    @Test
    void shouldNameBothReasons()
    {
        final Series<Round> series = Round.series(Collections.nCopies(9, Rounds.with(0.5, 4, 1.0)), CORES);
        assertEquals("0 of 9 rounds are clean, 5 are needed; 4.0 runnable threads on 2 CPUs",
            series.invalid());
    }

    @Test
    void shouldBeSaturatedBelowNinetyNinePercent()
    {
        final Series<Round> series = Round.series(Collections.nCopies(9, Rounds.with(0.0, 2, 0.98)), CORES);
        assertTrue(series.isValid(), "a separate result");
        assertEquals("SATURATED 9/9", series.status());
        assertFalse(Round.series(Collections.nCopies(9, Rounds.with(0.0, 2, 0.995)), CORES).isSaturated());
    }

    @Test
    void shouldBeSaturatedWhenEveryRoundThatTheHostLeftAloneFellShort()
    {
        final List<Round> rounds = new java.util.ArrayList<>(Collections.nCopies(8, Rounds.with(0.2, 2, 0.5)));
        rounds.add(Rounds.with(0.0, 2, 0.8));
        final Series<Round> series = Round.series(rounds, CORES);
        assertTrue(series.isValid(), series::invalid);
        assertEquals("SATURATED 1/9", series.status());
        assertEquals(1, series.kept().size(), "the noisy rounds do not count");
    }

    @Test
    void shouldBeInvalidWhenTheHostMayBeWhyTheRateWasNotReached()
    {
        assertEquals("INVALID 0/9", Round.series(Collections.nCopies(9, Rounds.with(0.2, 2, 0.5)), CORES).status());
        final List<Round> rounds = new java.util.ArrayList<>(Collections.nCopies(7, Rounds.with(0.2, 2, 0.5)));
        rounds.add(Rounds.with(0.0, 2, 0.8));
        rounds.add(Rounds.with(0.0, 2, 1.0));
        assertEquals("INVALID 2/9", Round.series(rounds, CORES).status());
        assertFalse(Round.series(rounds, CORES).isSaturated());
        assertEquals("INVALID 9/9",
            Round.series(Collections.nCopies(9, Rounds.with(0.0, 3, 0.5)), CORES).status(), "a third thread was busy");
    }

    @Test
    void shouldKeepEveryRoundWhereStealIsNotKnown()
    {
        assertEquals("ok 9/9", Round.series(Collections.nCopies(9, Rounds.with(Double.NaN, 0, 1.0)), CORES).status());
    }

    @Test
    void shouldCallFewerThanNineRoundsAPreview()
    {
        assertEquals("PREVIEW 1/1", Round.series(List.of(Rounds.good()), CORES).status());
        assertEquals("PREVIEW 8/8", Round.series(Collections.nCopies(8, Rounds.good()), CORES).status());
        assertEquals("PREVIEW 3/3", Round.series(Collections.nCopies(3, Rounds.with(0.0, 2, 0.5)), CORES).status());
        assertEquals("INVALID 0/1", Round.series(List.of(Rounds.with(0.5, 2, 1.0)), CORES).status());
        assertTrue(Round.series(List.of(Rounds.good()), CORES).isValid(), "nothing to run again");
    }

    @Test
    void shouldNeedTheSamePartOfAnotherNumberOfRounds()
    {
        assertEquals(5, Series.needed(9));
        assertEquals(1, Series.needed(1));
        assertEquals(2, Series.needed(2));
        assertEquals(10, Series.needed(18));
    }
}
