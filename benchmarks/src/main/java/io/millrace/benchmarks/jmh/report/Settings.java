package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;

import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Options of the user, by system properties of the same names; an empty value counts as not given.
 *
 * @param include       {@code report.jmh}: a regular expression to be found in {@link Line#id()}; all by default.
 * @param rounds        {@code report.rounds}: how often each line is measured, each time in a new JVM. 3 by default:
 *                      the fewest that have a middle, and they fit the default budget.
 * @param roundMs       {@code report.roundMs}: measured time of a round. 600 by default, at most 700: a longer round
 *                      seldom passes without the host taking the CPU away.
 * @param warmUpMs      least time for warming up before that, see {@link Line#warmUps}: the same, or three times as
 *                      long if {@code report.jmh} is given. A whole server in a method is compiled in one to two
 *                      seconds, on a slow host in six, and all lines together would then take too long.
 * @param budgetSeconds {@code report.budgetSeconds}: no additional rounds begin after this time. 540 by default.
 * @param cpus          {@code report.cpus}: CPUs of publisher and consumer; {@link Pinning#NONE} where there are no
 *                      two.
 * @param folder        {@code report.dir}: the reports' folder; this one writes into its sub-folder {@code jmh}.
 */
record Settings(
    Pattern include, int rounds, int roundMs, int warmUpMs, int budgetSeconds, int[] cpus, Path folder)
{
    /** Few enough that a mistyped number does not run for a day. */
    private static final int MAX_ROUNDS = 99;
    private static final int MIN_ROUND_MS = 20;
    private static final int MAX_BUDGET_SECONDS = 86_400;

    private static final int DEFAULT_ROUND_MS = 600;
    private static final int DEFAULT_BUDGET_SECONDS = 540;

    /** Of the operations of the book: 28 forks of 1.4 s in 9 rounds take six minutes. */
    private static final int OPERATION_ROUND_MS = 250;
    private static final int OPERATION_BUDGET_SECONDS = 400;

    static Settings of(final Properties properties)
    {
        final Options options = new Options(properties, "report.");
        final int roundMs = roundMs(options, DEFAULT_ROUND_MS);
        final boolean isEveryLine = options.pattern("jmh", "").pattern().isEmpty();
        return of(options, 3, roundMs, isEveryLine ? roundMs : 3 * roundMs, DEFAULT_BUDGET_SECONDS, "jmh");
    }

    /**
     * The same properties for the report on the operations of the book. Their preparation takes as long as they do, so
     * that they need twice the time to warm up.
     */
    static Settings forOperations(final Properties properties)
    {
        final Options options = new Options(properties, "report.");
        final int roundMs = roundMs(options, OPERATION_ROUND_MS);
        return of(options, Series.FULL_ROUNDS, roundMs, 2 * roundMs, OPERATION_BUDGET_SECONDS, "book-ops");
    }

    /** The option for a fork; empty when there are no two CPUs. */
    String cpuList()
    {
        return cpus[0] == Pinning.NONE ? "" : cpus[0] + "," + cpus[1];
    }

    private static int roundMs(final Options options, final int otherwise)
    {
        return options.number("roundMs", otherwise, MIN_ROUND_MS, RunOptions.MAX_ROUND_MS);
    }

    private static Settings of(
        final Options options,
        final int rounds,
        final int roundMs,
        final int warmUpMs,
        final int budgetSeconds,
        final String folder)
    {
        return new Settings(
            options.pattern("jmh", ""),
            options.number("rounds", rounds, 1, MAX_ROUNDS),
            roundMs,
            warmUpMs,
            options.number("budgetSeconds", budgetSeconds, 1, MAX_BUDGET_SECONDS),
            options.cpus(Pinning.allowed()),
            Path.of(options.text("dir", RunOptions.DIR)).resolve(folder));
    }
}
