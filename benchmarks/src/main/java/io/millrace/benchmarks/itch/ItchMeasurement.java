package io.millrace.benchmarks.itch;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Measures ITCH 5.0 from memory on one thread: a baseline that adds lengths, the decoder, and the decoder with the
 * engine's books; on a recorded hour of one stock, and on a generated stream of many. Figures are CPU time of the
 * thread; rounds are interleaved.
 */
public final class ItchMeasurement
{
    /** Beside the project. */
    private static final Path RECORDED = Path.of("data", "itch", "aapl_20120621_0930_1030.itch.gz");
    private static final int WARM_UPS = 4;
    /** Messages of a round: some 50 ms of the baseline. */
    private static final long MESSAGES = 8_000_000;
    private static final int STOCKS = 500;
    private static final int GENERATED = 1_000_000;
    private static final double MAX_RATIO = 1.5;

    private final PrintStream out;
    private final RunHeader header;
    private final int rounds;
    private final long messages;
    private final Path input;
    private final Path dir;
    private final ThreadProbe probe = ThreadProbe.ofCurrentThread();
    private final TextTable table = new TextTable(2, "stream", "path", "ns/message", "M/s", "least", "greatest",
        "ratio", "bytes/message", "rounds", "aim");

    /** A round: CPU time and bytes of so many messages. */
    private record ItchRound(long messages, Readings readings)
    {
        double ns()
        {
            return (double)readings.allCpuNs() / messages;
        }

        double bytes()
        {
            return (double)readings.allBytes() / messages;
        }
    }

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.commands} (messages of a round), {@code report.input},
     *                   {@code report.dir}.
     * @param out        for people.
     */
    public ItchMeasurement(final Properties properties, final PrintStream out)
    {
        final Options options = new Options(properties, "report.");
        RunOptions.refuseBudget(options);
        RunOptions.refuseRoundMs(options);
        rounds = options.number("rounds", Series.FULL_ROUNDS, 1, 99);
        messages = options.number("commands", (int)MESSAGES, 1, 100_000_000);
        final String given = options.text("input", "");
        if (!given.isEmpty() && !Files.isRegularFile(Path.of(given)))
        {
            throw new InputException("report.input " + given + ": no such file");
        }
        input = given.isEmpty() ? Path.of("..", "shared").resolve(RECORDED) : Path.of(given);
        dir = options.dir(RunOptions.DIR, "itch");
        header = new RunHeader("ITCH 5.0 on one thread");
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a file cannot be read or written.
     */
    public void run() throws IOException
    {
        final boolean isKnown = input.endsWith(RECORDED.getFileName());
        final ItchStream hour = !Files.exists(input) ? null :
            ItchStream.recorded(isKnown ? "recorded hour" : input.getFileName().toString(), input);
        final ReportFolder files = new ReportFolder(dir, "table.txt");
        header.begin(out, 30);
        if (hour != null)
        {
            final ItchPath.Books books = new ItchPath.Books(hour, 1 << 13, 1 << 13);
            measure(hour, books, isKnown ? "16 M/s" : "");
            if (isKnown)
            {
                books.expect("changes of the best bid or offer", 23_456, books.changes());
                books.expect("shares executed of a pass", 350_494,
                    books.books.sharesExecuted() / passes(hour) / (rounds + WARM_UPS));
                books.expect("crossed states", 0, books.books.crossed());
            }
        }
        else
        {
            out.println("There is no " + input + ": the recorded hour is left out.");
        }
        final ItchStream many = ItchStream.generated(STOCKS, (int)Math.min(GENERATED, messages));
        measure(many, new ItchPath.Books(many, 1 << 10, 1 << 10), "");
        files.finish(out, table.lines(), header);
    }

    private int passes(final ItchStream stream)
    {
        return (int)Math.max(1, messages / stream.messages());
    }

    private void measure(final ItchStream stream, final ItchPath.Books books, final String aimOfBooks)
        throws IOException
    {
        final Map<ItchPath, Series<ItchRound>> series = new LinkedHashMap<>();
        final ItchPath lengths = new ItchPath.Lengths(stream);
        final ItchPath dispatch = new ItchPath.Dispatch(stream);
        final ItchPath decode = new ItchPath.Decode(stream);
        for (final ItchPath path : List.of(lengths, dispatch, decode, books))
        {
            series.put(path, new Series<ItchRound>(round -> round.readings().isClean())
                .competing(1, round -> round.readings().runnable(round.readings().wallNs())));
        }
        Interleaving.run(out, stream.name(), WARM_UPS, rounds, series.keySet(), (path, number) ->
        {
            final ItchRound round = round(path);
            if (number > 0)
            {
                series.get(path).add(round);
            }
            return path.name() + " " + Figure.three(round.ns()) + " ns";
        });
        add(lengths, series, "");
        add(dispatch, series, "ratio " + MAX_RATIO);
        add(decode, series, "40 M/s");
        add(books, series, aimOfBooks);
        header.add(stream.name() + ": " + stream.messages() + " messages, " + stream.bytes().limit() + " bytes, " +
            passes(stream) + " passes a round");
    }

    private ItchRound round(final ItchPath path)
    {
        final int passes = passes(path.stream);
        final Measurement measurement = Measurement.start(List.of(), probe);
        for (int i = 0; i < passes; i++)
        {
            path.pass();
        }
        return new ItchRound(passes * path.stream.messages(), measurement.end());
    }

    private void add(final ItchPath path, final Map<ItchPath, Series<ItchRound>> all, final String aim)
    {
        final Series<ItchRound> series = all.get(path);
        final Series<ItchRound> baseline = all.values().iterator().next();
        final double[] ns = series.sorted(ItchRound::ns);
        final double median = series.median(ItchRound::ns);
        table.add(path.stream.name(), path.name(), Figure.three(median), Figure.three(1e3 / median),
            Figure.three(ns[0]), Figure.three(ns[ns.length - 1]),
            Figure.two(series.ratioTo(baseline, ItchRound::ns)), Figure.bytes(series.median(ItchRound::bytes)),
            series.status(), aim);
        header.add(series.complaint(path.stream.name() + ", " + path.name()));
    }
}
