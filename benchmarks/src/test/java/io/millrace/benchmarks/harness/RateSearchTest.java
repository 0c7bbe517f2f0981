package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RateSearchTest
{
    private static final RoundPlan PLAN = Rounds.PLAN;
    private static final long MAX_P50_NS = 10_000;
    private static final long SLOW_NS = 10_000_000;
    private static final long STEP = 100_000;

    private final List<Long> asked = new ArrayList<>();

    /** A path that carries so much and no more; the host spoils the first rounds. */
    private RateSearch.Rounds pathOf(final long carries, final int spoiled)
    {
        return perSecond ->
        {
            asked.add(perSecond);
            final RoundPlan plan = PLAN.at(perSecond, 10);
            final boolean isSpoiled = asked.size() <= spoiled;
            return Rounds.with(plan, isSpoiled ? 0.5 : 0.0, 2, isSpoiled || perSecond > carries ? 0.9 : 1.0);
        };
    }

    @Test
    void shouldReduceTheRateUntilTwoRoundsAchieveIt() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(MAX_P50_NS, pathOf(6_000_000, 0), () -> true)
            .below(7_000_000);
        assertEquals(List.of(6_600_000L, 6_600_000L, 5_600_000L, 5_600_000L), asked);
        assertEquals(5_600_000, carried.perSecond());
        assertEquals(6_600_000, carried.missed());
        assertEquals("carries 5,600,000/s with a p50 below 10.0 µs (it is 199 ns, 2 short rounds); does not " +
            "carry 6,600,000/s", carried.toString());
    }

    @Test
    void shouldNotBlameThePathForRoundsThatTheHostDisturbed() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(MAX_P50_NS, pathOf(9_000_000, 3), () -> true)
            .below(7_000_000);
        assertEquals(6_600_000, carried.perSecond());
        assertEquals(0, carried.missed());
        assertEquals(5, asked.size());
    }

    @Test
    void shouldGiveUpAfterEightRates() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(MAX_P50_NS, pathOf(0, 0), () -> true).below(7_000_000);
        assertEquals(0, carried.perSecond());
        assertEquals(8, asked.stream().distinct().count());
        assertTrue(carried.toString().startsWith("no rate with a p50 below 10.0 µs was found; "), carried::toString);
    }

    @Test
    void shouldEndWithTheTime() throws IOException
    {
        final RateSearch.Carried carried =
            new RateSearch(MAX_P50_NS, pathOf(0, 0), () -> asked.size() < 2).below(7_000_000);
        assertTrue(carried.timedOut());
        assertEquals("no rate with a p50 below 10.0 µs was found; does not carry 6,600,000/s; the time budget " +
            "ended the search", carried.toString());
    }

    @Test
    void shouldRoundDownToTwoDigits()
    {
        assertEquals(6_600_000, RateSearch.twoDigits(6_650_000));
        assertEquals(990, RateSearch.twoDigits(999.9));
        assertEquals(12_000_000, RateSearch.twoDigits(12_990_000));
    }

    /** Answer of a path that carries a limit and not more. */
    private static Round round(final long perSecond, final long limit)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        latencies.recordValueWithCount(perSecond > limit ? 2 * SLOW_NS : 1_000, 1_000);
        return Rounds.with(PLAN.at(perSecond, 100), latencies, 0.0, 2.0, Math.min(1.0, (double)limit / perSecond));
    }

    private static RateSearch.Carried found(final long perSecond, final long missed, final boolean timedOut)
    {
        return new RateSearch.Carried(perSecond, Double.NaN, 0, missed, timedOut, SLOW_NS);
    }

    @Test
    void shouldFindTheRateToAHundredThousand() throws IOException
    {
        final RateSearch search = new RateSearch(SLOW_NS, perSecond -> round(perSecond, 7_340_000), () -> true);
        assertEquals(found(7_300_000, 7_400_000, false), search.between(5_000_000, 10_000_000, STEP));
    }

    @Test
    void shouldSearchUpwardsWhenNoRateIsKnownToBeMissed() throws IOException
    {
        final RateSearch search = new RateSearch(SLOW_NS, perSecond -> round(perSecond, 7_340_000), () -> true);
        assertEquals(found(7_300_000, 7_400_000, false), search.between(1_000_000, 0, STEP));
        assertEquals(found(0, 0, false), search.between(0, 0, STEP));
    }

    @Test
    void shouldSayWhatItKnowsWhenTheTimeIsOver() throws IOException
    {
        final int[] rounds = new int[1];
        final RateSearch search = new RateSearch(SLOW_NS, perSecond ->
        {
            rounds[0]++;
            return round(perSecond, 7_340_000);
        }, () -> rounds[0] == 0);
        assertEquals(found(5_000_000, 7_500_000, true), search.between(5_000_000, 10_000_000, STEP));
    }

    @Test
    void shouldNotAcceptARateThatIsMissedOrHasTooLongWaits()
    {
        final RateSearch search = new RateSearch(SLOW_NS, perSecond -> null, () -> true);
        assertTrue(search.isCarried(1_000_000, 995_000, 9_000_000));
        assertFalse(search.isCarried(1_000_000, 985_000, 1_000));
        assertFalse(search.isCarried(1_000_000, 1_000_000, 10_000_000));
        assertFalse(search.isCarried(1_000_000, 1_000_000, Double.NaN));
    }
}
