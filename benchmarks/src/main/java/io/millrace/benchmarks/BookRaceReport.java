package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RunOptions;

/**
 * The order book compared with others: {@code mvn -q compile exec:exec -Pbook-race}, on the benchmark flow unless
 * {@code report.book} says something else, see {@link BookReport}.
 * <p>
 * Each book runs in its own JVM; their rounds are interleaved, and each answer is checked. System properties:
 * {@code report.input} (a recorded command file instead of the flow or the mix, the folder of the suite;
 * depth and hostile load have their own commands and refuse it), {@code report.rounds}, {@code report.cpus} (the
 * second one is used) and {@code report.dir}. It writes {@code table.txt} and {@code rounds.csv}, by depth also
 * {@code depth.svg}, into a folder of {@code report.dir}: {@code book}, {@code book-mix}, {@code book-depth}, {@code
 * book-hostile} or {@code book-suite}. Without the profile's dependencies it runs without the rivals.
 * <p>
 * Exit code 0: it ran and the answers were right; 1: an answer was wrong or something broke; 2: a setting or the input
 * file is impossible, and nothing was started.
 */
public final class BookRaceReport
{
    private BookRaceReport()
    {
    }

    /**
     * Run the race and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        ReportRun.exit("book race", out -> BookReport.from(System.getProperties()).run(
            RunOptions.from(new Options(System.getProperties(), "report."),
            RunOptions.MAX_ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR, "", Pinning.allowed()), new HostFiles(),
                out));
    }
}
