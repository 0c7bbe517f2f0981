package io.millrace.benchmarks;

import io.millrace.benchmarks.exchange.ExchangeOptions;
import io.millrace.benchmarks.exchange.LatencyReport;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Pinning;

/**
 * The latency of orders through the whole exchange at rising rates, compared with exchange-core: {@code mvn -q compile
 * exec:exec -Porder-latency}.
 * <p>
 * Exit codes: 0 the report is complete, and figures disturbed by the host are marked; 1 an answer was wrong or
 * something broke; 2 a setting is impossible, and nothing was started.
 */
public final class OrderLatencyReport
{
    private OrderLatencyReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("order-latency", out -> new LatencyReport(
            ExchangeOptions.latency(System.getProperties(), Pinning.allowed()), new HostFiles(), out)
            .run());
    }
}
