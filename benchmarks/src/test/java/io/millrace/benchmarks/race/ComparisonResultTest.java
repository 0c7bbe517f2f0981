package io.millrace.benchmarks.race;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ComparisonResultTest
{
    private static final double ALONE = 0.0001;
    private static final double CLEAN = 0.01;
    private static final double STOLEN = 0.011;

    private final Comparison comparison = new Comparison("test", "throughput", "A test", Discipline.THROUGHPUT, 0,
        List.of("ring", "ringBatch32"), List.of("lmax", "agrona", "lmaxBatch32"), List.of("baseline"));
    private final ComparisonResult summary = new ComparisonResult(comparison);

    private void rounds(final String contender, final double steal, final long... millions)
    {
        for (final long each : millions)
        {
            summary.add(contender, round(each, steal, ALONE));
        }
    }

    private static RaceResult round(final long millionsPerSecond, final double steal, final double waited)
    {
        return new RaceResult(0, millionsPerSecond * 1_000, 1_000_000, new Histogram(1), 1, 1, 0, 0, steal, waited,
            "NOT pinned");
    }

    @Test
    void shouldPairTheRoundsOfATurn()
    {
        rounds("ring", CLEAN, 20, 60, 30);
        rounds("lmax", CLEAN, 10, 20, 60);
        final ComparisonResult.Pairing pairing = summary.pairing("ring", "lmax");
        assertEquals(2.0, pairing.ratio());
        assertEquals(2, pairing.wins());
        assertEquals(3, pairing.pairs());
        assertFalse(pairing.ahead(), "30 is not above 60, and 2 of 3 is below 8 of 9");
    }

    @Test
    void shouldLeaveOutATurnOfWhichOneRoundWasStolen()
    {
        rounds("ring", CLEAN, 20, 20, 20, 20);
        rounds("lmax", CLEAN, 10, 10, 10);
        rounds("lmax", STOLEN, 40);
        assertEquals(3, summary.pairing("ring", "lmax").pairs());
        assertEquals(10e6, summary.figure("lmax"));
        assertTrue(summary.pairing("ring", "lmax").ahead());
    }

    @Test
    void shouldBeAheadByTheMedianOrByEightOfNineTurns()
    {
        rounds("ring", CLEAN, 20, 20, 20, 20, 20, 20, 20, 20, 20);
        rounds("lmax", CLEAN, 19, 19, 19, 19, 19, 19, 19, 19, 90);
        rounds("agrona", CLEAN, 19, 19, 19, 19, 19, 19, 19, 90, 90);
        assertTrue(summary.pairing("ring", "lmax").ahead());
        assertFalse(summary.pairing("ring", "agrona").ahead());
    }

    @Test
    void shouldBeInvalidWithTooFewCleanRoundsOrOtherThreads()
    {
        rounds("ring", CLEAN, 20, 20, 20, 20);
        rounds("ring", STOLEN, 20, 20, 20, 20, 20);
        assertEquals("INVALID 4/9", summary.rounds("ring").status());
        assertEquals(9, summary.rounds("ring").kept().size());
        for (int i = 0; i < 9; i++)
        {
            summary.add("lmax", round(10, CLEAN, 0.06));
        }
        assertEquals("0 of 9 rounds are clean, 5 are needed", summary.rounds("lmax").invalid());
        assertFalse(summary.invalid().isEmpty());
    }

    @Test
    void shouldCallFewRoundsAPreview()
    {
        rounds("ring", CLEAN, 20, 20);
        assertEquals("PREVIEW 2/2", summary.rounds("ring").status());
    }

    @Test
    void shouldCompareBatchesWithBatches()
    {
        rounds("lmax", CLEAN, 50);
        rounds("agrona", CLEAN, 60);
        rounds("lmaxBatch32", CLEAN, 100);
        assertEquals("agrona", summary.bestRival(false));
        assertEquals("lmaxBatch32", summary.bestRival(true));
        assertEquals("ring", comparison.reference("lmax"));
        assertEquals("ringBatch32", comparison.reference("lmaxBatch32"));
        assertNull(comparison.reference("ring"));
    }

    @Test
    void shouldTakeTheSmallerTimeForTheBetter()
    {
        final Comparison times = new Comparison("test", "roundtrip", "A test", Discipline.ROUND_TRIP, 0,
            List.of("ring"),
            List.of("jctools"), List.of());
        final ComparisonResult round = new ComparisonResult(times);
        round.add("ring", timed(300));
        round.add("jctools", timed(400));
        final ComparisonResult.Pairing pairing = round.pairing("ring", "jctools");
        assertEquals(0.75, pairing.ratio());
        assertEquals(1, pairing.wins());
        assertTrue(pairing.ahead());
    }

    static RaceResult timed(final long ns)
    {
        final Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(ns, 100_000);
        return new RaceResult(0, 100_000, 1_000_000, latencies, 1, 1, 0, 0, 0.0, ALONE, "NOT pinned");
    }

    @Test
    void shouldReportAndDrawAllContenders()
    {
        comparison.contenders().forEach(contender -> rounds(contender, CLEAN, 20, 30));
        final String table = String.join("\n", RaceTable.lines(summary));
        comparison.contenders().forEach(contender -> assertTrue(table.contains("\n" + contender + " "), table));
        assertTrue(table.contains("ring compared with the best rival lmax: ratio 1.00, won 0 of 2, ahead: no"), table);
        assertEquals(1 + 2 * comparison.contenders().size(), RaceTable.rounds(summary).size());
        final String svg = new RacePlot(List.of("a <host>")).add(summary).svg();
        assertEquals(2 * comparison.contenders().size(), svg.split("<circle").length - 1);
        assertTrue(svg.contains("a &lt;host&gt;") && svg.endsWith("</svg>\n"), svg);
    }
}
