package io.millrace.benchmarks.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * One rate: all paths and the hiccups of the host between them.
 *
 * @param rate    asked for.
 * @param paths   the server, the raw floor, and others, as {@link ReportPath#of} has them; the rounds of one index ran
 *                one right after the other.
 * @param hiccups the hiccup rounds, each run right after the paths' rounds of the same index.
 */
public record RateSummary(Rate rate, List<PathSummary> paths, List<HiccupRound> hiccups)
{
    /**
     * The server's rounds.
     *
     * @return the first path.
     */
    public PathSummary server()
    {
        return paths.get(0);
    }

    /**
     * The raw floor's rounds.
     *
     * @return the second path.
     */
    public PathSummary raw()
    {
        return paths.get(1);
    }

    /**
     * Whether all paths' rounds make a result.
     *
     * @return false when the rate should be run again.
     */
    public boolean valid()
    {
        return paths.stream().allMatch(path -> path.verdict().valid());
    }

    /**
     * Why the rate is no result.
     *
     * @return the first path that is none, and why; empty when all are.
     */
    public String invalid()
    {
        return paths.stream().filter(path -> !path.verdict().valid()).findFirst()
            .map(path -> path.name() + ": " + path.verdict().invalid()).orElse("");
    }

    /**
     * What the figures that come from both server and raw floor are worth.
     *
     * @return the status that both have, else that of each by its name.
     */
    public String status()
    {
        final String ours = server().verdict().status();
        final String floor = raw().verdict().status();
        return ours.equals(floor) ? ours : server().name() + " " + ours + ", " + raw().name() + " " + floor;
    }

    /**
     * Clean rounds of the path that has the fewest of them.
     *
     * @return a count: the more, the better the attempt.
     */
    public int clean()
    {
        return paths.stream().mapToInt(path -> path.verdict().clean()).min().orElse(0);
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
        return ratios(raw(), what);
    }

    /**
     * Server to another path, round by round.
     *
     * @param other one of the paths.
     * @param what  the value of a round.
     * @return the ratios of the pairs in which both rounds count; empty when there is none.
     */
    public double[] ratios(final PathSummary other, final ToDoubleFunction<RoundResult> what)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < server().rounds().size() && i < other.rounds().size(); i++)
        {
            final RoundResult ours = server().rounds().get(i);
            final RoundResult floor = other.rounds().get(i);
            if (server().verdict().kept().contains(ours) && other.verdict().kept().contains(floor))
            {
                ratios.add(what.applyAsDouble(ours) / what.applyAsDouble(floor));
            }
        }
        return ratios.stream().mapToDouble(Double::doubleValue).filter(Double::isFinite).toArray();
    }
}
