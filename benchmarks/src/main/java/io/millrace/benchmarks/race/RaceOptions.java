package io.millrace.benchmarks.race;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import io.millrace.benchmarks.flow.InputException;
import io.millrace.benchmarks.jmh.OpenLane;
import io.millrace.benchmarks.rate.ReportOptions;

/**
 * What the user asked for: system properties {@code race.*}, each with a default, each checked before anything is
 * started.
 *
 * @param heats         what is run, with the contenders that were asked for and are in this build.
 * @param rounds        of each contender in each heat.
 * @param roundMs       duration of a round in milliseconds.
 * @param frontCpu      CPU of the publishing thread, or {@link io.millrace.benchmarks.rate.Pinning#NONE}.
 * @param backCpu       CPU of the other thread, or {@link io.millrace.benchmarks.rate.Pinning#NONE}.
 * @param budgetSeconds how long the race may take; decides whether an invalid heat is run again.
 * @param dir           where the files go.
 */
public record RaceOptions(
    List<Heat> heats, int rounds, int roundMs, int frontCpu, int backCpu, int budgetSeconds, Path dir)
{
    // All heats in some twelve minutes, and each round long enough for 50,000 events at the lower rate.
    private static final String DEFAULT_ROUND_MS = "500";
    private static final String DEFAULT_BUDGET_S = "1500";
    private static final String DEFAULT_DIR = "benchmarks/target/report-race";
    private static final String OURS = "race.";
    private static final String THEIRS = "report.";

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
        final ReportOptions common = common(properties, allowedCpus);
        return new RaceOptions(heats(text(properties, "disciplines", ""), text(properties, "only", "")),
            common.rounds(), common.roundMs(), common.sourceCpu(), common.handlerCpu(), common.budgetSeconds(),
            common.dir());
    }

    /** What both reports have in common means the same in both, and is read by the same code. */
    private static ReportOptions common(final Properties properties, final List<Integer> allowedCpus)
    {
        final Properties renamed = new Properties();
        renamed.setProperty(THEIRS + "rounds", text(properties, "rounds", ""));
        renamed.setProperty(THEIRS + "roundMs", text(properties, "roundMs", DEFAULT_ROUND_MS));
        renamed.setProperty(THEIRS + "cpus", text(properties, "cpus", ""));
        renamed.setProperty(THEIRS + "budgetSeconds", text(properties, "budgetSeconds", DEFAULT_BUDGET_S));
        renamed.setProperty(THEIRS + "dir", text(properties, "dir", DEFAULT_DIR));
        try
        {
            return ReportOptions.from(renamed, allowedCpus);
        }
        catch (final InputException ex)
        {
            throw new InputException(ex.getMessage().replace(THEIRS, OURS));
        }
    }

    private static String text(final Properties properties, final String name, final String otherwise)
    {
        final String value = properties.getProperty(OURS + name, "").trim();
        return value.isEmpty() ? otherwise : value;
    }

    private static List<Heat> heats(final String disciplines, final String only)
    {
        final List<String> groups = disciplines.isEmpty() ? Heat.GROUPS : Arrays.asList(disciplines.split(",", -1));
        for (final String group : groups)
        {
            if (!Heat.GROUPS.contains(group))
            {
                throw new InputException("race.disciplines '" + group + "' is not one of " + Heat.GROUPS);
            }
        }
        final Pattern pattern = pattern(only);
        final List<Heat> heats = Heat.all().stream().filter(heat -> groups.contains(heat.group()))
            .map(heat -> heat.only(name -> pattern.matcher(name).matches() && OpenLane.isBuilt(name)))
            .filter(heat -> !heat.contenders().isEmpty()).toList();
        if (heats.isEmpty())
        {
            throw new InputException("race.only '" + only + "' selects nobody in " + groups);
        }
        return heats;
    }

    private static Pattern pattern(final String only)
    {
        try
        {
            return Pattern.compile(only.isEmpty() ? ".*" : only);
        }
        catch (final PatternSyntaxException ex)
        {
            throw new InputException("race.only '" + only + "' is not a regular expression: " + ex.getDescription());
        }
    }

    /**
     * The plan of a heat's rounds.
     *
     * @param heat the heat.
     * @return a plan of the full duration, whose threads spin.
     */
    public RacePlan plan(final Heat heat)
    {
        return new RacePlan(heat.discipline(), heat.perSecond(), roundMs, frontCpu, backCpu, false);
    }
}
