package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.itch.ItchMeasurement;

/**
 * Report on ITCH 5.0 on one thread, decoded and with books: {@code mvn -q compile exec:exec -Preport-itch}. System
 * properties: {@code report.rounds}, {@code report.input} (a file of one hour, default the recorded one beside the
 * project), {@code report.dir}. It writes {@code table.txt} into the folder {@code itch} of {@code report.dir}.
 * <p>
 * Exit code 0: all answers were right; 1: one was wrong, or the report broke; 2: a setting is impossible.
 */
public final class ItchReport
{
    private ItchReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("itch report", out -> new ItchMeasurement(System.getProperties(), new HostFiles(), out).run());
    }
}
