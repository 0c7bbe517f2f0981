package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Lines of text about paths at rates, for all reports that measure latencies by rate. Fixed columns, at most 150 wide.
 */
public final class RateTables
{
    private RateTables()
    {
    }

    /**
     * Percentiles as cells, and the greatest value.
     *
     * @param histogram   the latencies in nanoseconds.
     * @param percentiles which.
     * @param before      cells to come first.
     * @return the cells.
     */
    public static List<String> latencies(
        final Histogram histogram, final List<Double> percentiles, final String... before)
    {
        final List<String> cells = new ArrayList<>(List.of(before));
        percentiles.forEach(percentile -> cells.add(Quantile.text(histogram, percentile)));
        cells.add(histogram.getTotalCount() == 0 ? "-" : Quantile.text(histogram.getMaxValue()));
        return cells;
    }

    /**
     * Every round of every path, with its disturbance by the host.
     *
     * @param rates the measured rates.
     * @param count whether any of them is part of the result.
     * @return one line for each round and a title.
     */
    public static List<String> rounds(final List<RateSummary> rates, final boolean count)
    {
        final TextTable table = new TextTable(2, "asked/s", "path", "round", "achieved/s", "p50", "p99", "p99.9", "max",
            "steal %", "runnable", "switches", "bytes", "GC", "full", "rejected", "counts");
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                for (int i = 0; i < path.series().rounds().size(); i++)
                {
                    table.add(round(path, i, count && path.series().counts(i)));
                }
            }
        }
        return table.lines();
    }

    private static String[] round(final PathSummary path, final int index, final boolean counts)
    {
        final Round round = path.series().rounds().get(index);
        final Readings readings = round.readings();
        return new String[] {
            path.rate().label(),
            path.name(),
            Integer.toString(index + 1),
            Figure.rate(round.achievedPerSecond()),
            Quantile.text(round.intendedNs(50.0)),
            Quantile.text(round.intendedNs(99.0)),
            Quantile.text(round.intendedNs(99.9)),
            Quantile.text(round.intended().getMaxValue()),
            Figure.percent(readings.steal()),
            Figure.two(round.runnable()),
            Long.toString(readings.switches()),
            Long.toString(readings.allBytes()),
            Long.toString(readings.gcCount()),
            Long.toString(round.fullWaits()),
            Long.toString(round.rejected()),
            counts ? "yes" : "no"};
    }

    /**
     * Remarks about paths that are no clean result.
     *
     * @param rates the measured rates.
     * @return one line for each of them.
     */
    public static List<String> remarks(final List<RateSummary> rates)
    {
        return rates.stream().flatMap(rate -> rate.paths().stream())
            .map(RateTables::remark).filter(remark -> !remark.isEmpty()).collect(Collectors.toList());
    }

    private static String remark(final PathSummary path)
    {
        final Series<Round> series = path.series();
        final List<String> parts = new ArrayList<>();
        final int dropped = series.rounds().size() - series.clean();
        if (!series.isValid())
        {
            parts.add("INVALID: " + series.invalid() + "; figures of all rounds");
        }
        else if (dropped > 0)
        {
            parts.add(dropped + " of " + series.rounds().size() + " rounds dropped for steal above 1 %");
        }
        if (series.isSaturated())
        {
            parts.add(String.format(Locale.ROOT, "SATURATED: %.1f %% of the rate achieved: it carried %,.0f/s",
                100.0 * path.achievedPerSecond() / path.rate().perSecond(), path.achievedPerSecond()));
        }
        return parts.isEmpty() ? "" : path.rate().label() + " " + path.name() + ": " + String.join("; ", parts);
    }

    /**
     * Summary of a path at a rate, for the header of its files.
     *
     * @param path its rounds.
     * @param rate the rate they belong to.
     * @return lines.
     */
    public static List<String> describe(final PathSummary path, final RateSummary rate)
    {
        final Series<Round> series = path.series();
        final Histogram hiccups = rate.hiccupSum();
        return List.of(
            "path: " + path.name(),
            String.format(Locale.ROOT, "rate asked: %,d/s; achieved: %,.0f/s",
                path.rate().perSecond(), path.achievedPerSecond()),
            String.format(Locale.ROOT, "offered %,d = handled %,d + rejected %,d + dropped %,d",
                path.sum(Round::offered), path.sum(Round::handled), path.sum(Round::rejected),
                path.sum(Round::dropped)),
            String.format(Locale.ROOT, "waited for capacity in the ring: %,d", path.sum(Round::fullWaits)),
            "status: " + series.status() + " rounds clean" +
                (series.isValid() ? "" : "; INVALID: " + series.invalid() + "; figures of all rounds") +
                (series.isPreview() ? "; fewer than " + Series.FULL_ROUNDS + " rounds: a preview, no result" : "") +
                (series.isSaturated() ? "; SATURATED: below 99 % of the rate asked" : ""),
            String.format(Locale.ROOT, "allocated: %d bytes; GC: %d; CPU: %.0f ns/event",
                path.sum(round -> round.readings().allBytes()), path.sum(round -> round.readings().gcCount()),
                path.perEvent(round -> round.readings().allCpuNs())),
            String.format(Locale.ROOT, "involuntary context switches of the measured threads: %,d",
                path.sum(round -> round.readings().switches())),
            "steal by round, %: " + String.join(" ",
                series.rounds().stream().map(round -> Figure.percent(round.readings().steal())).toList()),
            "hiccups of the host between these rounds: p99 " + Quantile.text(hiccups, 99.0) +
                ", p99.9 " + Quantile.text(hiccups, 99.9) +
                ", p99.99 " + Quantile.text(hiccups, 99.99),
            "latency: from the intended send time to the end of handling",
            "unit: ns");
    }
}
