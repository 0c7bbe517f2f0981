package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Rounds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import io.millrace.benchmarks.cost.CostTables.IdleRow;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CostTablesTest
{
    private static OptionRound round(final double perEventNs, final double steal)
    {
        return new OptionRound(1_000, Rounds.readings(1, (long)(1_000 * perEventNs), 0, steal, 0));
    }

    private static OptionSeries series(final CostOption option, final double[] perEventNs, final double... referenceNs)
    {
        final OptionSeries series = new OptionSeries(option, OptionRound::cpuPerEventNs);
        for (int i = 0; i < perEventNs.length; i++)
        {
            if (referenceNs.length == 0)
            {
                series.add(round(perEventNs[i], 0.0), null);
            }
            else
            {
                series.add(round(perEventNs[i], 0.0), round(referenceNs[i], 0.0));
            }
        }
        return series;
    }

    @Test
    void shouldCompareNeighbouringRoundsAndNotMedians()
    {
        // The host was twice as slow in the second half; the option always costs one more.
        final OptionSeries option =
            series(CostOption.COUNTER, new double[] {11, 11, 11, 21, 21, 21}, 10, 10, 10, 20, 20, 20);
        assertArrayEquals(new double[] {1, 1, 1, 1, 1, 1}, option.more(), 1e-9);
    }

    @Test
    void shouldLeaveOutPairsOfWhichOneRoundWasDisturbed()
    {
        final OptionSeries option = series(CostOption.COUNTER, new double[] {12, 13, 12}, 10, 10, 10);
        option.add(round(99, 0.05), round(10, 0.0));
        option.add(round(12, 0.0), round(99, 0.05));
        assertArrayEquals(new double[] {2, 2, 3}, option.more(), 1e-9);
        assertEquals("PREVIEW 3/5", option.pairs.status());
    }

    @Test
    void shouldMarkWhatHasTooFewCleanRoundsAndShowAllOfThem()
    {
        final OptionSeries option = series(CostOption.BASE, new double[] {12});
        option.add(round(99, 0.05), null);
        option.add(new OptionRound(1_000, Rounds.readings(1, 50_000, 0, 0.0, 1)), null);
        assertEquals("INVALID 1/3", option.pairs.status());
        assertEquals(50.0, option.perEventNs());
    }

    @Test
    void shouldGiveTheMiddleHalf()
    {
        assertEquals("3.00 to 7.00", OptionSeries.middleHalf(1, 2, 3, 4, 5, 6, 7, 8, 9));
        assertEquals("1.00 to 2.00", OptionSeries.middleHalf(1, 2));
        assertEquals("-", OptionSeries.middleHalf());
        assertEquals("2/3", OptionSeries.above(-1, 0.5, 2));
    }

    @Test
    void shouldWriteALineForEachOption()
    {
        final List<OptionSeries> all = List.of(
            series(CostOption.BASE, new double[] {10, 10, 10, 10, 10, 10, 10, 10, 10}),
            series(CostOption.COUNTER, new double[] {11, 11, 11, 10.5, 10.5, 10.5, 11.5, 11.5, 11.5},
                10, 10, 10, 10, 10, 10, 10, 10, 10));
        assertEquals(List.of(
            "option   reference  ns/event  more          half  above 0  B/event  rounds",
            "base                   10.00                                     0  ok 9/9",
            "counter  base          11.00  1.00  0.50 to 1.50      9/9        0  ok 9/9"),
            CostTables.options(all, false));
        assertTrue(CostTables.options(all, true).get(0).contains("CPU ns"));
    }

    @Test
    void shouldGiveNoPercentileOfTooFewWakeUps()
    {
        final Histogram wakeUps = LatencyRecorder.newHistogram();
        wakeUps.recordValueWithCount(100, 60);
        final IdleRound quiet = new IdleRound(1_000_000, 10_000, 50, wakeUps, 0.0, 0);
        final IdleRound stolen = new IdleRound(1_000_000, 999_000, 50, wakeUps, 0.5, 0);
        final IdleRow row = new IdleRow(IdleKind.BACK_OFF);
        row.rounds().addAll(List.of(quiet, stolen, quiet));
        assertEquals(List.of(
            "strategy  CPU %  cycles/s  wake-up p50     p90  p99     max  wake-ups       rounds",
            "back off   1.00    50,000       100 ns  100 ns    -  100 ns       120  PREVIEW 2/3"),
            CostTables.idle(List.of(row)));
    }
}
