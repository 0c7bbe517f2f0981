package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.HiccupMeter;
import io.millrace.benchmarks.harness.HostBaseline;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The operations of the book in one table, each next to the figures of an engine in Rust; all rounds are interleaved.
 * After each round the host's hiccups are measured.
 */
final class OperationShape implements Shape
{
    private static final String GROUP = "book-ops";
    /** 10,000 samples in each round: a tenth of a second. */
    private static final int HICCUP_RATE = 100_000;
    private static final int HICCUP_MS = 100;

    private final Histogram hiccups = LatencyRecorder.newHistogram();
    private final int[] cpus;
    private final double clockNs = HostBaseline.measureClockNs();
    private final Map<Line, RustOperation> operations = new LinkedHashMap<>();

    OperationShape(final Settings settings)
    {
        cpus = settings.cpus();
    }

    @Override
    public String title()
    {
        return "report on the operations of the book";
    }

    @Override
    public Map<String, List<Line>> groups(final Pattern include)
    {
        final Map<String, Line> all = Plan.groups(Pattern.compile("")).values().stream().flatMap(List::stream)
            .collect(Collectors.toMap(Line::id, line -> line));
        for (final RustOperation operation : RustOperation.ALL)
        {
            if (include.matcher(operation.name()).find())
            {
                final Line known = all.get(operation.line());
                operations.put(new Line(known.benchmark, known.parameters), operation);
            }
        }
        if (operations.isEmpty())
        {
            throw new InputException("report.jmh '" + include + "' is in no operation's name; these are " +
                RustOperation.ALL.stream().map(RustOperation::name).collect(Collectors.joining("; ")));
        }
        return Map.of(GROUP, List.copyOf(operations.keySet()));
    }

    /** Those alone that need it: no line is compared with another. */
    @Override
    public List<Line> again(final List<Line> group)
    {
        return group.stream().filter(line -> line.failure() == null && !line.rounds.isValid()).toList();
    }

    @Override
    public void afterRound() throws IOException
    {
        hiccups.add(HiccupMeter.measure(HICCUP_RATE, HICCUP_MS, cpus[0], cpus[1]));
    }

    @Override
    public List<String> legend()
    {
        return List.of(
            "hiccups  of the host after each round, two threads that read a clock 100,000 times a second: p50 " +
                Quantile.text(hiccups.getValueAtPercentile(50)) + ", p99 " +
                Quantile.text(hiccups.getValueAtPercentile(99)) + ", p99.9 " +
                Quantile.text(hiccups.getValueAtPercentile(99.9)) + ", max " + Quantile.text(hiccups.getMaxValue()),
            "clock    a reading costs " + String.format(Locale.ROOT, "%.1f ns", clockNs) +
                "; two for each run of 1 to 16 operations of the book are in its figures",
            "columns  ours: median over the quiet rounds (steal at most 1 %, runnable threads at most CPUs, the JIT",
            "         compiled for at most half of the time), then the least and the greatest round; a warm book,",
            "         made before the clock is read; all answers checked;",
            "         Rust: an engine in Rust, as published (on a desktop), and two runs on a machine with 2 virtual",
            "         CPUs of 2.5 GHz, at another time than ours: a ratio of them is no figure of the same run;",
            "         to better: ours by the better of the two runs; beaten: whether that is below 1; desktop: whether",
            "         ours is below the published figure; B/op: bytes allocated, JMH's own few hundred in each of its",
            "         iterations with them; rounds: quiet of all; bare ring: places of longs in one array, without",
            "         events or a pool, which is what the other engine's ring is; no part of Millrace, so not counted",
            "books    ours have capacity for just the orders of the operation, a window of 256, 2,048 or (snapshots)",
            "         8,192 prices, not the defaults; the other engine's figure of cancel_middle is mostly the freeing",
            "         of its book, so being below it says little; of cancel_middle a sixth of ours is the clock");
    }

    @Override
    public List<String> tables(final Map<String, List<Line>> groups)
    {
        final TextTable table = new TextTable(1, "operation", "ours", "least", "greatest", "Rust published", "run 1",
            "run 2", "to better", "beaten", "desktop", "B/op", "rounds");
        final List<String> notes = new ArrayList<>();
        int beaten = 0;
        int desktop = 0;
        for (final Map.Entry<Line, RustOperation> entry : operations.entrySet())
        {
            final Line line = entry.getKey();
            final RustOperation rust = entry.getValue();
            if (line.failure() != null)
            {
                table.add(rust.name(), "-", "-", "-", rust.unit().text(rust.desktop()),
                    rust.unit().text(rust.firstRun()), rust.unit().text(rust.secondRun()), "-", "-", "-", "-", "-");
                notes.add("FAILED: " + rust.name() + ": " + line.failure());
                continue;
            }
            final double ours = rust.of(line.rounds.median(ForkRound::ns));
            beaten += !rust.isBaseline() && ours < rust.better() ? 1 : 0;
            desktop += !rust.isBaseline() && ours < rust.desktop() ? 1 : 0;
            table.add(row(line, rust, ours));
            if (!line.rounds.isValid())
            {
                notes.add("INVALID: " + rust.name() + ": " + Table.reason(line));
            }
        }
        final List<String> text = new ArrayList<>(List.of(""));
        text.addAll(table.lines());
        text.add("");
        text.addAll(notes);
        final long count = operations.values().stream().filter(rust -> !rust.isBaseline()).count();
        final long different = operations.values().stream().filter(rust -> !rust.isBaseline())
            .map(RustOperation::what).distinct().count();
        text.add("beaten: " + beaten + " of " + count + " lines; the published desktop figure: " + desktop + " of " +
            count + (different == count ? "" : "; they are " + different +
            " operations, for some are measured one by one and in batches, against one figure"));
        return text;
    }

    private static String[] row(final Line line, final RustOperation rust, final double ours)
    {
        final double[] all = line.rounds.sorted(round -> rust.of(round.ns()));
        return new String[]{
            rust.name(),
            rust.unit().text(ours),
            rust.unit().text(all[0]),
            rust.unit().text(all[all.length - 1]),
            rust.unit().text(rust.desktop()),
            rust.unit().text(rust.firstRun()),
            rust.unit().text(rust.secondRun()),
            String.format(Locale.ROOT, "%.2f", ours / rust.better()),
            ours < rust.better() ? "yes" : "NO",
            ours < rust.desktop() ? "yes" : "no",
            Table.bytes(line.rounds.median(ForkRound::bytes)),
            line.rounds.clean() + "/" + line.rounds.rounds().size()};
    }
}
