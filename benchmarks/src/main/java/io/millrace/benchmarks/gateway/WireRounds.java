package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The rounds of one path at one rate. One thread.
 */
final class WireRounds
{
    final String name;
    final List<Round> all = new ArrayList<>();

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

    /** Over the clean rounds; over all if there is none. */
    Histogram sum(final Function<Round, Histogram> what)
    {
        final List<Round> clean = all.stream().filter(Round::isClean).toList();
        final Histogram sum = LatencyRecorder.newHistogram();
        (clean.isEmpty() ? all : clean).forEach(round -> sum.add(what.apply(round)));
        return sum;
    }

    String count(final ToLongFunction<Round> what)
    {
        return Long.toString(all.stream().mapToLong(what).sum());
    }

    String clean()
    {
        return all.stream().filter(Round::isClean).count() + "/" + all.size();
    }

    String cpu()
    {
        return Figure.percent(Quantile.median(all.stream().mapToDouble(Round::cpuShare).toArray()));
    }

    /** Median of the paired rounds' ratios. */
    String ratioTo(final WireRounds other, final double percentile)
    {
        final double[] ratios = new double[all.size()];
        Arrays.setAll(ratios, i -> (double)all.get(i).wire.getValueAtPercentile(percentile) /
            other.all.get(i).wire.getValueAtPercentile(percentile));
        return Figure.two(Quantile.median(ratios));
    }
}
