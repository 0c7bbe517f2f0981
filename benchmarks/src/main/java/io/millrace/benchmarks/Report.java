package io.millrace.benchmarks;

import io.millrace.benchmarks.cost.CostReport;
import io.millrace.benchmarks.depth.DepthCase;
import io.millrace.benchmarks.depth.DepthReport;
import io.millrace.benchmarks.depth.HostileCase;
import io.millrace.benchmarks.depth.HostileReport;
import io.millrace.benchmarks.entry.EntryMeasurement;
import io.millrace.benchmarks.exchange.ExchangeOptions;
import io.millrace.benchmarks.exchange.LatencyReport;
import io.millrace.benchmarks.exchange.ThroughputReport;
import io.millrace.benchmarks.gateway.GatewayMeasurement;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.benchmarks.ipc.IpcMeasurement;
import io.millrace.benchmarks.itch.ItchMeasurement;
import io.millrace.benchmarks.jmh.book.BookRace;
import io.millrace.benchmarks.jmh.book.RaceSetup;
import io.millrace.benchmarks.jmh.report.Session;
import io.millrace.benchmarks.journal.JournalCost;
import io.millrace.benchmarks.race.RaceOptions;
import io.millrace.benchmarks.race.RaceReport;
import io.millrace.benchmarks.rate.RateOptions;
import io.millrace.benchmarks.rate.RateReport;
import io.millrace.benchmarks.rate.ReportInput;
import io.millrace.benchmarks.recovery.RecoveryMeasurement;
import io.millrace.benchmarks.suite.SuiteReport;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Starts every report: {@code mvn -q compile exec:exec}, with a profile for all but the message-rate report. The
 * settings are system properties, see {@code docs/configuration.md}.
 * <p>
 * Exit codes: 0 the report is complete and its answers were right, and figures disturbed by the host are marked; 1 an
 * answer was wrong or something broke; 2 a setting or the input file is impossible, and nothing was started.
 */
public final class Report
{
    private static final int FAILED = 1;
    private static final String MESSAGE_RATE = "message-rate";
    /** The values of {@code report.book}; the default first. */
    private static final List<String> BOOKS = List.of("flow", "mix", "depth", "hostile", "suite");
    /** Those that have commands of their own. */
    private static final List<String> GENERATED = List.of("depth", "hostile");

    /** By the name: what each takes besides its JVM, and how it starts. */
    private static final Map<String, Start> REPORTS = Map.ofEntries(
        of(MESSAGE_RATE, "rates rounds roundMs handler input capacity cpus budgetSeconds", Report::messageRate),
        of("report-jmh", "jmh rounds roundMs cpus budgetSeconds", (given, out) -> Session.run(given, out)),
        of("book-ops", "jmh rounds roundMs cpus budgetSeconds",
            (given, out) -> Session.runOperations(given, out)),
        // Here and below: what the report refuses itself, with its reason, is among the names.
        of("book-race", "book input rounds roundMs cpus budgetSeconds depth orders", Report::book),
        of("order-latency", "setup commands rates rounds roundMs cpus budgetSeconds idle marketData journal",
            (given, out) -> new LatencyReport(ExchangeOptions.latency(given, Pinning.allowed()), out).run()),
        of("order-throughput", "setup commands rounds cpus budgetSeconds idle marketData journal",
            (given, out) -> new ThroughputReport(ExchangeOptions.throughput(given, Pinning.allowed()), out).run()),
        Map.entry("report-race", new Start(
            names("race.", "disciplines only rounds roundMs cpus budgetSeconds"),
            (given, out) -> new RaceReport(RaceOptions.from(given, Pinning.allowed()), out).run())),
        of("report-recovery", "commands orders rounds roundMs budgetSeconds",
            (given, out) -> new RecoveryMeasurement(given, out).run()),
        of("report-ipc", "rounds roundMs cpus budgetSeconds",
            (given, out) -> new IpcMeasurement(given, out).run()),
        of("report-gateway", "cost rates rounds roundMs cpus budgetSeconds",
            (given, out) -> new GatewayMeasurement(given, out).run()),
        of("report-exchange", "cost rates rounds roundMs budgetSeconds",
            (given, out) -> new EntryMeasurement(given, out).run()),
        of("report-itch", "commands input rounds roundMs budgetSeconds",
            (given, out) -> new ItchMeasurement(given, out).run()),
        of("report-cost", "cost rounds roundMs cpus budgetSeconds",
            (given, out) -> new CostReport(given, out).run()),
        of("journal-cost", "cost rounds roundMs cpus budgetSeconds",
            (given, out) -> new JournalCost(given, out).run()));

    @FunctionalInterface
    private interface Runner
    {
        void run(Properties given, PrintStream out) throws IOException, InterruptedException;
    }

    private record Start(List<String> taken, Runner report)
    {
    }

    private Report()
    {
    }

    private static Map.Entry<String, Start> of(final String name, final String taken, final Runner report)
    {
        return Map.entry(name, new Start(names("report.", taken), report));
    }

    private static List<String> names(final String prefix, final String taken)
    {
        return Stream.of((taken + " dir").split(" ")).map(prefix::concat).toList();
    }

    /**
     * Run a report and end the process.
     *
     * @param args its name: the Maven profile that starts it; default {@code message-rate}.
     * @throws InterruptedException never: nothing interrupts the main thread.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        // The logging API below Affinity, which pins threads in this JVM, would complain on stderr.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(code(args.length == 0 ? MESSAGE_RATE : args[0]));
    }

    private static int code(final String name) throws InterruptedException
    {
        try
        {
            Options.refuseUnknown();
            run(name, System.getProperties(), new PrintStream(System.out, true, StandardCharsets.UTF_8));
            return 0;
        }
        catch (final InputException ex)
        {
            System.err.println(name + ": " + ex.getMessage());
            return InputException.EXIT_CODE;
        }
        catch (final WrongAnswerException ex)
        {
            System.err.println("WRONG ANSWER, no result: " + ex.getMessage());
            return FAILED;
        }
        catch (final IOException ex)
        {
            System.err.println(name + ": broke off: " + ex.getMessage());
            return FAILED;
        }
    }

    private static void run(final String name, final Properties given, final PrintStream out)
        throws IOException, InterruptedException
    {
        final Start start = REPORTS.get(name);
        if (start == null)
        {
            throw new InputException("there is no such report");
        }
        Options.refuseOthers(given, start.taken);
        start.report.run(given, out);
    }

    private static void messageRate(final Properties given, final PrintStream out) throws IOException
    {
        final RateOptions options = RateOptions.from(given, Pinning.allowed());
        new RateReport(options, ReportInput.of(options.input()), out).run();
    }

    private static void book(final Properties given, final PrintStream out) throws IOException
    {
        final Options options = new Options(given, "report.");
        final String book = options.word("book", BOOKS);
        final RunOptions run = RunOptions.from(options, RunOptions.MAX_ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR,
            "", Pinning.allowed());
        RunOptions.refuseRoundMs(options);
        refuseElsewhere(options, book, "depth", "depth");
        refuseElsewhere(options, book, "hostile", "orders");
        if (GENERATED.contains(book))
        {
            options.refuse("input", "report.book " + book + " has its own commands");
        }
        final String input = options.text("input", "");
        switch (book)
        {
            case "flow" -> new BookRace(RaceSetup.FLOW, run, input, out).run();
            case "mix" -> new BookRace(RaceSetup.MIX, run, input, out).run();
            case "depth" -> new DepthReport(run, DepthCase.from(given), out).run();
            case "hostile" -> new HostileReport(run, HostileCase.orders(given), out).run();
            default -> new SuiteReport(run, input, out).run();
        }
    }

    private static void refuseElsewhere(
        final Options options, final String book, final String reader, final String name)
    {
        if (!book.equals(reader))
        {
            options.refuse(name, "it is for report.book " + reader + ", not for " + book);
        }
    }
}
