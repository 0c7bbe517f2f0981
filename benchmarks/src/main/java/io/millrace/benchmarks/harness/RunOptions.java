package io.millrace.benchmarks.harness;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings that all reports have, each checked before anything is started.
 *
 * @param rounds        rounds of each contender.
 * @param roundMs       duration of a round in milliseconds.
 * @param sourceCpu     CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu    CPU of the handling thread, or {@link Pinning#NONE}.
 * @param budgetSeconds how long the whole report may take; decides whether what is invalid is run again.
 *                      {@link #NO_BUDGET} for a report that runs nothing again.
 * @param dir           where the files go.
 */
public record RunOptions(int rounds, int roundMs, int sourceCpu, int handlerCpu, int budgetSeconds, Path dir)
{
    /**
     * Folder of the files of all reports.
     */
    public static final String DIR = "benchmarks/target/report";

    /**
     * The longest round: long enough to see the host's hiccups, short enough that one of its episodes spoils a round
     * and not the run.
     */
    public static final int MAX_ROUND_MS = 700;

    /** The report takes as long as its rounds. */
    public static final int NO_BUDGET = 0;

    private static final int MAX_ROUNDS = 99;
    private static final int MIN_ROUND_MS = 10;
    private static final int MAX_BUDGET_S = 3_600;

    /**
     * Read and check.
     *
     * @param options       where they are.
     * @param roundMs       the default duration of a round.
     * @param budgetSeconds the default budget; {@link #NO_BUDGET} to refuse one.
     * @param dir           where the files go by default.
     * @param folder        below it; empty for itself.
     * @param allowedCpus   CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message names setting, value and range.
     */
    public static RunOptions from(
        final Options options,
        final int roundMs,
        final int budgetSeconds,
        final String dir,
        final String folder,
        final List<Integer> allowedCpus)
    {
        final int[] cpus = options.cpus(allowedCpus);
        return new RunOptions(
            options.number("rounds", Series.FULL_ROUNDS, 1, MAX_ROUNDS),
            options.number("roundMs", roundMs, MIN_ROUND_MS, MAX_ROUND_MS),
            cpus[0],
            cpus[1],
            budget(options, budgetSeconds),
            options.dir(dir, folder));
    }

    private static int budget(final Options options, final int budgetSeconds)
    {
        if (budgetSeconds == NO_BUDGET)
        {
            refuseBudget(options);
            return NO_BUDGET;
        }
        return options.number("budgetSeconds", budgetSeconds, 1, MAX_BUDGET_S);
    }

    /**
     * Refuse a budget: for a report that takes as long as its rounds.
     *
     * @param options where the settings are.
     * @throws InputException if one is given.
     */
    public static void refuseBudget(final Options options)
    {
        options.refuse("budgetSeconds", "this report runs nothing again; use fewer rounds to shorten it");
    }

    /**
     * Refuse a duration of rounds: for a report whose rounds are as long as their work.
     *
     * @param options where the settings are.
     * @throws InputException if one is given.
     */
    public static void refuseRoundMs(final Options options)
    {
        options.refuse("roundMs", "a round of this report is as long as its commands; use fewer of them to shorten it");
    }

    /**
     * Duration of rounds, one after the other.
     *
     * @param count how many.
     * @param each  overhead of each of them, in milliseconds.
     * @return seconds.
     */
    public double seconds(final double count, final double each)
    {
        return count * (roundMs + each) / 1_000;
    }
}
