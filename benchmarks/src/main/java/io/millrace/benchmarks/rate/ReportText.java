package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.RateTables;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.Series;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The words of the report around its tables, and what is noted for them while it runs. One thread.
 */
final class ReportText
{
    private static final int COUNTS_PER_LINE = 4;
    private static final List<String> MATCHING_LEGEND = List.of(
        "path      server: pooled order commands through an in-VM source, ring and agent to the matching service,",
        "          whose executions go out as pooled events on the same agent; raw: a plain ring, no server, no pool,",
        "          the same order book called directly; empty: the server with a handler that does nothing;");
    private static final List<String> EMPTY_LEGEND = List.of(
        "path      server: pooled events through an in-VM source, ring and agent; raw: a plain ring, no server,",
        "          no pool: preallocated events and a queue of indexes. A yardstick, not a bound: a path that keeps",
        "          the sequence in the event touches fewer shared lines and may be below it;");
    private static final List<String> LEGEND = List.of(
        "          hiccup: two loops, one on each CPU, that only read the clock: the delays of the host alone",
        "B/event   bytes allocated per event on both threads          GC    garbage collections in the timed rounds",
        "full      events that found the ring full and waited         rej+drop  given up when 50 % late, and dropped",
        "CPU ns    CPU time of both threads per event; they busy-spin, so at low rates it is mostly waiting",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          SATURATED: less than 99 % of the rate was achieved; PREVIEW: fewer than 9 rounds, no result",
        "-         fewer than 10 samples lie beyond that percentile");

    private final RateOptions options;
    private final List<RateSummary> results;
    private final List<String> attempts = new ArrayList<>();
    private final List<String> carried = new ArrayList<>();
    private final Map<String, Long> handledByCommand = new TreeMap<>();
    private List<String> costLines = List.of();
    private long trades;
    private long rejects;
    private long reduces;
    private long refused;

    /**
     * @param results may grow until lines are asked for.
     */
    ReportText(final RateOptions options, final List<RateSummary> results)
    {
        this.options = options;
        this.results = results;
    }

    /** Count what the server handled in one round. */
    void handled(final RateAnswer answer)
    {
        CommandWord.byName(answer.counts()).forEach((key, count) -> handledByCommand.merge(key, count, Long::sum));
        trades += answer.executions().trades();
        rejects += answer.executions().rejects();
        reduces += answer.executions().reduces();
        refused += answer.executions().refused();
    }

    List<String> cost(final List<String> lines)
    {
        costLines = List.copyOf(lines);
        return costLines;
    }

    String carried(final String line)
    {
        carried.add(line);
        return line;
    }

    void attempt(final String line)
    {
        attempts.add(line);
    }

    /** Note the rounds of all attempts but the one that was kept. */
    void discarded(final List<RateSummary> tries, final RateSummary kept)
    {
        for (int i = 0; i < tries.size(); i++)
        {
            if (tries.get(i) != kept)
            {
                attempts.add("");
                attempts.add(kept.rate().label() + " attempt " + (i + 1) + ", " + tries.get(i).status() +
                    ", DISCARDED: the tables above are of attempt " + (tries.indexOf(kept) + 1));
                attempts.addAll(RateTables.rounds(List.of(tries.get(i)), false));
                attempts.add("");
            }
        }
    }

    /** What {@code run.txt} has below the header. */
    List<String> runLines()
    {
        final List<String> lines = new ArrayList<>(tables());
        lines.add("");
        lines.add("Each round (counts: whether it is part of the tables above)");
        lines.addAll(RateTables.rounds(results, true));
        if (!attempts.isEmpty())
        {
            lines.add("");
            lines.addAll(attempts);
        }
        return lines;
    }

    /** Text that is printed at the end. */
    List<String> printLines(final RunHeader header)
    {
        final List<String> lines = new ArrayList<>(header.lines());
        lines.add("");
        lines.addAll(tables());
        lines.add("files     NAME.hgrm: percentiles, NAME.hlog: one interval per round; raw_ is the raw baseline's" +
            (options.isMatching() ? ", empty_ the empty handler's" : "") + "; run.txt: the above and every round");
        return lines;
    }

    private List<String> countLines()
    {
        final List<String> lines = new ArrayList<>();
        final List<String> counts = handledByCommand.entrySet().stream()
            .map(entry -> String.format(Locale.ROOT, "%s %,d", entry.getKey(), entry.getValue())).toList();
        for (int i = 0; i < counts.size(); i += COUNTS_PER_LINE)
        {
            lines.add("  " + String.join("   ", counts.subList(i, Math.min(i + COUNTS_PER_LINE, counts.size()))));
        }
        if (options.isMatching())
        {
            lines.add(String.format(Locale.ROOT,
                "  executions: TRADE %,d   REJECT %,d   REDUCE %,d; commands refused: %,d",
                trades, rejects, reduces, refused));
        }
        return lines;
    }

    private List<String> tables()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("Latency from the intended send time to the end of handling (a stall is charged to all it delays)");
        lines.addAll(ReportTable.main(results));
        lines.add("");
        lines.addAll(RateTables.remarks(results));
        lines.addAll(carried);
        if (options.run().rounds() < Series.FULL_ROUNDS)
        {
            lines.add("fewer than " + Series.FULL_ROUNDS + " rounds: a preview, not a figure to quote");
        }
        lines.add("");
        lines.add("The same events from the actual send (closed formula: does not see what waited unsent)");
        lines.addAll(ReportTable.closed(results));
        lines.add("");
        lines.add("Server to raw baseline, medians over pairs of rounds; last column: server's p99.9 to the hiccups'");
        lines.addAll(ReportTable.ratios(results));
        lines.add("");
        lines.addAll(costLines);
        lines.add("answers: right in every round (checksum over all fields of all events in order, counts by command)");
        if (options.isMatching())
        {
            lines.add("         and executions (counts by kind, checksum over all fields of all executions and " +
                "results in order, orders resting)");
        }
        lines.add("handled by the server in all rounds:");
        lines.addAll(countLines());
        lines.add("");
        lines.addAll(options.isMatching() ? MATCHING_LEGEND : EMPTY_LEGEND);
        lines.addAll(LEGEND);
        return lines;
    }
}
