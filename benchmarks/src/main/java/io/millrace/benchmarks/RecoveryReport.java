package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.recovery.RecoveryMeasurement;

/**
 * Report on snapshots of a whole engine and on its recovery: {@code mvn -q compile exec:exec -Preport-recovery}.
 * System properties: {@code report.rounds}, {@code report.commands} (records to replay), {@code report.orders} (of the
 * engine whose snapshots are timed), {@code report.dir}. It writes {@code table.txt} into the folder {@code recovery}
 * of {@code report.dir}.
 * <p>
 * Exit code 0: all answers were right; 1: one was wrong, or the report broke; 2: a setting is impossible.
 */
public final class RecoveryReport
{
    private RecoveryReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("recovery report", out ->
            new RecoveryMeasurement(System.getProperties(), new HostFiles(), out).run());
    }
}
