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
    FLOW
    {
        @Override
        void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
        {
            new BookRace(RaceSetup.FLOW, options, INPUT.text("input", ""), host, out).run();
        }
    },

    /** New orders, cancels and trades, compared with more books. */
    MIX
    {
        @Override
        void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
        {
            new BookRace(RaceSetup.MIX, options, INPUT.text("input", ""), host, out).run();
        }
    },

    /** By the number of orders and levels. */
    DEPTH
    {
        @Override
        void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
        {
            refuseInput();
            new DepthReport(options, DepthCase.from(System.getProperties()), host, out).run();
        }
    },

    /** Under hostile load. */
    HOSTILE
    {
        @Override
        void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
        {
            refuseInput();
            new HostileReport(options, HostileCase.orders(System.getProperties()), host, out).run();
        }
    },

    /** On the flows of a conformance suite, in the folder {@code report.input}. */
    SUITE
    {
        @Override
        void run(final RunOptions options, final HostFiles host, final PrintStream out) throws IOException
        {
            new SuiteReport(options, INPUT.text("input", ""), host, out).run();
        }
    };

    private static final String PROPERTY = "report.book";
    private static final Options INPUT = new Options(System.getProperties(), "report.");

    /** A report that makes its commands for the sizes of its books has no use for a file. */
    private static void refuseInput()
    {
        if (!INPUT.text("input", "").isEmpty())
        {
            throw new InputException("report.input '" + INPUT.text("input", "") + "' is for " + PROPERTY + " " + FLOW +
                ", " + MIX + " and " + SUITE + " only");
        }
    }

    /**
     * Run the report.
     *
     * @param options checked settings.
     * @param host    where to read the host.
     * @param out     for people.
     * @throws IOException when something breaks.
     */
    abstract void run(RunOptions options, HostFiles host, PrintStream out) throws IOException;

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
