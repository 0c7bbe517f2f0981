package io.millrace.benchmarks.suite;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.jmh.book.BookSummary;
import io.millrace.engine.book.SymbolSpec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cost of a message of each flow of the suite, with the default book and with a narrow window, compared with the flow
 * whose prices stand still. One thread, which sleeps while a child runs.
 */
public final class SuiteReport
{
    private static final String FOLDER = "book-suite";
    private static final Pattern NAME = Pattern.compile("orders_(.+)_s\\d+_n\\d+\\.bin\\.gz");
    private static final String REFERENCE = "static";
    // Two million messages of 400,000: after the last compilation.
    private static final int WARM_UP_ROUNDS = 6;
    private static final double ROUND_S = 0.4;
    private static final List<Integer> WINDOWS =
        List.of(SymbolSpec.spot(1).windowTicks(), SymbolSpec.MIN_DEFAULT_WINDOW_TICKS);

    private static final List<String> LEGEND = List.of(
        "median     CPU time of the thread for a message, reports written to an array; over the clean rounds",
        "to static  median of the ratios to the first line, in rounds of the same pace of the host",
        "sparse     levels outside the window at the end of the flow",
        "reports    new, trade, cancelled, modified, cancel rejected, modify rejected");

    private final RunOptions options;
    private final PrintStream out;
    private final RunHeader header;
    private final Map<Line, List<BookRound>> rounds = new LinkedHashMap<>();
    private final Map<Line, SuiteRunner.Round> last = new LinkedHashMap<>();

    private record Line(String flow, Path file, int windowTicks)
    {
        @Override
        public String toString()
        {
            return flow + " " + windowTicks;
        }
    }

    /**
     * A report.
     *
     * @param options checked settings: rounds, the second of the CPUs, and where the files go.
     * @param input   folder of the suite's flows.
     * @param out     for people.
     * @throws IOException    when the folder cannot be read.
     * @throws InputException when it has no flow.
     */
    public SuiteReport(final RunOptions options, final String input, final PrintStream out) throws IOException
    {
        this.options = options;
        this.out = out;
        header = new RunHeader("Millrace, the book on the flows of a conformance suite")
            .flags("every book", ChildProcess.flags()).add("input: " + input)
            .add(options.rounds() + " interleaved rounds after " + WARM_UP_ROUNDS + " warm-up rounds");
        final Path folder = Path.of(input);
        if (input.isEmpty() || !Files.isDirectory(folder))
        {
            throw new InputException("report.input '" + input + "' is not the folder of the suite's flows");
        }
        try (Stream<Path> files = Files.list(folder))
        {
            files.sorted(Comparator.comparing(file -> !file.toString().contains(REFERENCE))).forEach(this::addLines);
        }
        if (rounds.isEmpty())
        {
            throw new InputException("report.input '" + input + "' has no file named like " + NAME);
        }
    }

    private void addLines(final Path file)
    {
        final Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches())
        {
            WINDOWS.forEach(ticks -> rounds.put(new Line(name.group(1), file, ticks), new ArrayList<>()));
        }
    }

    /**
     * Run it.
     *
     * @throws IOException          when a child breaks or a file cannot be written.
     * @throws WrongAnswerException when the reports of a flow differ between rounds or windows.
     */
    public void run() throws IOException
    {
        final ReportFolder report = new ReportFolder(options.dir().resolve(FOLDER), "{table.txt,rounds.csv}");
        header.begin(out, 5 + ROUND_S * rounds.size() * (options.rounds() + WARM_UP_ROUNDS));
        try (Children<Line, SuiteRunner> children = new Children<>())
        {
            for (final Line line : rounds.keySet())
            {
                final String file = line.file.toString();
                final int windowTicks = line.windowTicks;
                final int cpu = options.handlerCpu();
                children.start(line, List.of(),
                    () -> new SuiteRunner(Path.of(file), windowTicks, cpu));
            }
            Interleaving.run(out, "ns/message:", WARM_UP_ROUNDS, options.rounds(), rounds.keySet(), (line, number) ->
            {
                final SuiteRunner.Round round = children.ask(line, SuiteRunner::round);
                check(line, round);
                last.put(line, round);
                header.placement(round.book().placement());
                if (number > 0)
                {
                    rounds.get(line).add(round.book());
                }
                return line + " " + Figure.two(round.book().ns());
            });
        }
        write(report);
    }

    private void check(final Line line, final SuiteRunner.Round round)
    {
        final BookAnswer answer = round.book().answer();
        last.forEach((other, wanted) ->
        {
            if (other.flow.equals(line.flow) && !wanted.book().answer().equals(answer))
            {
                throw new WrongAnswerException(line + ": " + answer + " instead of " + wanted.book().answer());
            }
        });
    }

    private void write(final ReportFolder folder) throws IOException
    {
        final List<String> text = header.lines();
        text.add("answers: the same reports and levels in every round and with both windows");
        text.add("");
        final TextTable table = new TextTable(1, "ns/message", "window", "median", "quiet", "to static", "pairs",
            "B/message", "sparse", "rounds", "reports");
        final List<String> csv = new ArrayList<>(List.of("flow,round,messages,cpuNs,wallNs,bytes,calibrationNs,steal," +
            "runnable"));
        BookSummary reference = null;
        for (final Map.Entry<Line, List<BookRound>> entry : rounds.entrySet())
        {
            final Line line = entry.getKey();
            final BookSummary summary = new BookSummary(line.toString(), entry.getValue());
            reference = reference == null ? summary : reference;
            final SuiteRunner.Round round = last.get(line);
            table.add(line.flow, String.format(Locale.ROOT, "%,d", line.windowTicks),
                Figure.two(summary.medianNs()), Figure.two(summary.quietNs()), Figure.two(summary.ratioTo(reference)),
                Integer.toString(summary.pairCount(reference)), Figure.bytes(summary.bytes()),
                Integer.toString(round.sparseLevels()), summary.series().status(),
                Arrays.toString(round.reportCounts()));
            csv.addAll(summary.series().lines((one, i) -> summary.name() + "," + (i + 1) + "," + one.csv()));
        }
        text.addAll(table.lines());
        text.add("");
        text.addAll(LEGEND);
        folder.write("table.txt", text);
        folder.write("rounds.csv", csv);
        folder.print(out, text);
    }
}
