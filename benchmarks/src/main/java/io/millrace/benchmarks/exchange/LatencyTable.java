package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.RateTables;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.TextTable;

import java.util.List;
import java.util.Locale;

/**
 * order-latency as text, at most 150 columns wide. Stateless; any thread.
 */
final class LatencyTable
{
    /** Percentiles of the published form. */
    static final List<Double> REPORTED = List.of(50.0, 90.0, 95.0, 99.0, 99.9, 99.99);

    private static final double TOP = 99.0;
    // Greatest ratio of the tail to the host's hiccups.
    private static final double MAX_TAIL = 1.5;
    private static final long TAIL_RATE = 1_000_000;
    private static final List<String> LEGEND = List.of(
        "asked/s   commands per second; 3 M of the benchmark flow at most, each round from the same filled books",
        "          millrace: source on one core, risk, matching and reading of the executions on the other;",
        "          exchange-core: its pipeline of five threads on the same two cores, wait strategy as in the header;",
        "          hiccup: two loops, one on each CPU, that only read the clock: the delays of the host alone",
        "latency   from the time at which a command was meant to be sent to its result, behind all its executions",
        "serial-   latency to the answer that is durable by that policy, journal and matching on one agent; parallel-:",
        "          the journal beside matching, on the source's CPU; bare-: as serial, a plain write in its place",
        "to hiccup its 99 % to that of the hiccups between the same rounds; up to 1.5 is the host's, not the path's",
        "B/command bytes allocated per command on all threads of the path",
        "full      commands that found the ring full and waited (exchange-core waits inside of its call: not seen)",
        "given up  commands not sent when half a round too late",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          SATURATED: less than 99 % of the rate was achieved; PREVIEW: fewer than 9 rounds, no result",
        "stable    searched with single rounds: one that carries the rate counts however noisy the host was, one that",
        "          does not only when it was clean, so it is rather too high than too low, for both alike",
        "-         fewer than 10 samples lie beyond that percentile");
    private static final List<String> PUBLISHED = List.of(
        "Published, 50 % / 99 %, on a 16-core EPYC with isolated cores: another machine, so a landmark, no comparison",
        "  rate/s        Java               C++                newest C++ revision",
        "  1 M           0.51 / 4.7 µs      0.54 / 0.81 µs     0.49 / 0.72 µs",
        "  4 M           0.60 / 8.0 µs      0.94 / 1.83 µs     -",
        "  6 M           1.37 / 11.5 µs     1.71 / 7.1 µs      1.15 / 3.2 µs",
        "  stable to     6.6 M              8 M                9.4 M");

    private LatencyTable()
    {
    }

    /**
     * Everything below the header.
     *
     * @param stable results of the searches.
     * @param notes  other events of the run.
     */
    static List<String> text(final List<RateSummary> rates, final List<String> stable, final List<String> notes)
    {
        return new Paragraphs()
            .add("Latency from the intended send time to the result (a stall is charged to all it delays)", main(rates))
            .add("", RateTables.remarks(rates), notes, stable, tail(rates), List.of(
                "answers: right in every round (trades, volume, rejects, orders at rest, all levels of the books)"))
            .add("", PUBLISHED).add("", LEGEND).lines();
    }

    /** The same, and every round. */
    static List<String> withRounds(final List<String> text, final List<RateSummary> rates)
    {
        return new Paragraphs().add("", text)
            .add("Each round (counts: whether it is part of the table above)", RateTables.rounds(rates, true)).lines();
    }

    private static List<String> main(final List<RateSummary> rates)
    {
        final TextTable table = new TextTable(2, "asked/s", "exchange", "achieved/s", "50 %", "90 %", "95 %", "99 %",
            "99.9 %", "99.99 %", "max", "to hiccup", "B/command", "full", "given up", "status");
        for (final RateSummary rate : rates)
        {
            table.add();
            rate.paths().forEach(path -> table.add(row(path, rate)));
            table.add(RateTables.latencies(rate.hiccupSum(), REPORTED, "", "hiccup", ""));
        }
        return table.lines();
    }

    private static List<String> row(final PathSummary path, final RateSummary rate)
    {
        final List<String> cells = RateTables.latencies(path.intended(), REPORTED, path.rate().label(), path.name(),
            Figure.rate(path.achievedPerSecond()));
        cells.add(Figure.two(toHiccup(path, rate)));
        cells.add(Figure.bytes(path.perEvent(round -> round.readings().allBytes())));
        cells.add(Long.toString(path.sum(Round::fullWaits)));
        cells.add(Long.toString(path.sum(Round::rejected)));
        cells.add(path.series().status());
        return cells;
    }

    private static double toHiccup(final PathSummary path, final RateSummary rate)
    {
        return Quantile.of(path.intended(), TOP) / Quantile.of(rate.hiccupSum(), TOP);
    }

    private static List<String> tail(final List<RateSummary> rates)
    {
        return rates.stream().filter(rate -> rate.rate().perSecond() == TAIL_RATE)
            .flatMap(rate -> rate.paths().stream().map(path -> tail(path, rate))).toList();
    }

    private static String tail(final PathSummary path, final RateSummary rate)
    {
        final double ratio = toHiccup(path, rate);
        return String.format(Locale.ROOT, "%s at 1 M/s: 99 %% is %s, the hiccups' %s: %s times (%s)", path.name(),
            Quantile.text(path.intended(), TOP), Quantile.text(rate.hiccupSum(), TOP),
            Figure.two(ratio), ratio <= MAX_TAIL ? "within 1.5" : "not within 1.5");
    }
}
