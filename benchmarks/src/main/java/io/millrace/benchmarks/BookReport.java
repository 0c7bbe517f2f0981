package io.millrace.benchmarks;

import io.millrace.benchmarks.depth.DepthCase;
import io.millrace.benchmarks.depth.DepthReport;
import io.millrace.benchmarks.depth.HostileCase;
import io.millrace.benchmarks.depth.HostileReport;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.jmh.book.BookRace;
import io.millrace.benchmarks.jmh.book.RaceSetup;
import io.millrace.benchmarks.suite.SuiteReport;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reports on the order book alone: the values of {@code report.book}, in small letters.
 */
enum BookReport
{
    /** The benchmark flow, compared with other books. */
    FLOW((options, input, host, out) -> new BookRace(RaceSetup.FLOW, options, input, host, out).run()),

    /** New orders, cancels and trades, compared with more books. */
    MIX((options, input, host, out) -> new BookRace(RaceSetup.MIX, options, input, host, out).run()),

    /** By the number of orders and levels. */
    DEPTH((options, input, host, out) ->
        new DepthReport(options, DepthCase.from(System.getProperties()), host, out).run()),

    /** Under hostile load. */
    HOSTILE((options, input, host, out) ->
        new HostileReport(options, HostileCase.orders(System.getProperties()), host, out).run()),

    /** On the flows of a conformance suite, in the folder {@code report.input}. */
    SUITE((options, input, host, out) -> new SuiteReport(options, input, host, out).run());

    private static final String PROPERTY = "report.book";

    private final Report report;

    BookReport(final Report report)
    {
        this.report = report;
    }

    private interface Report
    {
        void run(RunOptions options, String input, HostFiles host, PrintStream out) throws IOException;
    }

    /**
     * Run the report.
     *
     * @param options checked settings.
     * @param host    where to read the host.
     * @param out     for people.
     * @throws IOException    when something breaks.
     * @throws InputException when there is a duration of rounds, or a file of commands for a report that makes its own.
     */
    void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
    {
        final Options given = new Options(System.getProperties(), "report.");
        RunOptions.refuseRoundMs(given);
        final String input = given.text("input", "");
        if (!input.isEmpty() && (this == DEPTH || this == HOSTILE))
        {
            throw new InputException("report.input '" + input + "' is for " + PROPERTY + " " + FLOW + ", " + MIX +
                " and " + SUITE + " only");
        }
        report.run(options, input, host, out);
    }

    /**
     * The report that was asked for.
     *
     * @param properties where {@value #PROPERTY} is; missing or empty means the flow.
     * @return the report.
     * @throws InputException when there is no such report; the message names all.
     */
    static BookReport from(final Properties properties)
    {
        final String name = properties.getProperty(PROPERTY, "").trim();
        return Stream.of(values()).filter(one -> name.isEmpty() || one.toString().equals(name)).findFirst()
            .orElseThrow(() -> new InputException(PROPERTY + " '" + name + "' is not one of " +
                Stream.of(values()).map(BookReport::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
