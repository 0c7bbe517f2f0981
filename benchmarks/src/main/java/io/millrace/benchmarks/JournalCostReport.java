package io.millrace.benchmarks;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.journal.JournalCost;

/**
 * The cost of the journal, each figure next to the same work without it: {@code mvn -q compile exec:exec
 * -Pjournal-cost}.
 * <p>
 * System properties: {@code report.rounds}, {@code report.roundMs}, {@code report.cost} (a regular expression that
 * selects parts: {@code append}, {@code commit}, {@code prepare}, {@code race}), {@code report.cpus} and
 * {@code report.dir}, whose disk is the one that is measured. It writes {@code table.txt} into the folder
 * {@code journal} of {@code report.dir}.
 * <p>
 * Exit code 0: all ran; 1: one failed; 2: a setting is impossible.
 */
public final class JournalCostReport
{
    private JournalCostReport()
    {
    }

    /**
     * Run the report and end the process.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        // The hiccup meter pins threads in this JVM; the logging API below Affinity would complain on stderr.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        ReportRun.exit("journal cost report", out ->
            new JournalCost(System.getProperties(), new HostFiles(), out).run());
    }
}
