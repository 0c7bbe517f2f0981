package io.millrace.benchmarks.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.TextTable;
import io.millrace.benchmarks.rate.Verdict;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * The tables as text. Stateless; any thread.
 */
final class CostTables
{
    static final List<String> OPTION_LEGEND = List.of(
        "beside    what the option is held beside: the two differ in this one thing",
        "more      median of the differences of neighbouring rounds, in ns per event; below 0 the option is cheaper",
        "half      the middle half of these differences: one that reaches over 0 says that nothing was found",
        "above 0   in how many pairs of rounds the option was the dearer one",
        "B/event   bytes allocated by all measured threads",
        "rounds    clean pairs of all; clean: steal at most 1 %, no more runnable threads than CPUs. INVALID: too few",
        "          clean pairs, figures of all; LOOK: fewer than " + ReportOptions.FULL_ROUNDS + " rounds, no result");

    static final List<String> IDLE_LEGEND = List.of(
        "CPU       of the idle agent's thread, in percent of one CPU",
        "cycles/s  duty cycles of the idle agent: how often it looks",
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

    /** On one thread: CPU time. Between two: time, with the CPU time of both beside it. */
    static List<String> options(final List<OptionSeries> series, final boolean onTwoThreads)
    {
        final List<String> titles = new ArrayList<>(List.of("option", "beside", "ns/event", "more", "half", "above 0"));
        if (onTwoThreads)
        {
            titles.add("CPU ns");
        }
        titles.addAll(List.of("B/event", "rounds"));
        final TextTable table = new TextTable(2, titles.toArray(new String[0]));
        for (final OptionSeries each : series)
        {
            final List<String> cells = new ArrayList<>(List.of(each.option().label()));
            cells.addAll(difference(each));
            if (onTwoThreads)
            {
                cells.add(number(each.median(OptionRound::cpuPerEventNs)));
            }
            final double bytes = each.median(OptionRound::bytesPerEvent);
            cells.add(bytes == 0.0 ? "0" : String.format(Locale.ROOT, "%.4f", bytes));
            cells.add(each.status());
            table.add(cells.toArray(new String[0]));
        }
        return table.lines();
    }

    private static List<String> difference(final OptionSeries series)
    {
        if (series.option().beside() == null)
        {
            return List.of("", number(series.perEventNs()), "", "", "");
        }
        final double[] more = series.more();
        return List.of(series.option().beside().label(), number(series.perEventNs()), number(Quantile.median(more)),
            OptionSeries.middleHalf(more), OptionSeries.above(more));
    }

    static String number(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** What each option is, a line each. */
    static List<String> describe(final List<CostOption> options)
    {
        final TextTable table = new TextTable(2, "option", "what is switched on");
        options.forEach(option -> table.add(option.label(), option.what()));
        return table.lines();
    }

    /** What each strategy is, a line each. */
    static List<String> describeIdle(final List<IdleKind> kinds)
    {
        final TextTable table = new TextTable(2, "strategy", "what it does");
        kinds.forEach(kind -> table.add(kind.label(), kind.what()));
        return table.lines();
    }

    /** One row of the idle table. */
    record IdleRow(IdleKind kind, List<IdleRound> rounds)
    {
        int clean()
        {
            return (int)rounds.stream().filter(IdleRound::isClean).count();
        }

        boolean isValid()
        {
            return clean() >= Verdict.needed(rounds.size());
        }

        List<IdleRound> counted()
        {
            return isValid() ? rounds.stream().filter(IdleRound::isClean).toList() : rounds;
        }

        Histogram wakeUps()
        {
            final Histogram sum = LatencyRecorder.newHistogram();
            counted().forEach(round -> sum.add(round.wakeUps()));
            return sum;
        }

        String status()
        {
            return OptionSeries.status(clean(), rounds.size());
        }
    }

    static List<String> idle(final List<IdleRow> rows)
    {
        final TextTable table = new TextTable(1, "strategy", "CPU %", "cycles/s", "wake-up p50", "p90", "p99", "max",
            "wake-ups", "rounds");
        for (final IdleRow row : rows)
        {
            final Histogram wakeUps = row.wakeUps();
            table.add(row.kind().label(),
                String.format(Locale.ROOT, "%.2f",
                    100.0 * Quantile.median(row.counted().stream().mapToDouble(IdleRound::cpuPart).toArray())),
                String.format(Locale.ROOT, "%,.0f",
                    Quantile.median(row.counted().stream().mapToDouble(IdleRound::cyclesPerSecond).toArray())),
                Quantile.text(Quantile.of(wakeUps, 50.0)), Quantile.text(Quantile.of(wakeUps, 90.0)),
                Quantile.text(Quantile.of(wakeUps, 99.0)), Quantile.text(wakeUps.getMaxValue()),
                Long.toString(wakeUps.getTotalCount()), row.status());
        }
        return table.lines();
    }
}
