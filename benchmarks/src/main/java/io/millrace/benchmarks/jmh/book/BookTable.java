package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.TextTable;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The race as text. Stateless; any thread.
 */
final class BookTable
{
    private static final double HALF = 50.0;
    private static final double TOP = 99.0;

    private BookTable()
    {
    }

    /** A line for each contender; the first one is the reference. */
    static List<String> contenders(final List<BookSummary> summaries)
    {
        final BookSummary reference = summaries.get(0);
        final BookSummary loop = summaries.stream()
            .filter(one -> one.name().equals(BookContender.LOOP)).findFirst().orElse(reference);
        // Without risk in the race nothing is bare, and the rivals have their own table.
        final boolean hasRisk = summaries.stream().anyMatch(one -> one.name().equals(BookContender.MARGIN));
        final TextTable table = new TextTable(1, row(List.of("ns/command", "median", "quiet", "min", "max"), hasRisk,
            List.of("to bare", "pairs"), List.of("-loop", "B/command", "calib ns", "rounds")));
        for (final BookSummary one : summaries)
        {
            final double[] sorted = one.series().sorted(BookRound::ns);
            table.add(row(List.of(one.name(), Figure.two(one.medianNs()), Figure.two(one.quietNs()),
                Figure.two(sorted[0]),
                Figure.two(sorted[sorted.length - 1])), hasRisk,
                List.of(Figure.two(one.ratioTo(reference)), Integer.toString(one.pairCount(reference))),
                List.of(one == loop ? "-" : Figure.two(one.beyondNs(loop)), Figure.bytes(one.bytes()),
                    Figure.two(one.calibrationNs()), one.series().status())));
        }
        final List<String> lines = new ArrayList<>(table.lines());
        summaries.forEach(one -> lines.addAll(one.series().complaint(one.name())));
        return lines;
    }

    private static List<String> row(
        final List<String> before, final boolean hasMiddle, final List<String> middle, final List<String> after)
    {
        final List<String> cells = new ArrayList<>(before);
        cells.addAll(hasMiddle ? middle : List.of());
        cells.addAll(after);
        return cells;
    }

    /** Our time by that of each rival; the greatest is the one by the better of them. */
    static List<String> rivals(final List<BookSummary> summaries)
    {
        final BookSummary ours = summaries.get(0);
        final TextTable table = new TextTable(1, "ours to theirs", "time", "pairs", "speed");
        summaries.stream().filter(one -> BookContender.isRival(one.name()))
            .sorted(Comparator.comparingDouble(one -> -ours.ratioTo(one)))
            .forEach(one -> table.add(one.name(), Figure.two(ours.ratioTo(one)),
                Integer.toString(ours.pairCount(one)), Figure.two(1 / ours.ratioTo(one))));
        return table.lines();
    }

    /** A line for each type of command and contender, and one for the clock of each. */
    static List<String> types(final Map<String, BookTypes> byContender)
    {
        final TextTable table = new TextTable(2, "ns/command by type", "contender", "commands", "mean", "p50", "p99");
        final Set<String> names = new TreeSet<>();
        byContender.values().forEach(types -> names.addAll(types.byName().keySet()));
        for (final String name : names)
        {
            byContender.forEach((contender, types) ->
            {
                final Histogram times = types.byName().get(name);
                table.add(name, contender, Long.toString(times.getTotalCount()), Figure.two(types.meanNs(name)),
                    quantile(types, times, HALF), quantile(types, times, TOP));
            });
            table.add();
        }
        byContender.forEach((contender, types) ->
            table.add("the clock, taken off", contender, "", "", Long.toString(types.clockNs()), ""));
        return table.lines();
    }

    private static String quantile(final BookTypes types, final Histogram times, final double percentile)
    {
        final double ns = Quantile.of(times, percentile);
        return Double.isNaN(ns) ? "-" : Long.toString(Math.max(0, Math.round(ns) - types.clockNs()));
    }

    /** One line for each round, values parted by commas. */
    static List<String> rounds(final List<BookSummary> summaries)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("contender,round,commands,cpuNs,wallNs,bytes,calibrationNs,steal,runnable");
        for (final BookSummary one : summaries)
        {
            lines.addAll(one.series().lines((round, i) -> one.name() + "," + (i + 1) + "," + round.csv()));
        }
        return lines;
    }
}
