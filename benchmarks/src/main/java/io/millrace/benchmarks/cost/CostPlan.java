package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.rate.RateOptions;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * Options of the user.
 *
 * @param options options to be measured, each with its reference.
 * @param idle    idle strategies to be measured.
 * @param fanOuts ways to three stages to be measured.
 * @param rounds  rounds of each option; the idle strategies have twice as many.
 * @param plan    how one is run.
 * @param dir     where the files go.
 */
record CostPlan(
    Set<CostOption> options, List<IdleKind> idle, List<FanOutKind> fanOuts, int rounds, RoundPlan plan, Path dir)
{
    // With a round of 200 ms and the pause of 10 ms: 70 events a round and 1,260 in 18 rounds, enough for a p99.
    private static final int WAKE_UPS_PER_MS_OF_ROUND_PERCENT = 35;
    private static final int MAX_WAKE_UPS = 70;
    private static final String OPTION = "option ";
    private static final String IDLE = "idle ";
    private static final String FAN_OUT = "fanout ";

    /**
     * Read and check.
     *
     * @param properties  where the settings are.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @throws InputException when one is impossible; the message names setting, value and range.
     */
    static CostPlan from(final Properties properties, final List<Integer> allowedCpus)
    {
        final Options given = new Options(properties, "report.");
        RunOptions.refuseBudget(given);
        final RateOptions report = RateOptions.from(properties, allowedCpus);
        final List<String> all = new ArrayList<>();
        Arrays.stream(CostOption.values()).forEach(option -> all.add(OPTION + option));
        Arrays.stream(IdleKind.values()).forEach(kind -> all.add(IDLE + kind));
        Arrays.stream(FanOutKind.values()).forEach(kind -> all.add(FAN_OUT + kind));
        final List<String> wanted = given.selected(all);
        final Set<CostOption> options = EnumSet.noneOf(CostOption.class);
        for (final CostOption option : wanted(OPTION, CostOption.values(), wanted))
        {
            // Down to the one without a reference.
            for (CostOption each = option; each != null; each = each.reference)
            {
                options.add(each);
            }
        }
        return new CostPlan(options, wanted(IDLE, IdleKind.values(), wanted),
            wanted(FAN_OUT, FanOutKind.values(), wanted), report.run().rounds(),
            report.plan(report.rates().get(0)), report.run().dir());
    }

    private static <E> List<E> wanted(final String group, final E[] all, final List<String> wanted)
    {
        return Arrays.stream(all).filter(one -> wanted.contains(group + one)).toList();
    }

    int idleRounds()
    {
        return 2 * rounds;
    }

    /** Number of events that wake an idle server in a round: 70 in a full round, fewer in a shorter one, at least 1. */
    int wakeUps()
    {
        final long scaled = plan.roundMs() * WAKE_UPS_PER_MS_OF_ROUND_PERCENT / 100;
        return (int)Math.max(1, Math.min(MAX_WAKE_UPS, scaled));
    }
}
