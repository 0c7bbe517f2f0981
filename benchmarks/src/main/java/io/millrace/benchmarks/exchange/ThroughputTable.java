package io.millrace.benchmarks.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.ReportTable;
import io.millrace.benchmarks.rate.TextTable;

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
        "speed     ours to exchange-core, median over pairs of rounds that ran one after the other",
        "CPU ns    CPU time of the handling threads per command, waiting included",
        "B/command bytes allocated per command on all threads of the path     GC  collections in the timed rounds",
        "books     equal: trades, volume, rejects, orders at rest and all levels are those of the flow on one thread,",
        "          in every round (anything else ends the report)",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          LOOK: fewer than 9 rounds, no result",
        "Again with the journal: not run, there is no journal yet.");

    private ThroughputTable()
    {
    }

    /**
     * Everything below the header.
     *
     * @param setups the contenders of each set-up, ours first.
     * @param notes  what else happened.
     */
    static List<String> text(final List<List<ThroughputSummary>> setups, final List<String> notes)
    {
        final TextTable table = new TextTable(2, "set-up", "exchange", "M/s median", "best", "least", "speed", "CPU ns",
            "B/command", "GC", "books", "status");
        final List<String> remarks = new ArrayList<>();
        for (final List<ThroughputSummary> setup : setups)
        {
            table.add();
            for (final ThroughputSummary summary : setup)
            {
                table.add(row(summary, setup));
                if (!summary.invalid().isEmpty())
                {
                    remarks.add(summary.setup().label() + " " + summary.name() + ": INVALID: " + summary.invalid() +
                        "; figures of all rounds");
                }
            }
        }
        final List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.addAll(remarks);
        lines.addAll(notes);
        lines.addAll(LEGEND);
        return lines;
    }

    private static String[] row(final ThroughputSummary summary, final List<ThroughputSummary> setup)
    {
        final double[] rates = summary.sorted(ExchangeRound::achievedPerSecond);
        final boolean hasSpeed = summary == setup.get(0) && setup.size() > 1;
        return new String[] {
            summary.setup().label(),
            summary.name(),
            millions(summary.median(ExchangeRound::achievedPerSecond)),
            millions(rates[rates.length - 1]),
            millions(rates[0]),
            hasSpeed ? ReportTable.ratio(summary.speedTo(setup.get(1))) : "",
            String.format(Locale.ROOT, "%.0f", summary.median(ExchangeRound::handlerNs)),
            LatencyTable.bytes(summary.median(ExchangeRound::bytesPerCommand)),
            Long.toString(summary.rounds().stream().filter(summary::counts).mapToLong(ExchangeRound::gcCount).sum()),
            "equal",
            summary.status()};
    }

    private static String millions(final double perSecond)
    {
        return String.format(Locale.ROOT, "%.2f", perSecond / MILLION);
    }

    /** One line for each round, values parted by commas. */
    static List<String> rounds(final List<List<ThroughputSummary>> setups)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("setup,exchange,round,commands,elapsedNs,sourceCpuNs,handlerCpuNs,bytes,gc,full,steal,runnable," +
            "counts");
        for (final List<ThroughputSummary> setup : setups)
        {
            for (final ThroughputSummary summary : setup)
            {
                for (int i = 0; i < summary.rounds().size(); i++)
                {
                    lines.add(round(summary, i));
                }
            }
        }
        return lines;
    }

    private static String round(final ThroughputSummary summary, final int index)
    {
        final ExchangeRound round = summary.rounds().get(index);
        return String.format(Locale.ROOT, "%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%.4f,%.2f,%s", summary.setup().label(),
            summary.name(), index + 1, round.handled(), round.elapsedNs(), round.source().cpuNs(),
            round.handler().cpuNs(), round.source().allocatedBytes() + round.handler().allocatedBytes(),
            round.gcCount(), round.fullWaits(), round.steal(), round.runnable(), summary.counts(round));
    }
}
