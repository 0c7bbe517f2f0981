package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.Series;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * One run of the report: all groups, one after the other, each in rounds over its contenders (A B C, A B C, ...).
 */
public final class Session
{
    /** Additional rounds of a group when the host was noisy; after that it is reported as it is, and marked. */
    private static final int MAX_EXTRA_ROUNDS = 3;
    /** Time to start and end a fork. */
    private static final int FORK_MS = 500;

    private final long startNs = System.nanoTime();
    private final HostFiles.Ticks ticks = HostFiles.HERE.ticks(List.of());
    private final RunHeader header;
    private final Settings settings;
    private final PrintStream out;
    private final Fork fork;
    private final Shape shape;
    private final Map<String, List<Line>> groups;
    private long planned;
    private long done;

    private Session(final Settings settings, final Shape shape, final PrintStream out)
    {
        this.settings = settings;
        this.shape = shape;
        this.out = out;
        groups = shape.groups(settings.include());
        planned = groups.values().stream().mapToLong(List::size).sum() * settings.rounds();
        fork = new Fork(settings);
        header = new RunHeader("Millrace " + shape.title()).flags("every fork", Fork.JVM_ARGS)
            .add("rounds: " + settings.rounds() + " per line, interleaved within a group, each in its own JVM: " +
                settings.warmUpMs() + " ms warm-up (twice as long after a round in which the JIT still compiled), " +
                settings.roundMs() + " ms measured");
        header.placement("benchmarks with two busy threads, to CPUs " +
            (settings.cpuList().isEmpty() ? "none, as there are no two" : settings.cpuList()) + "; others not");
    }

    /**
     * Run the report on all JMH benchmarks.
     *
     * @param properties the system properties that hold the settings.
     * @param out        for progress and tables.
     * @throws IOException          when a benchmark failed, or the report cannot be written.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static void run(final Properties properties, final PrintStream out)
        throws IOException, InterruptedException
    {
        new Session(Settings.of(properties), new GroupShape(), out).run();
    }

    /**
     * Run the report on the operations of the book.
     *
     * @param properties the system properties that hold the settings.
     * @param out        for progress and the table.
     * @throws IOException          when a benchmark failed, or the report cannot be written.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static void runOperations(final Properties properties, final PrintStream out)
        throws IOException, InterruptedException
    {
        final Settings settings = Settings.forOperations(properties);
        new Session(settings, new OperationShape(settings), out).run();
    }

    private void run() throws IOException, InterruptedException
    {
        final ReportFolder folder = new ReportFolder(settings.folder(), "{table.txt,results.json,jmh.log}");
        final long failed = measure();
        write(folder);
        if (failed > 0)
        {
            throw new IOException(failed + " lines failed, see " + settings.folder().resolve("jmh.log"));
        }
    }

    private long measure() throws IOException, InterruptedException
    {
        header.begin(out, planned * (settings.warmUpMs() + settings.roundMs() + FORK_MS) / 1_000.0);
        out.println(groups.size() + " groups, " + planned + " forks");
        for (final List<Line> group : groups.values())
        {
            int round = 1;
            while (round <= settings.rounds() || isWorthAnother(group, round))
            {
                final List<Line> lines = round <= settings.rounds() ? group : shape.again(group);
                planned += round > settings.rounds() ? lines.size() : 0;
                measure(lines, round++);
                shape.afterRound();
            }
        }
        return groups.values().stream().flatMap(List::stream).filter(line -> line.failure() != null).count();
    }

    private boolean isWorthAnother(final List<Line> group, final int round)
    {
        return round <= settings.rounds() + MAX_EXTRA_ROUNDS && elapsedSeconds() < settings.budgetSeconds() &&
            group.stream().anyMatch(line -> line.failure() == null && !line.rounds.isValid());
    }

    private void measure(final List<Line> group, final int number) throws IOException, InterruptedException
    {
        for (final Line line : group)
        {
            if (line.failure() == null)
            {
                fork.run(line, number);
            }
            done++;
            out.println("[" + done + "/" + planned + "] " + line.id() + ", round " + number + ": " +
                outcome(line) + leftText());
        }
    }

    private static String outcome(final Line line)
    {
        if (line.failure() != null)
        {
            return "FAILED: " + line.failure();
        }
        final ForkRound round = line.rounds.rounds().get(line.rounds.rounds().size() - 1);
        return Table.number(round.ns()) + " ns/op, " + Table.bytes(round.bytes()) + " B/op, steal " +
            Figure.percent(round.host().steal()) + " %, runnable " + round.host().runnable() + ", compiling " +
            Figure.percent(round.compiling()) + " %" +
            (round.isQuiet() ? "" : " (does not count)");
    }

    private String leftText()
    {
        final long leftSeconds = elapsedSeconds() * Math.max(0, planned - done) / done;
        return leftSeconds < 60 ? "" : "; about " + (leftSeconds + 30) / 60 + " min left";
    }

    private long elapsedSeconds()
    {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
    }

    private void write(final ReportFolder folder) throws IOException
    {
        final List<String> text = header.lines();
        text.add("steal during all of it: " +
            Figure.percent(HostFiles.HERE.ticks(List.of()).stealSince(ticks)) + " %; took " +
            elapsedSeconds() + " s");
        text.addAll(shape.legend());
        if (settings.rounds() < Series.FULL_ROUNDS)
        {
            text.add("PREVIEW  fewer than " + Series.FULL_ROUNDS + " rounds: a preview, not figures to quote");
        }
        text.addAll(shape.tables(groups));
        folder.write("table.txt", text);
        writeJson(folder.file("results.json"));
        folder.file("jmh.log");
        folder.print(out, text);
    }

    private void writeJson(final Path file) throws IOException
    {
        final List<RunResult> results = new ArrayList<>();
        for (final List<Line> group : groups.values())
        {
            for (final Line line : group)
            {
                if (!line.rounds.rounds().isEmpty())
                {
                    results.add(new RunResult(line.rounds.rounds().get(0).result().getParams(),
                        line.rounds.rounds().stream().map(ForkRound::result).toList()));
                }
            }
        }
        try (PrintStream json = new PrintStream(Files.newOutputStream(file), false, "UTF-8"))
        {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(results);
            // A print stream throws no exceptions.
            if (json.checkError())
            {
                throw new IOException("could not write all of " + file);
            }
        }
    }
}
