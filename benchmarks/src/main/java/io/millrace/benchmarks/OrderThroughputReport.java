package io.millrace.benchmarks;

import io.millrace.benchmarks.exchange.ExchangeOptions;
import io.millrace.benchmarks.exchange.ThroughputReport;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Pinning;

/**
 * Report on the throughput of the whole exchange, compared with exchange-core: {@code mvn -q compile exec:exec
 * -Porder-throughput}.
 * <p>
 * Exit codes: 0 the report is complete, and figures disturbed by the host are marked; 1 an answer was wrong or
 * something broke; 2 a setting is impossible, and nothing was started.
 */
public final class OrderThroughputReport
{
    private OrderThroughputReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("order-throughput", out -> new ThroughputReport(
            ExchangeOptions.throughput(System.getProperties(), Pinning.allowed()), new HostFiles(), out)
            .run());
    }
}
