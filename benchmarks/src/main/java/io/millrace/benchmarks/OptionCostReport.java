package io.millrace.benchmarks;

import io.millrace.benchmarks.cost.CostReport;
import io.millrace.benchmarks.harness.HostFiles;

/**
 * Report on the cost of each option per event, and the cost of idling: {@code mvn -q compile exec:exec -Preport-cost},
 * with settings as system properties {@code report.*}.
 * <p>
 * Exit codes: 0 the report is complete, and figures disturbed by the host are marked; 1 an answer was wrong or
 * something broke; 2 a setting is impossible, and nothing was started.
 */
public final class OptionCostReport
{
    private OptionCostReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("option cost report", out ->
            new CostReport(System.getProperties(), new HostFiles(), out).run());
    }
}
