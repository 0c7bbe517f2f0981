package io.millrace.benchmarks.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * One rate: both contenders and the hiccups of the host between them.
 *
 * @param rate    asked for.
 * @param server  the server's rounds.
 * @param raw     the raw floor's rounds, each run right after the server's of the same index.
 * @param hiccups the hiccup rounds, each run right after those two.
 */
public record RateSummary(Rate rate, PathSummary server, PathSummary raw, List<HiccupRound> hiccups)
{
    /**
     * Whether both contenders' rounds make a result.
     *
     * @return false when the rate should be run again.
     */
    public boolean valid()
    {
        return server.verdict().valid() && raw.verdict().valid();
    }

    /**
     * What the figures that come from both contenders are worth.
     *
     * @return the status that both have, else that of each by its name.
     */
    public String status()
    {
        final String ours = server.verdict().status();
        final String floor = raw.verdict().status();
        return ours.equals(floor) ? ours : server.name() + " " + ours + ", " + raw.name() + " " + floor;
    }

    /**
     * Clean rounds of the contender that has fewer of them.
     *
     * @return a count: the more, the better the attempt.
     */
    public int clean()
    {
        return Math.min(server.verdict().clean(), raw.verdict().clean());
    }

    /**
     * The hiccups of the clean rounds, of all rounds when none was clean.
     *
     * @return latencies in nanoseconds.
     */
    public Histogram hiccupSum()
    {
        final Histogram sum = LatencyRecorder.newHistogram();
        final boolean noneClean = hiccups.stream().noneMatch(HiccupRound::isClean);
        hiccups.stream().filter(round -> noneClean || round.isClean()).forEach(round -> sum.add(round.hiccups()));
        return sum;
    }

    /**
     * Server to raw floor, round by round: each pair ran back to back.
     *
     * @param what the value of a round.
     * @return the ratios of the pairs in which both rounds count; empty when there is none.
     */
    public double[] ratios(final ToDoubleFunction<RoundResult> what)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < server.rounds().size() && i < raw.rounds().size(); i++)
        {
            final RoundResult ours = server.rounds().get(i);
            final RoundResult floor = raw.rounds().get(i);
            if (server.verdict().kept().contains(ours) && raw.verdict().kept().contains(floor))
            {
                ratios.add(what.applyAsDouble(ours) / what.applyAsDouble(floor));
            }
        }
        return ratios.stream().mapToDouble(Double::doubleValue).filter(Double::isFinite).toArray();
    }
}
