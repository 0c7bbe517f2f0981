package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rounds of a hostile load and of its friendly counterpart. One thread.
 */
final class HostileSummary
{
    static final List<String> LEGEND = List.of(
        "p50 ...  of single commands by the clock, over the clean rounds (steal <= 1 %), without the clock's cost,",
        "         which stands in the column clock; of a sweep from trade to trade inside its one command, so that its",
        "         ratio can hardly be above 1: it says that no trade waits longer than a command with one trade",
        "ratio    p99 hostile by p99 friendly, median over pairs of clean rounds; aimed at: 2 at most",
        "B        that the thread allocated for a command",
        "rounds   clean/all; INVALID: the host was too noisy, no result; PREVIEW: fewer than 9 rounds, no result",
        "flows    71 % moves, 12.7 % new, 7.3 % cancels, 7.3 % reductions, 2 % IOC at orders drawn from all; ten",
        "         orders per level, side by side in the window, where the line says nothing else; where the best price",
        "         jumps or steps, every other move does that, and all orders stand on 16 levels");

    /** The percentile that is compared. */
    static final double TOP = 99.0;

    private static final double HALF = 50.0;
    private static final double RARE = 99.9;
    private static final double NS_PER_MS = 1e6;

    private final Series<HostileRound> friendly = series();
    private final Series<HostileRound> hostile = series();

    private static Series<HostileRound> series()
    {
        return new Series<HostileRound>(round -> round.readings().isClean()).competing(1, HostileRound::runnable);
    }

    void add(final boolean isHostile, final HostileRound round)
    {
        (isHostile ? hostile : friendly).add(round);
    }

    String placement()
    {
        return friendly.rounds().get(0).placement();
    }

    /** Two lines for each case, and below the table why some are invalid. */
    static List<String> table(final Map<HostileCase, HostileSummary> summaries)
    {
        final TextTable table =
            new TextTable(2, "ns/command", "load", "p50", "p99", "p99.9", "ratio", "clock", "B", "rounds");
        final List<String> remarks = new ArrayList<>();
        final List<String> complaints = new ArrayList<>();
        summaries.forEach((one, summary) ->
        {
            table.add(row("friendly", one.label(false), summary.friendly, ""));
            table.add(row("hostile", one.label(true), summary.hostile, Figure.two(summary.ratio())));
            summary.addSweep(one, remarks);
            complaints.addAll(summary.friendly.complaint(one.label(false)));
            complaints.addAll(summary.hostile.complaint(one.label(true)));
        });
        final List<String> lines = new ArrayList<>(table.lines());
        lines.addAll(remarks);
        lines.addAll(complaints);
        return lines;
    }

    private static String[] row(
        final String kind, final String label, final Series<HostileRound> rounds, final String ratio)
    {
        final Histogram times = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        rounds.kept().forEach(round -> times.add(round.times()));
        final double clockNs = rounds.median(HostileRound::clockNs);
        final double bytes =
            Quantile.median(rounds.rounds().stream().mapToDouble(HostileRound::bytesPerCommand).toArray());
        return new String[] {kind, label, quantile(times, HALF, clockNs), quantile(times, TOP, clockNs),
            quantile(times, RARE, clockNs), ratio, Figure.rate(clockNs), Figure.bytes(bytes), rounds.status()};
    }

    private static String quantile(final Histogram times, final double percentile, final double clockNs)
    {
        final double ns = Quantile.of(times, percentile);
        return Double.isNaN(ns) ? "-" : Figure.rate(Math.max(0, ns - clockNs));
    }

    private void addSweep(final HostileCase one, final List<String> remarks)
    {
        final double sweepNs = hostile.median(HostileRound::sweepNs);
        if (sweepNs > 0)
        {
            final long trades = hostile.rounds().get(0).commands();
            remarks.add(String.format(Locale.ROOT, "%s: the one command took %.2f ms for %,d trades, %.1f ns each " +
                "(median; the clock's part of each taken off)", one.label(true), sweepNs / NS_PER_MS, trades,
                sweepNs / trades));
        }
    }

    double ratio()
    {
        return hostile.ratioTo(friendly, round -> round.ns(TOP));
    }

    /** Every round of every case, parted by commas. */
    static List<String> rounds(final Map<HostileCase, HostileSummary> summaries)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("case,load,round,commands,p50Ns,p99Ns,p999Ns,clockNs,wholeNs,bytes,steal,runnable");
        summaries.forEach((one, summary) ->
        {
            for (int i = 0; i < summary.friendly.rounds().size(); i++)
            {
                lines.add(line(one, "friendly", i, summary.friendly.rounds().get(i)));
                lines.add(line(one, "hostile", i, summary.hostile.rounds().get(i)));
            }
        });
        return lines;
    }

    private static String line(final HostileCase one, final String load, final int index, final HostileRound round)
    {
        return String.format(Locale.ROOT, "%s,%s,%d,%d,%.0f,%.0f,%.0f,%d,%d,%d,%.4f,%.3f", one, load, index + 1,
            round.commands(), round.ns(HALF), round.ns(TOP), round.ns(RARE), round.clockNs(), round.wholeNs(),
            round.readings().allBytes(), round.readings().steal(), round.runnable());
    }
}
