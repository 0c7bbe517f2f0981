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
import io.millrace.benchmarks.harness.HostFiles;
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
import java.util.Properties;

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

    private Report()
    {
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
            run(name, System.getProperties(), new HostFiles(),
                new PrintStream(System.out, true, StandardCharsets.UTF_8));
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

    private static void run(final String name, final Properties given, final HostFiles host, final PrintStream out)
        throws IOException, InterruptedException
    {
        final List<Integer> cpus = Pinning.allowed();
        switch (name)
        {
            case MESSAGE_RATE ->
            {
                final RateOptions options = RateOptions.from(given, cpus);
                new RateReport(options, ReportInput.of(options.input()), host, out).run();
            }
            case "report-jmh" -> Session.run(given, out);
            case "book-ops" -> Session.runOperations(given, out);
            case "book-race" -> book(given, host, out);
            case "order-latency" -> new LatencyReport(ExchangeOptions.latency(given, cpus), host, out).run();
            case "order-throughput" -> new ThroughputReport(ExchangeOptions.throughput(given, cpus), host, out).run();
            case "report-race" -> new RaceReport(RaceOptions.from(given, cpus), host, out).run();
            case "report-recovery" -> new RecoveryMeasurement(given, host, out).run();
            case "report-ipc" -> new IpcMeasurement(given, host, out).run();
            case "report-gateway" -> new GatewayMeasurement(given, host, out).run();
            case "report-exchange" -> new EntryMeasurement(given, host, out).run();
            case "report-itch" -> new ItchMeasurement(given, host, out).run();
            case "report-cost" -> new CostReport(given, host, out).run();
            case "journal-cost" -> new JournalCost(given, host, out).run();
            default -> throw new InputException("there is no such report");
        }
    }

    private static void book(final Properties given, final HostFiles host, final PrintStream out) throws IOException
    {
        final Options options = new Options(given, "report.");
        final String book = options.word("book", BOOKS);
        final RunOptions run = RunOptions.from(options, RunOptions.MAX_ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR,
            "", Pinning.allowed());
        RunOptions.refuseRoundMs(options);
        if (GENERATED.contains(book))
        {
            options.refuse("input", "report.book " + book + " has its own commands");
        }
        final String input = options.text("input", "");
        switch (book)
        {
            case "flow" -> new BookRace(RaceSetup.FLOW, run, input, host, out).run();
            case "mix" -> new BookRace(RaceSetup.MIX, run, input, host, out).run();
            case "depth" -> new DepthReport(run, DepthCase.from(given), host, out).run();
            case "hostile" -> new HostileReport(run, HostileCase.orders(given), host, out).run();
            default -> new SuiteReport(run, input, host, out).run();
        }
    }
}
