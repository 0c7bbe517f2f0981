package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Series;
import org.HdrHistogram.Histogram;

import java.util.function.ToLongFunction;

/**
 * The rounds of one path at one rate. One thread.
 */
final class WireRounds
{
    final String name;
    final Series<Round> series = new Series<>(Round::isClean);

    WireRounds(final String name)
    {
        this.name = name;
    }

    /**
     * One round.
     *
     * @param wire     latencies from the intended send time, in nanoseconds.
     * @param inside   latencies from the receipt; null if not measured.
     * @param sent     events.
     * @param missing  those that did not come through; over TCP of all since the clients connected.
     * @param achieved events a second.
     * @param cpuShare of the receiving thread; not a number if not measured.
     * @param steal    part of the CPUs' time that the host took.
     * @param bytes    that the receiving thread allocated.
     */
    record Round(
        Histogram wire, Histogram inside, long sent, long missing, double achieved, double cpuShare, double steal,
        long bytes)
    {
        boolean isClean()
        {
            return Readings.isClean(steal);
        }
    }

    String count(final ToLongFunction<Round> what)
    {
        return Long.toString(series.rounds().stream().mapToLong(what).sum());
    }

    /** Clean rounds of all; INVALID if they are too few, and the figures are of all. */
    String clean()
    {
        return (series.isValid() ? "" : "INVALID ") + series.clean() + "/" + series.rounds().size();
    }

    String cpu()
    {
        return Figure.percent(series.median(Round::cpuShare));
    }

    /** Median of the ratios of paired rounds that both count. */
    String ratioTo(final WireRounds other, final double percentile)
    {
        return Figure.two(series.ratioTo(other.series, round -> Quantile.of(round.wire, percentile)));
    }
}
