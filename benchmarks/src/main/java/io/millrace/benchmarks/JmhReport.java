package io.millrace.benchmarks;

import io.millrace.benchmarks.jmh.report.Session;

import java.io.IOException;

/**
 * Runs the JMH benchmarks and prints them as tables: {@code mvn -q compile exec:exec -Preport-jmh}.
 * <p>
 * Each contender of a benchmark runs in its own JVM; the rounds of a group's contenders are interleaved. The
 * tables give medians over the rounds in which the host was quiet, the ratio to the group's reference, and the bytes
 * allocated per operation. System properties: {@code report.jmh} (a regular expression that selects benchmarks),
 * {@code report.rounds}, {@code report.roundMs}, {@code report.budgetSeconds}, {@code report.cpus} and {@code
 * report.dir}. It writes {@code table.txt}, {@code results.json} and {@code jmh.log} into the folder {@code jmh} of
 * {@code report.dir}.
 * <p>
 * Exit code 0: all benchmarks ran and their answers were right; 1: one failed; 2: a setting is impossible.
 */
public final class JmhReport
{
    private JmhReport()
    {
    }

    /**
     * Run the report in this JVM, the benchmarks in others.
     *
     * @param args none.
     * @throws IOException          when the report cannot be written.
     * @throws InterruptedException never: nothing interrupts the main thread.
     */
    public static void main(final String[] args) throws IOException, InterruptedException
    {
        System.exit(Session.run(System.getProperties(), System.out, System.err));
    }
}
