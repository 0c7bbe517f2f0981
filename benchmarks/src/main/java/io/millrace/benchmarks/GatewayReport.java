package io.millrace.benchmarks;

import io.millrace.benchmarks.gateway.GatewayMeasurement;
import io.millrace.benchmarks.harness.HostFiles;

/**
 * Report on the gateway: {@code mvn -q compile exec:exec -Preport-gateway}. System properties: {@code
 * report.rounds}, {@code report.roundMs}, {@code report.rates}, {@code report.cost} (which parts), {@code report.cpus},
 * {@code report.dir}. It writes {@code table.txt} and {@code .hgrm} files into the folder {@code gateway} of {@code
 * report.dir}.
 * <p>
 * Exit code 0: all answers were right; 1: one was wrong, or the report broke; 2: a setting is impossible.
 */
public final class GatewayReport
{
    private GatewayReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("gateway report", out ->
            new GatewayMeasurement(System.getProperties(), new HostFiles(), out).run());
    }
}
