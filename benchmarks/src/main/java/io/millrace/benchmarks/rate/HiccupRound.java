package io.millrace.benchmarks.rate;

import org.HdrHistogram.Histogram;

/**
 * One round of the hiccup meter.
 *
 * @param hiccups latencies of an open loop without a path, in nanoseconds.
 * @param steal   part of the CPU's time that the host took away, 0 to 1; not a number when not known.
 */
public record HiccupRound(Histogram hiccups, double steal)
{
    /**
     * Read an answer.
     *
     * @param line the answer.
     * @return the round.
     */
    public static HiccupRound from(final WireLine line)
    {
        return new HiccupRound(line.histogram("intended"), line.fraction("steal"));
    }

    /**
     * Whether the round counts.
     *
     * @return as {@link Verdict#isClean} has it for a contender.
     */
    public boolean isClean()
    {
        return !(steal > Verdict.MAX_STEAL);
    }
}
