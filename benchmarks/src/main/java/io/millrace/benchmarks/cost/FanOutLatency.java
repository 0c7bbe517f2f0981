package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.Executions;
import io.millrace.benchmarks.rate.RateAnswer;
import io.millrace.benchmarks.rate.RateHandler;
import io.millrace.benchmarks.rate.RoundRunner;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the time of an event until the last of three stages has handled it: an open loop at a fixed rate, our ring
 * and a Disruptor of the same shape. One thread, which sleeps while a child runs.
 */
final class FanOutLatency
{
    private static final Rate RATE = new Rate(100_000);
    // The flood at first compiles what happens at a full ring too.
    private static final long FLOOD_MS = 50;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int COMMANDS = 7_192;

    private final CostPlan plan;
    private final List<String> flags;
    private final PrintStream out;
    private final CommandColumns commands = commands();
    /** Every round so far, one line each. */
    final List<String> rounds = new ArrayList<>();

    FanOutLatency(final CostPlan plan, final List<String> flags, final PrintStream out)
    {
        this.plan = plan;
        this.flags = flags;
        this.out = out;
    }

    /** Content of the events, the same in parent and children. */
    static CommandColumns commands()
    {
        return OrderFlow.of(OrderFlow.SYMBOL, 1, COMMANDS);
    }

    /** Measure one topology; the table. */
    List<String> measure(final Topology topology, final int cores) throws IOException
    {
        final Map<FanOutKind, List<Round>> results = new EnumMap<>(FanOutKind.class);
        final RoundPlan round = plan.plan().with(RateHandler.EMPTY).at(RATE.perSecond(), plan.plan().roundMs());
        try (Children<FanOutKind, RoundRunner> children = new Children<>())
        {
            for (final FanOutKind kind : plan.fanOuts())
            {
                children.start(kind, flags,
                    () -> new RoundRunner(kind.contender(topology), commands()));
                results.put(kind, new ArrayList<>());
            }
            // The flood first, because it compiles code that a fixed rate would not reach.
            Interleaving.run(out, "fan-out " + topology, WARM_UP_ROUNDS + 1, plan.rounds(), plan.fanOuts(),
                (kind, number) ->
                {
                    final Round result = ask(children, kind,
                        number < 1 - WARM_UP_ROUNDS ? round.at(Rate.MAX_PER_SECOND, FLOOD_MS) : round);
                    if (number > 0)
                    {
                        results.get(kind).add(result);
                    }
                    return "";
                });
        }
        final List<PathSummary> summaries = results.entrySet().stream()
            .map(entry -> new PathSummary(entry.getKey().toString(), RATE, entry.getValue(), cores)).toList();
        summaries.forEach(summary -> note(topology, summary));
        return table(summaries);
    }

    private Round ask(
        final Children<FanOutKind, RoundRunner> children, final FanOutKind kind, final RoundPlan asked)
        throws IOException
    {
        final AnsweredRound<RateAnswer> answered = children.ask(kind, runner -> runner.run(asked));
        final Round round = answered.round();
        final String wrong = answered.answer().wrong(round, asked.leadIn(), commands, Executions.NONE);
        if (wrong != null)
        {
            throw new WrongAnswerException("fan-out " + kind + ": " + wrong);
        }
        return round;
    }

    private void note(final Topology topology, final PathSummary summary)
    {
        for (final Round round : summary.series().rounds())
        {
            rounds.add("fan-out " + topology + " " + summary.name() + ": p50 " +
                round.intended().getValueAtPercentile(50.0) + ", p99 " + round.intended().getValueAtPercentile(99.0) +
                ", max " + round.intended().getMaxValue() + " ns, steal " +
                Figure.percent(round.readings().steal()) + " %, runnable " + Figure.two(round.runnable()) + ", " +
                round.placement());
        }
    }

    /** A line for each; p50 by that of the first in the same round. */
    static List<String> table(final List<PathSummary> summaries)
    {
        final TextTable table =
            new TextTable(1, "contender", "achieved/s", "p50", "p90", "p99", "p50 ratio", "B/event", "rounds");
        for (final PathSummary summary : summaries)
        {
            table.add(summary.name(), Figure.rate(summary.achievedPerSecond()),
                Quantile.text(summary.intended(), 50.0),
                Quantile.text(summary.intended(), 90.0),
                Quantile.text(summary.intended(), 99.0),
                Figure.two(summary.series().ratioTo(summaries.get(0).series(), round -> round.intendedNs(50.0))),
                Figure.bytes(summary.perEvent(round -> round.readings().allBytes())),
                summary.series().status());
        }
        return table.lines();
    }
}
