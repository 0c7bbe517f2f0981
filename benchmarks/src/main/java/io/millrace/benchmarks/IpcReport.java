package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.ipc.IpcMeasurement;

/**
 * Requests between two processes: the exchange next to a loop in C, a bare cache line, Aeron IPC and a Unix-domain
 * socket. Profile {@code report-ipc}.
 */
public final class IpcReport
{
    private IpcReport()
    {
    }

    /**
     * Runs the report.
     *
     * @param args none; the settings are system properties.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("ipc report", out ->
            new IpcMeasurement(System.getProperties(), new HostFiles(), out).run());
    }
}
