package io.millrace.benchmarks.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.TextTable;
import io.millrace.benchmarks.rate.Verdict;

import org.HdrHistogram.Histogram;

/**
 * The rounds of a hostile load and of the friendly one beside it. One thread.
 */
final class HostileSummary
{
    static final List<String> LEGEND = List.of(
        "p50 ...  of single commands by the clock, over the clean rounds (steal <= 1 %), less what the clock takes,",
        "         which stands in the column clock; of a sweep from trade to trade inside its one command, so that its",
        "         ratio can hardly be above 1: it says that no trade waits longer than a command with one trade",
        "ratio    p99 hostile by p99 friendly, median over turns of which both rounds are clean; aimed at: 2 at most",
        "B        that the thread allocated for a command",
        "rounds   clean/all; INVALID: the host was too noisy, no result; LOOK: fewer than 9 rounds, no result",
        "flows    71 % moves, 12.7 % new, 7.3 % cancels, 7.3 % reductions, 2 % IOC at orders drawn from all; ten",
        "         orders per level, side by side in the window, where the line says nothing else; where the best price",
        "         jumps or steps, every other move does that, and all orders stand on 16 levels");

    /** The percentile that is compared. */
    static final double TOP = 99.0;

    private static final double HALF = 50.0;
    private static final double RARE = 99.9;
    private static final double NS_PER_MS = 1e6;

    private final List<HostileRound> friendly = new ArrayList<>();
    private final List<HostileRound> hostile = new ArrayList<>();

    void add(final HostileRound ofFriendly, final HostileRound ofHostile)
    {
        friendly.add(ofFriendly);
        hostile.add(ofHostile);
    }

    String placement()
    {
        return friendly.get(0).placement();
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
            table.add(summary.row("friendly", one.label(false), summary.friendly, ""));
            table.add(summary.row("hostile", one.label(true), summary.hostile, number(summary.ratio())));
            summary.tellSweep(one, remarks);
            summary.complain(one, summary.friendly, complaints);
            summary.complain(one, summary.hostile, complaints);
        });
        final List<String> lines = new ArrayList<>(table.lines());
        lines.addAll(remarks);
        lines.addAll(complaints);
        return lines;
    }

    private String[] row(final String kind, final String label, final List<HostileRound> rounds, final String ratio)
    {
        final Histogram times = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        final List<HostileRound> kept = kept(rounds);
        kept.forEach(round -> times.add(round.times()));
        final double clockNs = Quantile.median(kept.stream().mapToDouble(HostileRound::clockNs).toArray());
        final double bytes = Quantile.median(
            rounds.stream().mapToDouble(round -> (double)round.bytes() / round.commands()).toArray());
        return new String[] {kind, label, quantile(times, HALF, clockNs), quantile(times, TOP, clockNs),
            quantile(times, RARE, clockNs), ratio, String.format(Locale.ROOT, "%.0f", clockNs),
            bytes == 0 ? "0" : String.format(Locale.ROOT, "%.4f", bytes), status(rounds)};
    }

    private static String quantile(final Histogram times, final double percentile, final double clockNs)
    {
        final double ns = Quantile.of(times, percentile);
        return Double.isNaN(ns) ? "-" : String.format(Locale.ROOT, "%,.0f", Math.max(0, ns - clockNs));
    }

    private static int clean(final List<HostileRound> rounds)
    {
        return (int)rounds.stream().filter(HostileRound::isClean).count();
    }

    private boolean isCrowded(final List<HostileRound> rounds)
    {
        return Quantile.median(rounds.stream().mapToDouble(HostileRound::runnable).toArray()) > Verdict.MOST_ON_ONE_CPU;
    }

    private boolean isValid(final List<HostileRound> rounds)
    {
        return clean(rounds) >= Verdict.needed(rounds.size()) && !isCrowded(rounds);
    }

    private List<HostileRound> kept(final List<HostileRound> rounds)
    {
        return isValid(rounds) ? rounds.stream().filter(HostileRound::isClean).toList() : rounds;
    }

    private String status(final List<HostileRound> rounds)
    {
        return (!isValid(rounds) ? "INVALID " : rounds.size() < ReportOptions.FULL_ROUNDS ? "LOOK " : "ok ") +
            clean(rounds) + "/" + rounds.size();
    }

    private void tellSweep(final HostileCase one, final List<String> remarks)
    {
        final double sweepNs = Quantile.median(kept(hostile).stream().mapToDouble(HostileRound::sweepNs).toArray());
        if (sweepNs > 0)
        {
            final long trades = hostile.get(0).commands();
            remarks.add(String.format(Locale.ROOT, "%s: the one command took %.2f ms for %,d trades, %.1f ns each " +
                "(median; the clock's part of each taken off)", one.label(true), sweepNs / NS_PER_MS, trades,
                sweepNs / trades));
        }
    }

    private void complain(final HostileCase one, final List<HostileRound> rounds, final List<String> complaints)
    {
        if (!isValid(rounds))
        {
            complaints.add(one.label(rounds == hostile) + " is INVALID: " + (isCrowded(rounds) ?
                "others had the CPU for more than 5 % of the time" :
                "steal above 1 % in " + (rounds.size() - clean(rounds)) + " of " + rounds.size() + " rounds"));
        }
    }

    /** Median over the turns that count of p99 by p99; of an invalid result over all. */
    double ratio()
    {
        final boolean isAll = !isValid(friendly) || !isValid(hostile);
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < friendly.size(); i++)
        {
            if (isAll || friendly.get(i).isClean() && hostile.get(i).isClean())
            {
                ratios.add(hostile.get(i).ns(TOP) / friendly.get(i).ns(TOP));
            }
        }
        return Quantile.median(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** One line for each round, values parted by commas. */
    static List<String> rounds(final Map<HostileCase, HostileSummary> summaries)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("case,load,round,commands,p50Ns,p99Ns,p999Ns,clockNs,wholeNs,bytes,steal,runnable");
        summaries.forEach((one, summary) ->
        {
            for (int i = 0; i < summary.friendly.size(); i++)
            {
                lines.add(line(one, "friendly", i, summary.friendly.get(i)));
                lines.add(line(one, "hostile", i, summary.hostile.get(i)));
            }
        });
        return lines;
    }

    private static String line(final HostileCase one, final String load, final int index, final HostileRound round)
    {
        return String.format(Locale.ROOT, "%s,%s,%d,%d,%.0f,%.0f,%.0f,%d,%d,%d,%.4f,%.3f", one, load, index + 1,
            round.commands(), round.ns(HALF), round.ns(TOP), round.ns(RARE), round.clockNs(), round.wholeNs(),
            round.bytes(), round.steal(), round.runnable());
    }

    private static String number(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }
}
