package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.race.RaceOptions;
import io.millrace.benchmarks.race.RaceReport;

/**
 * The race of the pipelines and the server with their rivals: {@code mvn -q compile exec:exec -Preport-race}, with
 * settings as system properties {@code race.*}.
 * <p>
 * Exit codes: 0 the report is complete, and figures disturbed by the host are marked; 1 an answer was wrong or
 * something broke; 2 a setting is impossible, and nothing was started.
 */
public final class PipelineRaceReport
{
    private PipelineRaceReport()
    {
    }

    /**
     * Run the race and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("race", out -> new RaceReport(
            RaceOptions.from(System.getProperties(), Pinning.allowed()), new HostFiles(), out).run());
    }
}
