package io.millrace.benchmarks.rate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.HdrHistogram.Histogram;

/**
 * The tables of the report as text, at most 150 columns wide. Stateless; any thread.
 */
public final class ReportTable
{
    private static final List<String> NAMES = Quantile.TOLD.stream()
        .map(percentile -> "p" + new BigDecimal(percentile.toString()).stripTrailingZeros().toPlainString())
        .toList();

    // Where the empty handler is beside another one: in a turn of costs, and among the paths of a rate.
    private static final int EMPTY_COST = 3;
    private static final int EMPTY_PATH = 2;

    private ReportTable()
    {
    }

    /**
     * Latencies from the intended time, with everything that was counted.
     *
     * @param rates what was measured.
     * @return lines.
     */
    public static List<String> main(final List<RateSummary> rates)
    {
        final List<String> titles = new ArrayList<>(List.of("asked/s", "path", "achieved/s"));
        titles.addAll(NAMES);
        titles.addAll(List.of("max", "mean", "B/event", "GC", "full", "rej+drop", "CPU ns", "status"));
        final TextTable table = new TextTable(2, titles.toArray(new String[0]));
        for (final RateSummary rate : rates)
        {
            table.add();
            rate.paths().forEach(path -> table.add(row(path)));
            table.add(latencies(rate.hiccupSum(), "", "hiccup", "").toArray(new String[0]));
        }
        return table.lines();
    }

    private static String[] row(final PathSummary path)
    {
        final List<String> cells = latencies(path.intended(), path.rate().label(), path.name(),
            String.format(Locale.ROOT, "%,d", Math.round(path.achievedPerSecond())));
        cells.add(bytes(path.perEvent(RoundResult::allocatedBytes)));
        cells.add(Long.toString(path.sum(RoundResult::gcCount)));
        cells.add(Long.toString(path.sum(RoundResult::fullWaits)));
        cells.add(Long.toString(path.sum(RoundResult::rejected) + path.sum(RoundResult::dropped)));
        cells.add(String.format(Locale.ROOT, "%.0f", path.perEvent(RoundResult::cpuNs)));
        cells.add(path.verdict().status());
        return cells.toArray(new String[0]);
    }

    private static List<String> latencies(final Histogram histogram, final String... before)
    {
        final List<String> cells = new ArrayList<>(List.of(before));
        Quantile.TOLD.forEach(percentile -> cells.add(Quantile.text(Quantile.of(histogram, percentile))));
        cells.add(histogram.getTotalCount() == 0 ? "-" : Quantile.text(histogram.getMaxValue()));
        cells.add(histogram.getTotalCount() == 0 ? "-" : Quantile.text(Math.round(histogram.getMean())));
        return cells;
    }

    private static String bytes(final double perEvent)
    {
        return perEvent == 0.0 ? "0" : String.format(Locale.ROOT, "%.4f", perEvent);
    }

    /**
     * The closed formula beside it.
     *
     * @param rates what was measured.
     * @return lines.
     */
    public static List<String> closed(final List<RateSummary> rates)
    {
        final List<String> titles = new ArrayList<>(List.of("asked/s", "path"));
        titles.addAll(NAMES);
        titles.addAll(List.of("max", "mean", "status"));
        final TextTable table = new TextTable(2, titles.toArray(new String[0]));
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                final List<String> cells = latencies(path.direct(), rate.rate().label(), path.name());
                cells.add(path.verdict().status());
                table.add(cells.toArray(new String[0]));
            }
        }
        return table.lines();
    }

    /**
     * Server to raw floor, to the empty handler where that is a path of its own, and the server's tail to the host's.
     *
     * @param rates what was measured.
     * @return lines.
     */
    public static List<String> ratios(final List<RateSummary> rates)
    {
        final TextTable table = new TextTable(1, "asked/s", "p50", "p90", "p99", "mean", "closed p50", "pairs",
            "p50 to empty", "p99.9 to hiccup", "status");
        for (final RateSummary rate : rates)
        {
            table.add(rate.rate().label(),
                ratio(rate.ratios(round -> Quantile.of(round.intended(), 50.0))),
                ratio(rate.ratios(round -> Quantile.of(round.intended(), 90.0))),
                ratio(rate.ratios(round -> Quantile.of(round.intended(), 99.0))),
                ratio(rate.ratios(round -> round.intended().getMean())),
                ratio(rate.ratios(round -> Quantile.of(round.direct(), 50.0))),
                Integer.toString(rate.ratios(round -> 1.0).length),
                rate.paths().size() <= EMPTY_PATH ? "-" :
                    ratio(rate.ratios(rate.paths().get(EMPTY_PATH), round -> Quantile.of(round.intended(), 50.0))),
                ratio(Quantile.of(rate.server().intended(), 99.9) / Quantile.of(rate.hiccupSum(), 99.9)),
                rate.status());
        }
        return table.lines();
    }

    /**
     * Write ratios.
     *
     * @param ratios one for each pair of rounds.
     * @return their median; {@code -} when there is none.
     */
    public static String ratio(final double... ratios)
    {
        final double median = Quantile.median(ratios);
        return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, "%.2f", median);
    }

    /**
     * The cost on one thread.
     *
     * @param costs server, raw floor and the loop without a path, and the server with the empty handler where another
     *              one is under test, in turns.
     * @return lines.
     */
    public static List<String> cost(final List<CostRunner.Cost[]> costs)
    {
        final double[] server = perEvent(costs, 0);
        final double[] raw = perEvent(costs, 1);
        final double[] loop = perEvent(costs, 2);
        final double[] ratios = costs.stream()
            .mapToDouble(turn -> turn[0].perEventNs() / turn[1].perEventNs()).toArray();
        final double bytes = costs.stream().mapToDouble(turn -> turn[0].allocatedBytes()).sum();
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "cost on one thread, CPU time, no clock reading: server %.1f ns/event " +
            "(best %.1f), raw floor %.1f (best %.1f), ratio %.2f; server allocated %.0f bytes",
            Quantile.median(server), best(server), Quantile.median(raw), best(raw), Quantile.median(ratios), bytes));
        lines.add(String.format(Locale.ROOT, "of which filling, handling and checking an event, in a loop without a " +
            "path: %.1f (best %.1f); ratio of what is beyond it, of the medians: %s",
            Quantile.median(loop), best(loop),
            beyond(Quantile.median(server), Quantile.median(raw), Quantile.median(loop))));
        if (costs.get(0).length > EMPTY_COST)
        {
            final double[] empty = perEvent(costs, EMPTY_COST);
            lines.add(String.format(Locale.ROOT, "server with the empty handler: %.1f (best %.1f); so matching and " +
                "its executions cost %.1f ns/event, of the medians", Quantile.median(empty), best(empty),
                Quantile.median(server) - Quantile.median(empty)));
        }
        return lines;
    }

    private static double[] perEvent(final List<CostRunner.Cost[]> costs, final int index)
    {
        return costs.stream().mapToDouble(turn -> turn[index].perEventNs()).toArray();
    }

    private static double best(final double... costs)
    {
        return Arrays.stream(costs).min().orElse(Double.NaN);
    }

    /**
     * Server to raw floor without what both do in common. Of medians: the differences of single turns are too small to
     * divide by.
     *
     * @param server cost of an event.
     * @param raw    cost of an event.
     * @param loop   cost of an event.
     * @return the ratio; {@code -} when the raw floor costs no more than the loop.
     */
    static String beyond(final double server, final double raw, final double loop)
    {
        return raw > loop ? ratio((server - loop) / (raw - loop)) : "-";
    }

    /**
     * Every round on a line of its own.
     *
     * @param rates what was measured.
     * @return lines.
     */
    public static List<String> rounds(final List<RateSummary> rates)
    {
        return rounds(rates, true);
    }

    /**
     * Every round of an attempt of which nothing is in the other tables.
     *
     * @param attempt what was measured and run again.
     * @return lines.
     */
    public static List<String> discardedRounds(final RateSummary attempt)
    {
        return rounds(List.of(attempt), false);
    }

    private static List<String> rounds(final List<RateSummary> rates, final boolean told)
    {
        final TextTable table = new TextTable(2, "asked/s", "path", "round", "achieved/s", "p50", "p99", "p99.9", "max",
            "steal %", "runnable", "switches", "bytes", "GC", "full", "rejected", "counts");
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                for (int i = 0; i < path.rounds().size(); i++)
                {
                    table.add(round(path, i, told));
                }
            }
        }
        return table.lines();
    }

    private static String[] round(final PathSummary path, final int index, final boolean told)
    {
        final RoundResult round = path.rounds().get(index);
        return new String[] {
            path.rate().label(),
            path.name(),
            Integer.toString(index + 1),
            String.format(Locale.ROOT, "%,d", Math.round(round.achievedPerSecond())),
            Quantile.text(Quantile.of(round.intended(), 50.0)),
            Quantile.text(Quantile.of(round.intended(), 99.0)),
            Quantile.text(Quantile.of(round.intended(), 99.9)),
            Quantile.text(round.intended().getMaxValue()),
            percent(round.steal()),
            Double.isNaN(round.runnable()) ? "-" : String.format(Locale.ROOT, "%.2f", round.runnable()),
            Long.toString(round.involuntarySwitches()),
            Long.toString(round.allocatedBytes()),
            Long.toString(round.gcCount()),
            Long.toString(round.fullWaits()),
            Long.toString(round.rejected()),
            told && path.verdict().kept().contains(round) ? "yes" : "no"};
    }

    /**
     * Write a part of a whole.
     *
     * @param part 0 to 1, possibly not a number.
     * @return percent without the sign; {@code -} for not a number.
     */
    public static String percent(final double part)
    {
        return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f", 100.0 * part);
    }

    /**
     * What keeps a rate from being a plain result.
     *
     * @param rates what was measured.
     * @return one line for each path that is invalid, saturated or lost rounds; possibly none.
     */
    public static List<String> remarks(final List<RateSummary> rates)
    {
        return rates.stream().flatMap(rate -> rate.paths().stream())
            .map(ReportTable::remark).filter(remark -> !remark.isEmpty()).collect(Collectors.toList());
    }

    private static String remark(final PathSummary path)
    {
        final Verdict verdict = path.verdict();
        final List<String> parts = new ArrayList<>();
        if (!verdict.valid())
        {
            parts.add("INVALID: " + verdict.invalid() + "; figures of all rounds");
        }
        else if (verdict.clean() < verdict.rounds())
        {
            parts.add((verdict.rounds() - verdict.clean()) + " of " + verdict.rounds() +
                " rounds dropped for steal above 1 %");
        }
        if (verdict.saturated())
        {
            parts.add(String.format(Locale.ROOT, "SATURATED: %.1f %% of the rate achieved: it carried %,.0f/s",
                100.0 * path.achievedPerSecond() / path.rate().perSecond(), path.achievedPerSecond()));
        }
        return parts.isEmpty() ? "" : path.rate().label() + " " + path.name() + ": " + String.join("; ", parts);
    }
}
