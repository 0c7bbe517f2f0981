package io.millrace.benchmarks.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.TextTable;

/**
 * The text of a heat. Stateless; any thread.
 */
final class RaceTable
{
    static final List<String> LEGEND = List.of(
        "M/s        million events a second; p50, p90 ...: percentiles of a round. Medians over the rounds that count",
        "best       the best of these rounds",
        "CPU        thread-CPU time per event, of the publishing and of the other thread, in ns",
        "B/event    bytes allocated by both threads",
        "ratio      figure of ours (named in brackets, published the same way) to this one's: median over the turns",
        "won        turns in which ours was better, of those in which both rounds count",
        "rounds     clean ones of all: the host took at most 1 % of the two CPUs, other threads at most 5 %.",
        "           INVALID: too few; figures of all. LOOK: fewer than " + ReportOptions.FULL_ROUNDS + " rounds, no " +
            "result",
        "waited     part of their time in which the two threads were ready to run and did not: others had their CPU",
        "ahead      our median beats the other's best round, or 8 of 9 turns were won",
        "floor...   not rivals: the least that carries events over; no pool, no policy, no interface",
        "aeron      media driver in INVOKER mode, its duties done by the publishing thread",
        "-          fewer than " + Quantile.MIN_BEYOND + " samples lie beyond that percentile");

    private static final double MILLION = 1e6;
    private static final double NS_PER_S = 1e9;

    private RaceTable()
    {
    }

    /** Title, table, and ours beside the best rival and the floors. */
    static List<String> lines(final HeatSummary summary)
    {
        final List<String> lines = new ArrayList<>();
        lines.add(summary.heat().title());
        lines.addAll(table(summary));
        summary.heat().contenders().stream().filter(name -> !summary.invalid(name).isEmpty())
            .collect(Collectors.groupingBy(summary::invalid, TreeMap::new, Collectors.joining(" ")))
            .forEach((reason, names) -> lines.add("INVALID, " + reason + ": " + names));
        lines.addAll(conclusions(summary));
        return lines;
    }

    private static List<String> table(final HeatSummary summary)
    {
        final List<String> titles = new ArrayList<>(List.of("contender"));
        titles.addAll(figureTitles(summary.heat().discipline()));
        titles.addAll(List.of("CPU front", "CPU back", "B/event", "waited", "ratio", "won", "rounds"));
        final TextTable table = new TextTable(1, titles.toArray(new String[0]));
        for (final String contender : summary.heat().contenders())
        {
            final List<String> cells = new ArrayList<>(List.of(contender));
            cells.addAll(figures(summary, contender));
            cells.add(number(summary.median(contender, round -> (double)round.frontCpuNs() / round.events())));
            cells.add(number(summary.median(contender, round -> (double)round.backCpuNs() / round.events())));
            cells.add(bytes(summary.median(contender, round -> (double)round.allocatedBytes() / round.events())));
            cells.add(number(100 * summary.median(contender, RaceResult::waited)) + " %");
            cells.addAll(beside(summary, contender));
            cells.add(summary.status(contender));
            table.add(cells.toArray(new String[0]));
        }
        return table.lines();
    }

    private static List<String> figureTitles(final Discipline discipline)
    {
        switch (discipline)
        {
            case THROUGHPUT:
                return List.of("M/s", "best", "ns/event");
            case SUSTAINED:
                return List.of("M/s", "best", "p50 there");
            default:
                return List.of("p50", "p90", "p99", "p99.9", "best p50");
        }
    }

    private static List<String> figures(final HeatSummary summary, final String contender)
    {
        final double figure = summary.figure(contender);
        switch (summary.heat().discipline())
        {
            case THROUGHPUT:
                return List.of(millions(figure), millions(summary.best(contender)), number(NS_PER_S / figure));
            case SUSTAINED:
                return List.of(millions(figure), millions(summary.best(contender)), percentile(summary, contender, 50));
            default:
                return List.of(percentile(summary, contender, 50), percentile(summary, contender, 90),
                    percentile(summary, contender, 99), percentile(summary, contender, 99.9),
                    Quantile.text(summary.best(contender)));
        }
    }

    private static String percentile(final HeatSummary summary, final String contender, final double percentile)
    {
        return Quantile.text(summary.median(contender, round -> Quantile.of(round.latencies(), percentile)));
    }

    private static List<String> beside(final HeatSummary summary, final String contender)
    {
        final String ours = summary.heat().reference(contender);
        if (ours == null)
        {
            return List.of("", "");
        }
        final HeatSummary.Pairing pairing = summary.pairing(ours, contender);
        return List.of(number(pairing.ratio()) + " [" + ours + "]", pairing.wins() + "/" + pairing.pairs());
    }

    private static List<String> conclusions(final HeatSummary summary)
    {
        final List<String> lines = new ArrayList<>();
        for (final boolean batch : new boolean[] {false, true})
        {
            final String rival = summary.bestRival(batch);
            final String ours = rival == null ? null : summary.heat().reference(rival);
            if (ours != null)
            {
                lines.add(conclusion(summary, ours, rival, "the best rival " + (batch ? "in batches, " : "")));
            }
        }
        final List<String> single = summary.heat().ours().stream().filter(name -> !name.endsWith(Heat.BATCH)).toList();
        if (!single.isEmpty())
        {
            for (final String floor : summary.heat().floors())
            {
                lines.add(conclusion(summary, single.get(0), floor, "the bare "));
            }
            lines.addAll(tail(summary, single.get(0)));
        }
        return lines;
    }

    private static String conclusion(
        final HeatSummary summary, final String ours, final String other, final String what)
    {
        final HeatSummary.Pairing pairing = summary.pairing(ours, other);
        return String.format(Locale.ROOT, "%s beside %s%s: ratio %s, won %d of %d, ahead: %s", ours, what, other,
            number(pairing.ratio()), pairing.wins(), pairing.pairs(), pairing.ahead() ? "yes" : "no");
    }

    private static List<String> tail(final HeatSummary summary, final String ours)
    {
        if (Double.isNaN(summary.hiccup(99)))
        {
            return List.of();
        }
        final StringBuilder line = new StringBuilder(ours + " beside the hiccups of both CPUs between these rounds:");
        for (final double percentile : new double[] {99, 99.9})
        {
            final double here = summary.median(ours, round -> Quantile.of(round.latencies(), percentile));
            final double host = summary.hiccup(percentile);
            line.append(String.format(Locale.ROOT, " p%s %s to %s (%s)", percentile == 99 ? "99" : "99.9",
                Quantile.text(here), Quantile.text(host), number(here / host)));
        }
        return List.of(line.toString());
    }

    /** Every round, for who wants to look again. */
    static List<String> rounds(final HeatSummary summary)
    {
        final TextTable table = new TextTable(1, "contender", "round", summary.heat().discipline().unit(), "events",
            "elapsed", "p90", "p99", "steal %", "waited %", "switches", "bytes");
        for (final String contender : summary.heat().contenders())
        {
            int number = 0;
            for (final RaceResult round : summary.rounds(contender))
            {
                number++;
                final double figure = round.figure(summary.heat().discipline());
                table.add(contender, Integer.toString(number),
                    summary.heat().discipline().moreIsBetter() ? millions(figure) : Quantile.text(figure),
                    Long.toString(round.events()), Quantile.text(round.elapsedNs()),
                    Quantile.text(Quantile.of(round.latencies(), 90)),
                    Quantile.text(Quantile.of(round.latencies(), 99)),
                    number(100 * round.steal()), number(100 * round.waited()), Long.toString(round.switches()),
                    Long.toString(round.allocatedBytes()));
            }
        }
        return table.lines();
    }

    static String millions(final double perSecond)
    {
        return number(perSecond / MILLION);
    }

    private static String bytes(final double perEvent)
    {
        return perEvent == 0.0 ? "0" : String.format(Locale.ROOT, "%.4f", perEvent);
    }

    private static String number(final double value)
    {
        return Double.isNaN(value) ? "-" :
            String.format(Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
    }
}
