package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.harness.Paragraphs;
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
    private static final List<String> PREVIEW =
        List.of("fewer than " + Series.FULL_ROUNDS + " rounds: a preview, not a figure to quote");
    private static final List<String> ANSWERS = List.of(
        "answers: right in every round (checksum over all fields of all events in order, counts by command)");
    private static final List<String> MATCHING_ANSWERS = List.of("         and executions (counts by kind, checksum " +
        "over all fields of all executions and results in order, orders resting)");
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
        "latency   up to " + MeterLedger.EVENTS_PER_READING + " events right behind one another share a clock " +
            "reading after the last of them: never",
        "          too short, too long by the time of the events in between",
        "B/event   bytes allocated per event on both threads          GC    garbage collections in the timed rounds",
        "full      events that found the ring full and waited         rej+drop  given up when 50 % late, and dropped",
        "CPU ns    CPU time of both threads per event; they busy-spin, so at low rates it is mostly waiting",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          SATURATED: less than 99 % of the rate was achieved; PREVIEW: fewer than 9 rounds, no result",
        "-         fewer than 10 samples lie beyond that percentile; as a ratio: one of the two paths is SATURATED");

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

    /** Text of {@code run.txt} below the header. */
    List<String> runLines()
    {
        final Paragraphs text = new Paragraphs().add("", tables())
            .add("Each round (counts: whether it is part of the tables above)", RateTables.rounds(results, true));
        return attempts.isEmpty() ? text.lines() : text.add("", attempts).lines();
    }

    /** Text that is printed at the end. */
    List<String> printLines(final RunHeader header)
    {
        return new Paragraphs().add("", header.lines()).add("", tables(), List.of(
            "files     NAME.hgrm: percentiles, NAME.hlog: one interval per round; raw_ is the raw baseline's" +
            (options.isMatching() ? ", empty_ the empty handler's" : "") + "; run.txt: the above and every round"))
            .lines();
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
        final boolean isPreview = options.run().rounds() < Series.FULL_ROUNDS;
        return new Paragraphs()
            .add("Latency from the intended send time to the end of handling (a stall is charged to all it delays)",
                ReportTable.main(results))
            .add("", RateTables.remarks(results), carried, isPreview ? PREVIEW : List.of())
            .add("The same events from the actual send (closed formula: does not see what waited unsent)",
                ReportTable.closed(results))
            .add("Server to raw baseline, medians over pairs of rounds; below 1 the server is faster. Last: to the " +
                "empty handler, and its p99.9 to the host's",
                ReportTable.ratios(results))
            .add("", costLines, ANSWERS, options.isMatching() ? MATCHING_ANSWERS : List.of(),
                List.of("handled by the server in all rounds:"), countLines())
            .add("", options.isMatching() ? MATCHING_LEGEND : EMPTY_LEGEND, LEGEND).lines();
    }
}
