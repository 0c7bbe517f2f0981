package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * order-throughput as text. Stateless; any thread.
 */
final class ThroughputTable
{
    private static final double MILLION = 1e6;
    private static final List<String> LEGEND = List.of(
        "M/s       million commands per second, flat out: from the start signal to the end of the last command; a",
        "          round is all commands of the set-up from the same filled books, users and resting orders not timed",
        "          millrace: source on one core, risk, matching and reading of the executions on the other;",
        "          exchange-core: its pipeline of five threads on the same two cores, wait strategy as in the header",
        "speed     ours to exchange-core, median over pairs of rounds that ran one after the other;",
        "          with a journal: that line to ours without one",
        "CPU ns    CPU time of the handling threads per command, waiting included",
        "B/command bytes allocated per command on all threads of the path     GC  collections in the timed rounds",
        "books     equal: trades, volume, rejects, orders at rest and all levels are those of the flow on one thread,",
        "          in every round (anything else ends the report)",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          PREVIEW: fewer than 9 rounds, no result",
        "serial-   with the journal under that policy, on the agent of matching; parallel-: the journal beside",
        "          matching, on the source's CPU; bare-: as serial, a plain write of as many bytes in its place");

    /**
     * The rounds of one exchange in one set-up, flat out.
     *
     * @param setup  the set-up.
     * @param name   of the exchange.
     * @param series its rounds, and which of them count.
     */
    record Summary(ExchangeSetup setup, String name, Series<Round> series)
    {
    }

    private ThroughputTable()
    {
    }

    /**
     * Everything below the header.
     *
     * @param setups the contenders of each set-up, ours first.
     * @param notes  other events of the run.
     */
    static List<String> text(final List<List<Summary>> setups, final List<String> notes)
    {
        final TextTable table = new TextTable(2, "set-up", "exchange", "M/s median", "best", "least", "speed", "CPU ns",
            "B/command", "GC", "books", "status");
        final List<String> remarks = new ArrayList<>();
        for (final List<Summary> setup : setups)
        {
            table.add();
            for (final Summary summary : setup)
            {
                table.add(row(summary, setup));
                if (!summary.series().isValid())
                {
                    remarks.add(summary.setup().label() + " " + summary.name() + ": INVALID: " +
                        summary.series().invalid() + "; figures of all rounds");
                }
            }
        }
        return new Paragraphs().add("", table.lines()).add("", remarks, notes, LEGEND).lines();
    }

    private static String[] row(final Summary summary, final List<Summary> setup)
    {
        final Series<Round> series = summary.series();
        final double[] rates = series.sorted(Round::achievedPerSecond);
        final boolean hasRival = setup.size() > 1 && setup.get(1).name().equals(ExchangeContender.RIVAL);
        final Summary other = hasRival ? setup.get(1) : setup.get(0);
        return new String[] {
            summary.setup().label(),
            summary.name(),
            millions(series.median(Round::achievedPerSecond)),
            millions(rates[rates.length - 1]),
            millions(rates[0]),
            hasRival == (summary == setup.get(0)) && summary != other ?
                Figure.two(series.ratioTo(other.series(), Round::achievedPerSecond)) : "",
            Figure.rate(series.median(round -> (double)round.handlerCpuNs() / round.handled())),
            Figure.bytes(series.median(Round::bytesPerEvent)),
            Long.toString(series.kept().stream().mapToLong(round -> round.readings().gcCount()).sum()),
            "equal",
            series.status()};
    }

    private static String millions(final double perSecond)
    {
        return Figure.two(perSecond / MILLION);
    }

    /** One line for each round, values parted by commas. */
    static List<String> rounds(final List<List<Summary>> setups)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("setup,exchange,round,commands,elapsedNs,sourceCpuNs,handlerCpuNs,bytes,gc,full,steal,runnable," +
            "counts");
        for (final List<Summary> setup : setups)
        {
            for (final Summary summary : setup)
            {
                lines.addAll(summary.series().lines((round, i) -> round(summary, round, i)));
            }
        }
        return lines;
    }

    private static String round(final Summary summary, final Round round, final int index)
    {
        final Readings readings = round.readings();
        return String.format(Locale.ROOT, "%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%.4f,%.2f,%s", summary.setup().label(),
            summary.name(), index + 1, round.handled(), round.elapsedNs(), readings.cpuNs()[0],
            round.handlerCpuNs(), readings.allBytes(), readings.gcCount(), round.fullWaits(), readings.steal(),
            round.runnable(), summary.series().counts(index));
    }
}
