package io.millrace.benchmarks;

import io.millrace.benchmarks.entry.EntryMeasurement;
import io.millrace.benchmarks.harness.HostFiles;

/**
 * Report on order entry over loopback, from the intended send of an order to its journaled answer, beside a bare echo
 * of the same bytes: {@code mvn -q compile exec:exec -Preport-exchange}. System properties: {@code report.rounds},
 * {@code report.roundMs}, {@code report.rates}, {@code report.dir}. It writes {@code table.txt} and a percentile file
 * for each path and rate into the folder {@code entry} of {@code report.dir}.
 * <p>
 * Exit code 0: all answers were right; 1: one was wrong, or the report broke; 2: a setting is impossible.
 */
public final class EntryReport
{
    private EntryReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("entry report", out -> new EntryMeasurement(System.getProperties(), new HostFiles(), out).run());
    }
}
