package io.millrace.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.millrace.benchmarks.flow.InputException;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.RateReport;
import io.millrace.benchmarks.rate.ReportInput;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * The message-rate report: {@code mvn -q compile exec:exec}, with settings as system properties {@code report.*}.
 * <p>
 * Exit codes: 0 it ran to its end, whatever the host did to the figures (they are marked); 1 an answer was wrong or
 * something broke; 2 a setting or the input file is impossible, and nothing was started.
 */
public final class MessageRateReport
{
    private MessageRateReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        System.exit(run());
    }

    private static int run()
    {
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try
        {
            final HostFiles host = new HostFiles(Path.of("/"));
            final ReportOptions options = ReportOptions.from(System.getProperties(), Pinning.allowed());
            new RateReport(options, ReportInput.of(options.input()), host, out).run();
            return 0;
        }
        catch (final InputException ex)
        {
            System.err.println("message-rate report: " + ex.getMessage());
            return InputException.EXIT_CODE;
        }
        catch (final WrongAnswerException ex)
        {
            System.err.println("WRONG ANSWER, no result: " + ex.getMessage());
            return RateReport.FAILED;
        }
        catch (final IOException ex)
        {
            System.err.println("message-rate report: broke off: " + ex.getMessage());
            return RateReport.FAILED;
        }
    }
}
