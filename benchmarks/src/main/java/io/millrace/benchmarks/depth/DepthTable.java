package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report by depth as text. Stateless; any thread.
 */
final class DepthTable
{
    static final List<String> LEGEND = List.of(
        "median     CPU time of the thread for a command, median over the clean rounds (steal <= 1 %); quiet: median",
        "           over the fastest quarter of these",
        "ratio      by the first line's of the same size, median over pairs of neighbouring rounds whose calibrations",
        "           differ by < 10 %",
        "levels     prices that had orders",
        "touched    memory that the commands touch: ours by the fields, exchange-core's by its use of the heap",
        "load       a load from a random place of so much memory, whose address depends on the load before; measured",
        "           in the same rounds, by a separate process, on huge pages for the line of that name",
        "a + b load the line through the contender's figures by the column load: a is work, b how many such loads in",
        "           a row a command waits for; not through books that do not fit into the window, which walk a tree",
        "to fit     what was measured by what that line says",
        "B/order    the full book's use of the heap; B/command: what the thread allocated in a round",
        "rounds     clean/all; INVALID: the host was too noisy, no result; PREVIEW: fewer than 9 rounds, no result");

    private static final double MIB = 1 << 20;
    // Arrays below this are added up.
    private static final double SMALL_PART = 0.01;
    private static final int PARTS_PER_LINE = 5;

    private DepthTable()
    {
    }

    static List<String> results(final List<DepthResult> results)
    {
        final TextTable table = new TextTable(2, "ns/command", "contender", "levels", "median", "quiet", "ratio",
            "touched MiB", "load ns", "to fit", "B/order", "B/command", "rounds");
        DepthCase last = null;
        for (final DepthResult one : results)
        {
            final LineFit fit = DepthResult.fit(results, one.contender());
            table.add(one.size().equals(last) ? "" : one.size().toString(), one.contender().toString(),
                String.format(Locale.ROOT, "%,.0f", one.levels()), Figure.two(one.ns()),
                    Figure.two(one.summary().quietNs()),
                Figure.two(one.summary().ratioTo(one.reference())),
                String.format(Locale.ROOT, "%,.1f", one.touched() / MIB), Figure.two(one.randomLoadNs()),
                one.isFitted() ? Figure.two(one.ns() / fit.at(one.randomLoadNs())) : "-",
                String.format(Locale.ROOT, "%.0f", (double)one.fullBytes() / one.size().orders()),
                Figure.bytes(one.summary().bytes()), one.summary().series().status());
            last = one.size();
        }
        final List<String> lines = new ArrayList<>(table.lines());
        results.forEach(one ->
            lines.addAll(one.summary().series().complaint(one.contender() + " with " + one.size())));
        return lines;
    }

    /** A line for each contender whose figures have one. */
    static List<String> fits(final List<DepthResult> results)
    {
        final List<String> lines = new ArrayList<>();
        for (final DepthContender contender : DepthContender.values())
        {
            final LineFit fit = DepthResult.fit(results, contender);
            if (!Double.isNaN(fit.slope()))
            {
                lines.add(String.format(Locale.ROOT, "fit: %s: ns/command = %.1f + %.2f x load", contender, fit.start(),
                    fit.slope()));
            }
        }
        return lines;
    }

    /** Memory of a book of this spec: the sum over its arrays. */
    static List<String> memory(final SymbolSpec spec)
    {
        final Map<String, Long> arrays = ArrayBytes.of(new OrderBook(spec, new EventHash()));
        final double all = ArrayBytes.sum(arrays);
        final int orders = spec.orderCapacity();
        final List<String> lines = new ArrayList<>(List.of(String.format(Locale.ROOT,
            "memory: the default book has a capacity of %,d orders and a window of %,d ticks: %.2f MB by its arrays, " +
                "%.1f bytes an order, of it:", orders, spec.windowTicks(), all / 1e6, all / orders)));
        final List<String> parts = new ArrayList<>();
        double others = 0;
        for (final Map.Entry<String, Long> one : arrays.entrySet())
        {
            if (one.getValue() < SMALL_PART * all)
            {
                others += one.getValue();
            }
            else
            {
                parts.add(String.format(Locale.ROOT, "%s %.1f", one.getKey(), (double)one.getValue() / orders));
            }
        }
        parts.add(String.format(Locale.ROOT, "others %.1f", others / orders));
        for (int i = 0; i < parts.size(); i += PARTS_PER_LINE)
        {
            lines.add("        " + String.join(", ", parts.subList(i, Math.min(parts.size(), i + PARTS_PER_LINE))));
        }
        return lines;
    }

    /** A book's memory in one line. */
    static String memory(final String name, final SymbolSpec spec, final long arrayBytes, final long measuredBytes)
    {
        return String.format(Locale.ROOT, "memory: %s: capacity of %,d orders, window of %,d ticks: %.2f MB by its " +
            "arrays, %.1f bytes an order; measured %.2f MB", name, spec.orderCapacity(), spec.windowTicks(),
            arrayBytes / 1e6, (double)arrayBytes / spec.orderCapacity(), measuredBytes / 1e6);
    }

    /** One line for each round, values parted by commas. */
    static List<String> rounds(final List<DepthResult> results)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("orders,levels,contender,round,commands,cpuNs,wallNs,bytes,calibrationNs,steal,runnable,loadNs");
        for (final DepthResult one : results)
        {
            lines.addAll(one.summary().series().lines((round, i) -> String.format(Locale.ROOT, "%d,%d,%s,%d,%s,%.2f",
                one.size().orders(), one.size().levels(), one.contender().name(), i + 1, round.csv(),
                one.loadNs().get(i))));
        }
        return lines;
    }
}
