package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.HostFiles;

/**
 * The rounds that a contender's child process runs. Used by its own thread only.
 *
 * @param rounds rounds on two threads.
 * @param costs  the cost on one thread.
 */
record ContenderRunners(RoundRunner rounds, CostRunner costs)
{
    /**
     * The runners of one contender.
     *
     * @param contender its name.
     * @param input     a file with the commands; empty for the usual flow.
     */
    static ContenderRunners of(final String contender, final String input)
    {
        final CommandColumns commands = ReportInput.commands(input);
        return new ContenderRunners(new RoundRunner(new HostFiles(), Contender.named(contender), commands),
            new CostRunner(Contender.named(contender), commands));
    }
}
