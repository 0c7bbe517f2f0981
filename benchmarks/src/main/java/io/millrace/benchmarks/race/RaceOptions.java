package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.jmh.Contenders;

import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Options of the user: system properties {@code race.*}, each with a default, each checked before anything is
 * started.
 *
 * @param run         options of all reports.
 * @param comparisons the selected comparisons, with the selected contenders that are in this build.
 */
public record RaceOptions(RunOptions run, List<Comparison> comparisons)
{
    // All comparisons in some twelve minutes, and each round long enough for 50,000 events at the lower rate.
    private static final int ROUND_MS = 500;
    private static final int BUDGET_S = 1_500;
    private static final String DIR = "benchmarks/target/report-race";

    /**
     * Read and check.
     *
     * @param properties  where the settings are; missing and empty ones mean the default.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message names setting, value and range.
     */
    public static RaceOptions from(final Properties properties, final List<Integer> allowedCpus)
    {
        final Options options = new Options(properties, "race.");
        final RunOptions run = RunOptions.from(options, ROUND_MS, BUDGET_S, DIR, "", allowedCpus);
        final List<String> groups = options.list("disciplines", String.join(",", Comparison.GROUPS), group ->
        {
            if (!Comparison.GROUPS.contains(group))
            {
                throw new IllegalArgumentException("'" + group + "' is not one of " + Comparison.GROUPS);
            }
            return group;
        });
        final Pattern only = options.pattern("only", ".*");
        final List<Comparison> comparisons = Comparison.all().stream()
            .filter(comparison -> groups.contains(comparison.group()))
            .map(comparison -> comparison.only(name -> only.matcher(name).matches() && Contenders.isBuilt(name)))
            .filter(comparison -> !comparison.contenders().isEmpty()).toList();
        if (comparisons.isEmpty())
        {
            throw new InputException("race.only '" + only + "' selects no contender of " + groups);
        }
        return new RaceOptions(run, comparisons);
    }

    /**
     * The plan of a comparison's rounds.
     *
     * @param comparison the comparison.
     * @return a plan of the full duration.
     */
    public RacePlan plan(final Comparison comparison)
    {
        return new RacePlan(comparison.discipline(), comparison.perSecond(), run.roundMs(), run.sourceCpu(),
            run.handlerCpu(), false);
    }
}
