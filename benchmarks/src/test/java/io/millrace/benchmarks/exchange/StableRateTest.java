package io.millrace.benchmarks.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.server.metrics.LatencyRecorder;

class StableRateTest
{
    private static final ThreadProbe.Usage NONE = new ThreadProbe.Usage(0, 0, 0);

    /** What an exchange answers that carries a limit and not more. */
    private static RoundResult round(final long perSecond, final long limit)
    {
        final RoundPlan plan = new RoundPlan(perSecond, 100, 2_048, "matching", Pinning.NONE, Pinning.NONE);
        final Histogram latencies = LatencyRecorder.newHistogram();
        latencies.recordValueWithCount(perSecond > limit ? 20_000_000 : 1_000, 1_000);
        final long elapsedNs = (long)(1_000 * 1e9 / Math.min(perSecond, limit));
        final ExchangeRound round = new ExchangeRound(perSecond, 1_000, 1_000, 1_000, 0, 0, elapsedNs, latencies,
            NONE, NONE, 2, 0, 0.0, 2.0, "", new ExchangeAnswer(0, 0, 0, 0, 0));
        return ExchangeJudge.result(round, plan);
    }

    @Test
    void shouldFindTheRateToAHundredThousand() throws IOException
    {
        final StableRate search = new StableRate(perSecond -> round(perSecond, 7_340_000), () -> true);
        assertEquals(new StableRate.Found(7_300_000, 7_400_000, false), search.between(5_000_000, 10_000_000));
    }

    @Test
    void shouldLookFurtherUpWhenNoneIsKnownThatIsNotCarried() throws IOException
    {
        final StableRate search = new StableRate(perSecond -> round(perSecond, 7_340_000), () -> true);
        assertEquals(new StableRate.Found(7_300_000, 7_400_000, false), search.between(1_000_000, 0));
        assertEquals(new StableRate.Found(0, 0, false), search.between(0, 0));
    }

    @Test
    void shouldSayWhatItKnowsWhenTheTimeIsOver() throws IOException
    {
        final int[] rounds = new int[1];
        final StableRate search = new StableRate(perSecond ->
        {
            rounds[0]++;
            return round(perSecond, 7_340_000);
        }, () -> rounds[0] == 0);
        assertEquals(new StableRate.Found(5_000_000, 7_500_000, true), search.between(5_000_000, 10_000_000));
    }

    @Test
    void shouldNotCallStableWhatFallsShortOrWaitsTooLong()
    {
        assertTrue(StableRate.carried(1_000_000, 995_000, 9_000_000));
        assertFalse(StableRate.carried(1_000_000, 985_000, 1_000));
        assertFalse(StableRate.carried(1_000_000, 1_000_000, 10_000_000));
        assertFalse(StableRate.carried(1_000_000, 1_000_000, Double.NaN));
    }
}
