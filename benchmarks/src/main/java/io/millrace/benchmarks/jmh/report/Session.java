package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.rate.ReportOptions;

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
import java.util.function.Supplier;

/**
 * One run of the report: all groups, one after the other, each in rounds over its contenders (A B C, A B C, ...).
 */
public final class Session
{
    /** Additional rounds of a group when the host was noisy; after that it is reported as it is, and marked. */
    private static final int MAX_EXTRA_ROUNDS = 3;

    private final long startNs = System.nanoTime();
    private final Host host = new Host();
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
    }

    /**
     * Run the report on all JMH benchmarks.
     *
     * @param properties the system properties that hold the settings.
     * @param out        for progress and tables.
     * @param err        for what is wrong.
     * @return exit code: 0; 1 when a benchmark failed; 2 when a setting is impossible, nothing was run then.
     * @throws IOException          when the report cannot be written.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static int run(final Properties properties, final PrintStream out, final PrintStream err)
        throws IOException, InterruptedException
    {
        return run("JmhReport", () -> new Session(Settings.of(properties), new GroupShape(), out), err);
    }

    /**
     * Run the report on the operations of the book.
     *
     * @param properties the system properties that hold the settings.
     * @param out        for progress and the table.
     * @param err        for what is wrong.
     * @return exit code: 0; 1 when a benchmark failed; 2 when a setting is impossible, nothing was run then.
     * @throws IOException          when the report cannot be written.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static int runOperations(final Properties properties, final PrintStream out, final PrintStream err)
        throws IOException, InterruptedException
    {
        return run("book-ops", () ->
        {
            final Settings settings = Settings.forOperations(properties);
            return new Session(settings, new OperationShape(settings), out);
        }, err);
    }

    private static int run(final String name, final Supplier<Session> made, final PrintStream err)
        throws IOException, InterruptedException
    {
        final Session session;
        try
        {
            session = made.get();
        }
        catch (final IllegalArgumentException ex)
        {
            err.println(name + ": " + ex.getMessage());
            return 2;
        }
        final long failed = session.measure();
        session.write();
        if (failed > 0)
        {
            err.println(name + ": " + failed + " lines failed, see " + session.settings.folder().resolve("jmh.log"));
        }
        return failed > 0 ? 1 : 0;
    }

    private long measure() throws IOException, InterruptedException
    {
        Files.createDirectories(settings.folder());
        Files.deleteIfExists(settings.folder().resolve("jmh.log"));
        out.println(shape.title() + ": " + groups.size() + " groups, " + planned + " forks of about " +
            (settings.warmUpMs() + settings.roundMs() + 500) / 100 / 10.0 + " s");
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
            group.stream().anyMatch(line -> line.failure() == null && !line.isValid());
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
        final Round round = line.rounds().get(line.rounds().size() - 1);
        return Table.number(round.ns()) + " ns/op, " + Table.bytes(round.bytes()) + " B/op, steal " +
            Host.percent(round.host().stealPercent()) + ", runnable " + round.host().runnable() +
            (round.isQuiet() ? "" : " (noisy)");
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

    private void write() throws IOException
    {
        final List<String> text = new ArrayList<>();
        text.add("Millrace " + shape.title());
        text.addAll(host.describe(settings, elapsedSeconds()));
        text.addAll(shape.legend());
        if (settings.rounds() < ReportOptions.FULL_ROUNDS)
        {
            text.add("LOOK     fewer than " + ReportOptions.FULL_ROUNDS + " rounds: a look, not figures to quote");
        }
        text.addAll(shape.tables(groups));
        final Path table = settings.folder().resolve("table.txt");
        Files.write(table, text);
        writeJson(settings.folder().resolve("results.json"));
        out.println();
        text.forEach(out::println);
        out.println();
        out.println("Written: " + table + ", results.json (JMH's format, a fork is a round), jmh.log");
    }

    private void writeJson(final Path file) throws IOException
    {
        final List<RunResult> results = new ArrayList<>();
        for (final List<Line> group : groups.values())
        {
            for (final Line line : group)
            {
                if (!line.rounds().isEmpty())
                {
                    results.add(new RunResult(line.rounds().get(0).result().getParams(),
                        line.rounds().stream().map(Round::result).toList()));
                }
            }
        }
        try (PrintStream json = new PrintStream(Files.newOutputStream(file), false, "UTF-8"))
        {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(results);
        }
    }
}
