package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Readings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class BookSummaryTest
{
    private static final int COMMANDS = 1_000;
    private static final double TINY = 1e-9;

    private static BookRound round(
        final double ns, final double calibrationNs, final double steal, final double runnable)
    {
        final long cpuNs = Math.round(ns * COMMANDS);
        final Readings readings = new Readings(0, cpuNs, new long[] {cpuNs}, new long[] {2 * COMMANDS}, 0,
            (runnable - 1) * cpuNs, 0, steal, 0);
        return new BookRound(COMMANDS, readings, calibrationNs, "NOT pinned", new BookAnswer(1, 2, 0, 4, 5));
    }

    private static BookSummary summary(final double... ns)
    {
        final List<BookRound> rounds = new ArrayList<>();
        for (final double each : ns)
        {
            rounds.add(round(each, 5, 0, 1));
        }
        return new BookSummary("book", rounds);
    }

    @Test
    void shouldTakeMedianAndFastestQuarter()
    {
        final BookSummary nine = summary(9, 1, 8, 2, 7, 3, 6, 4, 5);
        assertEquals(5, nine.medianNs(), TINY);
        assertEquals(2, nine.quietNs(), TINY);
        assertEquals(1, nine.series().sorted(BookRound::ns)[0], TINY);
        assertEquals(9, nine.series().sorted(BookRound::ns)[8], TINY);
        assertEquals(2, nine.bytes(), TINY);
        assertEquals("ok 9/9", nine.series().status());
        assertEquals(3, summary(3).quietNs(), TINY);
    }

    @Test
    void shouldCallFewRoundsAPreview()
    {
        assertEquals("PREVIEW 3/3", summary(1, 2, 3).series().status());
    }

    @Test
    void shouldLeaveOutRoundsInWhichTheHostTookTimeAway()
    {
        final BookSummary summary = new BookSummary("book",
            List.of(round(10, 5, 0, 1), round(90, 5, 0.02, 1), round(12, 5, 0.01, 1)));
        assertTrue(summary.series().isValid());
        assertEquals(11, summary.medianNs(), TINY);
        assertEquals("PREVIEW 2/3", summary.series().status());
    }

    @Test
    void shouldCountRoundsWhereStealIsNotKnown()
    {
        assertTrue(new BookSummary("book", List.of(round(10, 5, Double.NaN, 1))).series().isValid());
    }

    @Test
    void shouldBeInvalidWithItsReason()
    {
        final BookSummary stolen = new BookSummary("book",
            List.of(round(10, 5, 0, 1), round(90, 5, 0.02, 1), round(12, 5, 0.5, 1)));
        assertFalse(stolen.series().isValid());
        assertEquals("INVALID 1/3 1 of 3 rounds are clean, 2 are needed", stolen.series()
            .status() + " " + stolen.series().invalid());
        assertEquals(12, stolen.medianNs(), TINY);
        final BookSummary overloaded = new BookSummary("book", List.of(round(10, 5, 0, 3)));
        assertEquals("INVALID 1/1 3.0 runnable threads on 1 CPU",
            overloaded.series().status() + " " + overloaded.series().invalid());
    }

    @Test
    void shouldCompareRoundsOfOneTurnAndOnePhaseOnly()
    {
        final BookSummary ours = new BookSummary("ours",
            List.of(round(10, 5, 0, 1), round(20, 8, 0, 1), round(10, 5, 0, 1), round(99, 5, 0.9, 1)));
        final BookSummary theirs = new BookSummary("theirs",
            List.of(round(30, 5.1, 0, 1), round(31, 5, 0, 1), round(40, 4.9, 0, 1), round(30, 5, 0, 1)));

        assertEquals(2, theirs.pairCount(ours));
        assertEquals(3.5, theirs.ratioTo(ours), TINY);
        assertEquals(25, theirs.beyondNs(ours), TINY);
        assertTrue(Double.isNaN(theirs.ratioTo(summary())));
    }
}
