package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.Serializable;
import java.util.List;

/**
 * One round of the hiccup meter.
 *
 * @param hiccups latencies of an open loop without a path, in nanoseconds.
 * @param steal   part of the CPU's time that the host took away, 0 to 1; not a number when not known.
 */
public record HiccupRound(Histogram hiccups, double steal) implements Serializable
{
    /**
     * Checks whether the round counts.
     *
     * @return as {@link Readings#isClean} has it for a contender.
     */
    public boolean isClean()
    {
        return Readings.isClean(steal);
    }

    /**
     * The rounds that count.
     *
     * @param rounds some.
     * @return the clean ones, all when none is clean.
     */
    public static List<HiccupRound> kept(final List<HiccupRound> rounds)
    {
        final List<HiccupRound> clean = rounds.stream().filter(HiccupRound::isClean).toList();
        return clean.isEmpty() ? rounds : clean;
    }

    /**
     * The hiccups of the rounds that count.
     *
     * @param rounds some.
     * @return latencies in nanoseconds.
     */
    public static Histogram sum(final List<HiccupRound> rounds)
    {
        final Histogram sum = LatencyRecorder.newHistogram();
        kept(rounds).forEach(round -> sum.add(round.hiccups()));
        return sum;
    }
}
