package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.List;

/**
 * One rate: all paths and the hiccups of the host between them.
 *
 * @param rate    asked for.
 * @param paths   the server, the raw baseline, and others; the rounds of one index ran one right after the other.
 * @param hiccups the hiccup rounds, each run right after the paths' rounds of the same index.
 */
public record RateSummary(Rate rate, List<PathSummary> paths, List<HiccupRound> hiccups) implements Repeats.Attempt
{
    /** The server's rounds. */
    public PathSummary server()
    {
        return paths.get(0);
    }

    /** The raw baseline's rounds. */
    public PathSummary raw()
    {
        return paths.get(1);
    }

    @Override
    public String invalid()
    {
        return paths.stream().filter(path -> !path.series().isValid()).findFirst()
            .map(path -> path.name() + ": " + path.series().invalid()).orElse("");
    }

    @Override
    public int clean()
    {
        return paths.stream().mapToInt(path -> path.series().clean()).min().orElse(0);
    }

    @Override
    public String hopeless()
    {
        return server().series().isSaturated() ? "the server is SATURATED, which stays so" : "";
    }

    /**
     * Status of the figures that come from both server and raw baseline.
     *
     * @return the status that both have, else that of each by its name.
     */
    public String status()
    {
        final String ours = server().series().status();
        final String baseline = raw().series().status();
        return ours.equals(baseline) ? ours : server().name() + " " + ours + ", " + raw().name() + " " + baseline;
    }

    /**
     * The hiccups of the rounds that count.
     *
     * @return latencies in nanoseconds.
     */
    public Histogram hiccupSum()
    {
        return HiccupRound.sum(hiccups);
    }
}
