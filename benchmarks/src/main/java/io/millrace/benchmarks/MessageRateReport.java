package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.rate.RateOptions;
import io.millrace.benchmarks.rate.RateReport;
import io.millrace.benchmarks.rate.ReportInput;

/**
 * The message-rate report: {@code mvn -q compile exec:exec}, with settings as system properties {@code report.*}.
 * <p>
 * Exit codes: 0 the report is complete, and figures disturbed by the host are marked; 1 an answer was wrong or
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
        ReportRun.exit("message-rate report", out ->
        {
            final RateOptions options = RateOptions.from(System.getProperties(), Pinning.allowed());
            new RateReport(options, ReportInput.of(options.input()), new HostFiles(), out).run();
        });
    }
}
