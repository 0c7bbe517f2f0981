package io.millrace.benchmarks.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class RateSearchTest
{
    private static final RoundPlan PLAN = Rounds.PLAN;

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
    void shouldGoDownUntilTwoRoundsCarryTheRate() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(pathOf(6_000_000, 0), () -> true).below(7_000_000);
        assertEquals(List.of(6_600_000L, 6_600_000L, 5_600_000L, 5_600_000L), asked);
        assertEquals(5_600_000, carried.perSecond());
        assertEquals(6_600_000, carried.missed());
        assertEquals("carries 5,600,000/s with a p50 below 10.0 µs (it is 199 ns, 2 short rounds); 6,600,000/s is " +
            "not carried so", carried.toString());
    }

    @Test
    void shouldNotHoldAgainstThePathWhatTheHostSpoiled() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(pathOf(9_000_000, 3), () -> true).below(7_000_000);
        assertEquals(6_600_000, carried.perSecond());
        assertEquals(0, carried.missed());
        assertEquals(5, asked.size());
    }

    @Test
    void shouldGiveUpAfterEightRates() throws IOException
    {
        final RateSearch.Carried carried = new RateSearch(pathOf(0, 0), () -> true).below(7_000_000);
        assertEquals(0, carried.perSecond());
        assertEquals(8, asked.stream().distinct().count());
        assertTrue(carried.toString().startsWith("no rate with a p50 below 10.0 µs was found; "), carried::toString);
    }

    @Test
    void shouldEndWithTheTime() throws IOException
    {
        final RateSearch.Carried carried =
            new RateSearch(pathOf(0, 0), () -> asked.size() < 2).below(7_000_000);
        assertTrue(carried.timedOut());
        assertEquals("no rate with a p50 below 10.0 µs was found, the time budget does not allow to look further; " +
            "6,600,000/s is not carried so", carried.toString());
    }

    @Test
    void shouldRoundDownToTwoDigits()
    {
        assertEquals(6_600_000, RateSearch.twoDigits(6_650_000));
        assertEquals(990, RateSearch.twoDigits(999.9));
        assertEquals(12_000_000, RateSearch.twoDigits(12_990_000));
    }
}
