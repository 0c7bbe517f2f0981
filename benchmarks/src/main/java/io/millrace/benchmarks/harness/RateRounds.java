package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures paths at rates: the rounds of all paths interleaved, and the hiccups of the host behind each round. One
 * thread.
 *
 * @param out     for a line about each round.
 * @param meter   of the hiccups.
 * @param cores   CPUs of the machine.
 * @param roundMs duration of a round in milliseconds.
 */
public record RateRounds(PrintStream out, HostMeter meter, int cores, int roundMs)
{
    /**
     * Measure paths at a rate.
     *
     * @param rate   the rate.
     * @param rounds of each path.
     * @param paths  the paths.
     * @return their result.
     * @throws IOException when one fails.
     */
    public RateSummary measure(final Rate rate, final int rounds, final List<? extends RatedPath> paths)
        throws IOException
    {
        final Map<RatedPath, List<Round>> all = new LinkedHashMap<>();
        final List<RatedPath> pathsAndHost = new ArrayList<>(paths);
        pathsAndHost.forEach(path -> all.put(path, new ArrayList<>()));
        // Null stands for the host.
        pathsAndHost.add(null);
        final List<HiccupRound> hiccups = new ArrayList<>();
        Interleaving.run(out, rate.label() + "/s", 0, rounds, pathsAndHost, (path, number) ->
        {
            if (path == null)
            {
                final HiccupRound hiccup = hiccup();
                hiccups.add(hiccup);
                return "hiccup p99 " + Quantile.text(hiccup.hiccups(), 99.0);
            }
            final Round round = path.round(rate.perSecond(), roundMs, "round " + number);
            all.get(path).add(round);
            return path.name() + " p50 " + Quantile.text(round.intendedNs(50.0)) + " p99 " +
                Quantile.text(round.intendedNs(99.0)) + " steal " + Figure.percent(round.readings().steal()) + " %";
        });
        return new RateSummary(rate, all.entrySet().stream()
            .map(entry -> new PathSummary(entry.getKey().name(), rate, entry.getValue(), cores)).toList(), hiccups);
    }

    /**
     * One round of hiccups, half as long as the others: at a million samples a second that is enough.
     *
     * @return the round.
     * @throws IOException when the meter fails.
     */
    public HiccupRound hiccup() throws IOException
    {
        return meter.hiccup(roundMs / 2);
    }
}
