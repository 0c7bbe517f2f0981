package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.RateTables;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import org.HdrHistogram.Histogram;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The tables of the report as text, at most 150 columns wide. Stateless; any thread.
 */
public final class ReportTable
{
    private static final List<String> NAMES = Quantile.REPORTED.stream()
        .map(percentile -> "p" + new BigDecimal(percentile.toString()).stripTrailingZeros().toPlainString())
        .toList();

    // Places of the empty handler when there is another one: in a round of costs, and among the paths of a rate.
    private static final int EMPTY_COST = 3;
    private static final int EMPTY_PATH = 2;
    /** Least part of the raw baseline's cost that the loop must leave: medians of the same run differ by as much. */
    private static final double MIN_BEYOND = 0.1;

    private ReportTable()
    {
    }

    /**
     * Latencies from the intended time, with everything that was counted.
     *
     * @param rates the measured rates.
     * @return lines.
     */
    public static List<String> main(final List<RateSummary> rates)
    {
        final List<String> titles = new ArrayList<>(List.of("asked/s", "path", "achieved/s"));
        titles.addAll(NAMES);
        titles.addAll(List.of("max", "mean", "B/event", "GC", "full", "rej+drop", "CPU ns", "status"));
        final TextTable table = new TextTable(2, titles);
        for (final RateSummary rate : rates)
        {
            table.add();
            rate.paths().forEach(path -> table.add(row(path)));
            table.add(latencies(rate.hiccupSum(), "", "hiccup", ""));
        }
        return table.lines();
    }

    private static List<String> row(final PathSummary path)
    {
        final List<String> cells = latencies(path.intended(), path.rate().label(), path.name(),
            Figure.rate(path.achievedPerSecond()));
        cells.add(Figure.bytes(path.perEvent(round -> round.readings().allBytes())));
        cells.add(Long.toString(path.sum(round -> round.readings().gcCount())));
        cells.add(Long.toString(path.sum(Round::fullWaits)));
        cells.add(Long.toString(path.sum(Round::rejected) + path.sum(Round::dropped)));
        cells.add(Figure.rate(path.perEvent(round -> round.readings().allCpuNs())));
        cells.add(path.series().status());
        return cells;
    }

    private static List<String> latencies(final Histogram histogram, final String... before)
    {
        final List<String> cells = RateTables.latencies(histogram, Quantile.REPORTED, before);
        cells.add(histogram.getTotalCount() == 0 ? "-" : Quantile.text(Math.round(histogram.getMean())));
        return cells;
    }

    /**
     * The closed formula.
     *
     * @param rates the measured rates.
     * @return lines.
     */
    public static List<String> closed(final List<RateSummary> rates)
    {
        final List<String> titles = new ArrayList<>(List.of("asked/s", "path"));
        titles.addAll(NAMES);
        titles.addAll(List.of("max", "mean", "status"));
        final TextTable table = new TextTable(2, titles);
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                final List<String> cells = latencies(path.direct(), rate.rate().label(), path.name());
                cells.add(path.series().status());
                table.add(cells);
            }
        }
        return table.lines();
    }

    /**
     * Server to raw baseline, to the empty handler where that is a path, and the server's tail to the
     * host's.
     *
     * @param rates the measured rates.
     * @return lines.
     */
    public static List<String> ratios(final List<RateSummary> rates)
    {
        final TextTable table = new TextTable(1, "asked/s", "p50", "p90", "p99", "mean", "closed p50", "pairs",
            "p50 to empty", "p99.9 to hiccup", "status");
        for (final RateSummary rate : rates)
        {
            final Series<Round> server = rate.server().series();
            final Series<Round> raw = rate.raw().series();
            table.add(rate.rate().label(),
                ratio(server, raw, round -> round.intendedNs(50.0)),
                ratio(server, raw, round -> round.intendedNs(90.0)),
                ratio(server, raw, round -> round.intendedNs(99.0)),
                ratio(server, raw, round -> round.intended().getMean()),
                Figure.two(server.ratioTo(raw, round -> Quantile.of(round.direct(), 50.0))),
                Integer.toString(server.pairs(raw, (one, other) -> 1.0).length),
                rate.paths().size() <= EMPTY_PATH ? "-" :
                    ratio(server, rate.paths().get(EMPTY_PATH).series(), round -> round.intendedNs(50.0)),
                server.isSaturated() ? "-" :
                    Figure.two(Quantile.of(rate.server().intended(), 99.9) / Quantile.of(rate.hiccupSum(), 99.9)),
                rate.status());
        }
        return table.lines();
    }

    /** Of the open formula; {@code -} when one of both falls behind: its latencies tell how long the round was. */
    private static String ratio(
        final Series<Round> one, final Series<Round> other, final ToDoubleFunction<Round> latency)
    {
        return one.isSaturated() || other.isSaturated() ? "-" : Figure.two(one.ratioTo(other, latency));
    }

    /**
     * The cost on one thread.
     *
     * @param costs server, raw baseline and the loop without a path, and the server with the empty handler where
     *              another
     *              one is under test, interleaved.
     * @return lines.
     */
    public static List<String> cost(final List<CostRunner.Cost[]> costs)
    {
        final double[] server = perEvent(costs, 0);
        final double[] raw = perEvent(costs, 1);
        final double[] loop = perEvent(costs, 2);
        final double[] ratios = costs.stream()
            .mapToDouble(round -> round[0].perEventNs() / round[1].perEventNs()).toArray();
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "cost on one thread, CPU time, no clock reading: server %.1f ns/event " +
            "(best %.1f), raw baseline %.1f (best %.1f), ratio %.2f; server allocated %s",
            Quantile.median(server), best(server), Quantile.median(raw), best(raw), Quantile.median(ratios),
            allocated(costs)));
        lines.add(String.format(Locale.ROOT, "both include %.1f (best %.1f) for filling, handling and checking an " +
            "event; ratio of the rest, of the medians: %s",
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

    /**
     * With the number of rounds: a path that allocates does so in each of them. In a single round it is the JVM, which
     * makes the text constants of a class on the thread that asks for the first compilation of one of its methods.
     */
    private static String allocated(final List<CostRunner.Cost[]> costs)
    {
        final long[] bytes =
            costs.stream().mapToLong(round -> round[0].allocatedBytes()).filter(each -> each != 0).toArray();
        return Arrays.stream(bytes).sum() + " bytes" +
            (bytes.length == 0 ? "" : " in " + bytes.length + " of " + costs.size() + " rounds");
    }

    private static double[] perEvent(final List<CostRunner.Cost[]> costs, final int index)
    {
        return costs.stream().mapToDouble(round -> round[index].perEventNs()).toArray();
    }

    private static double best(final double... costs)
    {
        return Arrays.stream(costs).min().orElse(Double.NaN);
    }

    /**
     * Server to raw baseline without what both do in common. Of medians: the differences of single rounds are too small
     * to divide by.
     *
     * @param server cost of an event.
     * @param raw    cost of an event.
     * @param loop   cost of an event.
     * @return the ratio; {@code -} when the loop is nearly all of the raw baseline: on a busy host the rest is noise.
     */
    static String beyond(final double server, final double raw, final double loop)
    {
        return raw - loop > MIN_BEYOND * raw ? Figure.two((server - loop) / (raw - loop)) : "-";
    }
}
