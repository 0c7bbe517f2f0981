package io.millrace.benchmarks.gateway;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class WireRoundsTest
{
    private final WireRounds ours = new WireRounds("ours");
    private final WireRounds bare = new WireRounds("bare");

    private static WireRounds.Round round(final long ns, final double steal)
    {
        final Histogram wire = LatencyRecorder.newHistogram();
        wire.recordValueWithCount(ns, 100);
        return new WireRounds.Round(wire, null, 100, 0, 1_000, Double.NaN, steal, 0);
    }

    private void addPair(final long oursNs, final long bareNs, final double steal)
    {
        ours.series.add(round(oursNs, steal));
        bare.series.add(round(bareNs, 0));
    }

    @Test
    void shouldLeaveDisturbedRoundsOutOfRatiosToo()
    {
        for (int i = 0; i < 5; i++)
        {
            addPair(200, 100, 0);
        }
        for (int i = 0; i < 4; i++)
        {
            addPair(90_000, 100, 0.02);
        }
        assertEquals("2.00", ours.ratioTo(bare, 50));
        assertEquals("5/9", ours.clean());
        assertEquals(500, ours.series.merged(WireRounds.Round::wire).getTotalCount());
    }

    @Test
    void shouldSayWhenTooFewRoundsAreClean()
    {
        addPair(200, 100, 0);
        addPair(300, 100, 0.5);
        addPair(400, 100, 0.5);
        assertEquals("INVALID 1/3", ours.clean());
        assertEquals("3.00", ours.ratioTo(bare, 50));
    }
}
