package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends every report that runs child processes: message on stderr and exit code.
 */
@FunctionalInterface
interface ReportRun
{
    /**
     * Exit code of a run whose answer was wrong, or that broke.
     */
    int FAILED = 1;

    /**
     * Run the report.
     *
     * @param out for people, in UTF-8.
     * @throws IOException          when something breaks.
     * @throws InputException       when a setting or an input is impossible.
     * @throws WrongAnswerException when an answer is wrong.
     */
    void run(PrintStream out) throws IOException;

    /**
     * Run a report and end the process.
     *
     * @param name   of the report, before each complaint.
     * @param report the report.
     */
    static void exit(final String name, final ReportRun report)
    {
        System.exit(code(name, report));
    }

    private static int code(final String name, final ReportRun report)
    {
        try
        {
            Options.refuseUnknown();
            report.run(new PrintStream(System.out, true, StandardCharsets.UTF_8));
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
}
