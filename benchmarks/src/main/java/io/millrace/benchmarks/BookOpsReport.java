package io.millrace.benchmarks;

import io.millrace.benchmarks.jmh.report.Session;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The operations of the order book next to the published figures of an engine in Rust: {@code mvn -q compile exec:exec
 * -Pbook-ops}.
 * <p>
 * Each operation runs in its own JVM under JMH; their rounds are interleaved, and each answer is checked.
 * System properties: {@code report.jmh} (a regular expression that selects operations by their names), {@code
 * report.rounds}, {@code report.roundMs}, {@code report.budgetSeconds}, {@code report.cpus} and {@code report.dir}. It
 * writes {@code table.txt}, {@code results.json} and {@code jmh.log} into the folder {@code book-ops} of {@code
 * report.dir}.
 * <p>
 * Exit code 0: all ran and their answers were right; 1: one failed; 2: a setting is impossible.
 */
public final class BookOpsReport
{
    private BookOpsReport()
    {
    }

    /**
     * Run the report in this JVM, the operations in others.
     *
     * @param args none.
     * @throws IOException          when the report cannot be written.
     * @throws InterruptedException never: nothing interrupts the main thread.
     */
    public static void main(final String[] args) throws IOException, InterruptedException
    {
        // The hiccup meter pins its threads in this JVM; the logging API below Affinity would complain on stderr.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(Session.runOperations(System.getProperties(),
            new PrintStream(System.out, true, StandardCharsets.UTF_8), System.err));
    }
}
