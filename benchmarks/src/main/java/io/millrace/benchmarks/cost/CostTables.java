package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;

/**
 * The tables as text. Stateless; any thread.
 */
final class CostTables
{
    static final List<String> OPTION_LEGEND = List.of(
        "reference the variant that differs from the option in this one thing",
        "more      median of the differences of neighbouring rounds, in ns per event; below 0 the option is cheaper",
        "half      the middle half of these differences: one that reaches over 0 says that nothing was found",
        "above 0   in how many pairs of rounds the option was the dearer one",
        "B/event   bytes allocated by all measured threads",
        "rounds    clean pairs of all; clean: steal at most 1 %, no more runnable threads than CPUs. INVALID: too few",
        "          clean pairs, figures of all; PREVIEW: fewer than " + Series.FULL_ROUNDS + " rounds, no result");

    static final List<String> IDLE_LEGEND = List.of(
        "CPU       of the idle agent's thread, in percent of one CPU",
        "cycles/s  duty cycles of the idle agent: how often it polls",
        "wake-up   from the publish of one event to its handler, after 10 ms of nothing, a clock reading included;",
        "          the publisher spins meanwhile, so its own waking up is not in it",
        "-         fewer than " + Quantile.MIN_BEYOND + " samples lie beyond that percentile");

    static final List<String> FAN_OUT_LEGEND = List.of(
        "1to3      three stages that see events as they are published",
        "1to1to2   a journal-like stage, and two that see an event when it has",
        "p50 ratio to the first contender, the median over the pairs of neighbouring rounds",
        "rounds    as in the message-rate report; SATURATED: less than 99 % of the rate was achieved");

    private CostTables()
    {
    }

    /** On one thread: CPU time. Between two: time, with the CPU time of both. */
    static List<String> options(final List<OptionSeries> series, final boolean onTwoThreads)
    {
        final List<String> titles = new ArrayList<>(
            List.of("option", "reference", "ns/event", "more", "half", "above 0"));
        if (onTwoThreads)
        {
            titles.add("CPU ns");
        }
        titles.addAll(List.of("B/event", "rounds"));
        final TextTable table = new TextTable(2, titles);
        for (final OptionSeries each : series)
        {
            final List<String> cells = new ArrayList<>(List.of(each.option.toString()));
            cells.addAll(difference(each));
            if (onTwoThreads)
            {
                cells.add(Figure.two(each.median(OptionRound::cpuPerEventNs)));
            }
            cells.add(Figure.bytes(each.median(OptionRound::bytesPerEvent)));
            cells.add(each.pairs.status());
            table.add(cells);
        }
        return table.lines();
    }

    private static List<String> difference(final OptionSeries series)
    {
        if (series.option.reference == null)
        {
            return List.of("", Figure.two(series.perEventNs()), "", "", "");
        }
        final double[] more = series.more();
        return List.of(series.option.reference.toString(), Figure.two(series.perEventNs()),
            Figure.two(Quantile.median(more)),
            OptionSeries.middleHalf(more), OptionSeries.above(more));
    }

    static List<String> describe(final List<CostOption> options)
    {
        final TextTable table = new TextTable(2, "option", "what it switches on");
        options.forEach(option -> table.add(option.toString(), option.what));
        return table.lines();
    }

    /** Description of each strategy, one line each. */
    static List<String> describeIdle(final List<IdleKind> kinds)
    {
        final TextTable table = new TextTable(2, "strategy", "what it does");
        kinds.forEach(kind -> table.add(kind.toString(), kind.what));
        return table.lines();
    }

    /** One row of the idle table. */
    record IdleRow(IdleKind kind, Series<IdleRound> rounds)
    {
        IdleRow(final IdleKind kind)
        {
            this(kind, new Series<>(IdleRound::isClean));
        }
    }

    static List<String> idle(final List<IdleRow> rows)
    {
        final TextTable table = new TextTable(1, "strategy", "CPU %", "cycles/s", "wake-up p50", "p90", "p99", "max",
            "wake-ups", "rounds");
        for (final IdleRow row : rows)
        {
            final Histogram wakeUps = row.rounds().merged(IdleRound::wakeUps);
            table.add(row.kind().toString(),
                Figure.two(100.0 * row.rounds().median(IdleRound::cpuPart)),
                Figure.rate(row.rounds().median(IdleRound::cyclesPerSecond)),
                Quantile.text(wakeUps, 50.0), Quantile.text(wakeUps, 90.0),
                Quantile.text(wakeUps, 99.0), Quantile.text(wakeUps.getMaxValue()),
                Long.toString(wakeUps.getTotalCount()), row.rounds().status());
        }
        return table.lines();
    }
}
