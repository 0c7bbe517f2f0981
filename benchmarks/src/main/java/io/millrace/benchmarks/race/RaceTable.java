package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The text of a comparison. Stateless; any thread.
 */
final class RaceTable
{
    static final List<String> LEGEND = List.of(
        "M/s        million events a second; p50, p90 ...: percentiles of a round. Medians over the rounds that count",
        "best       the best of these rounds",
        "CPU        thread-CPU time per event, of the publishing and of the other thread, in ns",
        "B/event    bytes allocated by both threads, and by further publishers, whose CPU is the producer's too",
        "ratio      figure of ours (named in brackets, published the same way) to this one's: median over the pairs",
        "won        pairs of rounds in which ours was better, of those in which both rounds count",
        "rounds     clean ones of all: the host took at most 1 % of the two CPUs, other threads at most 5 %.",
        "           INVALID: too few; figures of all. PREVIEW: fewer than " + Series.FULL_ROUNDS + " rounds, no " +
            "result",
        "waited     part of their time in which the two threads were ready to run and did not: others had their CPU;",
        "           - with further publishers, which share the two CPUs",
        "ahead      our median beats the other's best round, or 8 of 9 pairs were won",
        "baseline.. not rivals: the least that carries events over; no pool, no policy, no interface",
        "aeron      media driver in INVOKER mode, its duties done by the publishing thread",
        "-          fewer than " + Quantile.MIN_BEYOND + " samples lie beyond that percentile");

    private static final double NS_PER_S = 1e9;

    private RaceTable()
    {
    }

    /** Title, table, and ours compared with the best rival and the baselines. */
    static List<String> lines(final ComparisonResult summary)
    {
        final List<String> lines = new ArrayList<>();
        lines.add(summary.comparison().title());
        lines.addAll(table(summary));
        summary.comparison().contenders().stream()
            .filter(name -> !summary.rounds(name).isValid())
            .collect(Collectors.groupingBy(
                name -> summary.rounds(name).invalid(), TreeMap::new, Collectors.joining(" ")))
            .forEach((reason, names) -> lines.add("INVALID, " + reason + ": " + names));
        lines.addAll(conclusions(summary));
        return lines;
    }

    private static List<String> table(final ComparisonResult summary)
    {
        final List<String> titles = new ArrayList<>(List.of("contender"));
        titles.addAll(figureTitles(summary.comparison().discipline()));
        titles.addAll(List.of("CPU producer", "consumer", "B/event", "waited", "ratio", "won", "rounds"));
        final TextTable table = new TextTable(1, titles);
        for (final String contender : summary.comparison().contenders())
        {
            final List<String> cells = new ArrayList<>(List.of(contender));
            cells.addAll(figures(summary, contender));
            cells.add(Figure.three(summary.rounds(contender)
                .median(round -> (double)round.producerCpuNs() / round.events())));
            cells.add(Figure.three(summary.rounds(contender)
                .median(round -> (double)round.consumerCpuNs() / round.events())));
            cells.add(Figure.bytes(summary.rounds(contender)
                .median(round -> (double)round.allocatedBytes() / round.events())));
            cells.add(Figure.three(100 * summary.rounds(contender).median(RaceResult::waited)) + " %");
            cells.addAll(comparedWith(summary, contender));
            cells.add(summary.rounds(contender).status());
            table.add(cells);
        }
        return table.lines();
    }

    private static List<String> figureTitles(final Discipline discipline)
    {
        return switch (discipline)
        {
            case THROUGHPUT -> List.of("M/s", "best", "ns/event");
            case SUSTAINED -> List.of("M/s", "best", "p50 there");
            default -> List.of("p50", "p90", "p99", "p99.9", "best p50");
        };
    }

    private static List<String> figures(final ComparisonResult summary, final String contender)
    {
        final double figure = summary.figure(contender);
        return switch (summary.comparison().discipline())
        {
            case THROUGHPUT -> List.of(Figure.millions(figure), Figure.millions(summary.best(contender)),
                Figure.three(NS_PER_S / figure));
            case SUSTAINED -> List.of(Figure.millions(figure), Figure.millions(summary.best(contender)),
                percentile(summary, contender, 50));
            default -> List.of(percentile(summary, contender, 50), percentile(summary, contender, 90),
                percentile(summary, contender, 99), percentile(summary, contender, 99.9),
                Quantile.text(summary.best(contender)));
        };
    }

    private static String percentile(final ComparisonResult summary, final String contender, final double percentile)
    {
        return Quantile.text(summary.rounds(contender).median(round -> Quantile.of(round.latencies(), percentile)));
    }

    private static List<String> comparedWith(final ComparisonResult summary, final String contender)
    {
        final String ours = summary.comparison().reference(contender);
        if (ours == null)
        {
            return List.of("", "");
        }
        final ComparisonResult.Pairing pairing = summary.pairing(ours, contender);
        return List.of(Figure.three(pairing.ratio()) + " [" + ours + "]", pairing.wins() + "/" + pairing.pairs());
    }

    private static List<String> conclusions(final ComparisonResult summary)
    {
        final List<String> lines = new ArrayList<>();
        for (final boolean batch : new boolean[] {false, true})
        {
            final String rival = summary.bestRival(batch);
            final String ours = rival == null ? null : summary.comparison().reference(rival);
            if (ours != null)
            {
                lines.add(conclusion(summary, ours, rival, "the best rival " + (batch ? "in batches, " : "")));
            }
        }
        final List<String> single =
            summary.comparison().ours().stream().filter(name -> !name.endsWith(Comparison.BATCH)).toList();
        if (!single.isEmpty())
        {
            for (final String baseline : summary.comparison().baselines())
            {
                lines.add(conclusion(summary, single.get(0), baseline, "the bare "));
            }
            lines.addAll(tail(summary, single.get(0)));
        }
        return lines;
    }

    private static String conclusion(
        final ComparisonResult summary, final String ours, final String other, final String what)
    {
        final ComparisonResult.Pairing pairing = summary.pairing(ours, other);
        return String.format(Locale.ROOT, "%s compared with %s%s: ratio %s, won %d of %d, ahead: %s", ours, what, other,
            Figure.three(pairing.ratio()), pairing.wins(), pairing.pairs(), pairing.ahead() ? "yes" : "no");
    }

    private static List<String> tail(final ComparisonResult summary, final String ours)
    {
        if (Double.isNaN(summary.hiccup(99)))
        {
            return List.of();
        }
        final StringBuilder line =
            new StringBuilder(ours + " compared with the hiccups of both CPUs between these rounds:");
        for (final double percentile : new double[] {99, 99.9})
        {
            final double here = summary.rounds(ours).median(round -> Quantile.of(round.latencies(), percentile));
            final double host = summary.hiccup(percentile);
            line.append(String.format(Locale.ROOT, " p%s %s to %s (%s)", percentile == 99 ? "99" : "99.9",
                Quantile.text(here), Quantile.text(host), Figure.three(here / host)));
        }
        return List.of(line.toString());
    }

    /** Every round. */
    static List<String> rounds(final ComparisonResult summary)
    {
        final TextTable table = new TextTable(1, "contender", "round", summary.comparison().discipline().unit,
            "events",
            "elapsed", "p90", "p99", "steal %", "waited %", "switches", "bytes");
        for (final String contender : summary.comparison().contenders())
        {
            int number = 0;
            for (final RaceResult round : summary.rounds(contender).rounds())
            {
                number++;
                final double figure = round.figure(summary.comparison().discipline());
                table.add(contender, Integer.toString(number),
                    summary.comparison().discipline().moreIsBetter ? Figure.millions(figure) : Quantile.text(figure),
                    Long.toString(round.events()), Quantile.text(round.elapsedNs()),
                    Quantile.text(round.latencies(), 90),
                    Quantile.text(round.latencies(), 99),
                    Figure.three(100 * round.steal()), Figure.three(100 * round.waited()),
                        Long.toString(round.switches()),
                    Long.toString(round.allocatedBytes()));
            }
        }
        return table.lines();
    }
}
