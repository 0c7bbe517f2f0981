package io.millrace.benchmarks.cost;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.Executions;
import io.millrace.benchmarks.rate.GeneratedCommands;
import io.millrace.benchmarks.rate.PathSummary;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Rate;
import io.millrace.benchmarks.rate.RateHandler;
import io.millrace.benchmarks.rate.ReportTable;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.benchmarks.rate.TextTable;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * How long an event takes until the last of three stages has handled it: an open loop at a fixed rate, our ring beside
 * a Disruptor of the same shape. One thread, which sleeps while a child runs.
 */
final class FanOutLatency
{
    private static final Rate RATE = new Rate(100_000);
    // The flood at first compiles what happens at a full ring too.
    private static final long FLOOD_MS = 50;
    private static final int WARM_UP_ROUNDS = 2;

    private final CostPlan plan;
    private final List<String> flags;
    private final PrintStream out;
    private final RecordedCommands commands = commands();
    private final List<String> rounds = new ArrayList<>();

    FanOutLatency(final CostPlan plan, final List<String> flags, final PrintStream out)
    {
        this.plan = plan;
        this.flags = flags;
        this.out = out;
    }

    /** What the events carry, the same in parent and children. */
    static RecordedCommands commands()
    {
        return GeneratedCommands.of(GeneratedCommands.SEED, GeneratedCommands.COUNT);
    }

    /** Measure one topology; the table. */
    List<String> measure(final Topology topology, final int cores) throws IOException
    {
        final List<ContenderProcess> children = new ArrayList<>();
        final List<List<RoundResult>> results = new ArrayList<>();
        final RoundPlan round = plan.plan().with(RateHandler.EMPTY).at(RATE.perSecond(), plan.plan().roundMs());
        try
        {
            for (final FanOutKind kind : plan.fanOuts())
            {
                children.add(ContenderProcess.start(kind.label(), CostChild.class, flags, CostChild.FAN_OUT,
                    kind.label(), topology.label()));
                results.add(new ArrayList<>());
            }
            for (int i = -WARM_UP_ROUNDS - 1; i < plan.rounds(); i++)
            {
                for (int k = 0; k < children.size(); k++)
                {
                    final RoundPlan next = i < -WARM_UP_ROUNDS ? round.at(Rate.MAX_PER_SECOND, FLOOD_MS) : round;
                    final RoundResult result = ask(children.get(k), plan.fanOuts().get(k), next);
                    if (i >= 0)
                    {
                        results.get(k).add(result);
                    }
                }
                out.println("fan-out " + topology.label() + ": " +
                    (i < 0 ? "warm-up" : "round " + (i + 1) + "/" + plan.rounds()));
            }
        }
        finally
        {
            children.forEach(ContenderProcess::close);
        }
        final List<PathSummary> summaries = IntStream.range(0, results.size())
            .mapToObj(k -> new PathSummary(plan.fanOuts().get(k).label(), RATE, results.get(k), cores)).toList();
        summaries.forEach(summary -> tell(topology, summary));
        return table(summaries);
    }

    private RoundResult ask(final ContenderProcess child, final FanOutKind kind, final RoundPlan round)
        throws IOException
    {
        final RoundResult result = RoundResult.from(round, child.ask(round.toLine("round")));
        final String wrong = result.wrongAnswer(commands, Executions.NONE);
        if (wrong != null)
        {
            throw new WrongAnswerException("fan-out " + kind.label() + ": " + wrong);
        }
        return result;
    }

    private void tell(final Topology topology, final PathSummary summary)
    {
        for (final RoundResult round : summary.rounds())
        {
            rounds.add("fan-out " + topology.label() + " " + summary.name() + ": p50 " +
                round.intended().getValueAtPercentile(50.0) + ", p99 " + round.intended().getValueAtPercentile(99.0) +
                ", max " + round.intended().getMaxValue() + " ns, steal " + ReportTable.percent(round.steal()) +
                " %, runnable " + String.format(Locale.ROOT, "%.2f", round.runnable()) + ", " + round.placement());
        }
    }

    /** Every round so far, a line each. */
    List<String> rounds()
    {
        return rounds;
    }

    /** A line for each; p50 beside that of the first in the same round. */
    static List<String> table(final List<PathSummary> summaries)
    {
        final TextTable table =
            new TextTable(1, "contender", "achieved/s", "p50", "p90", "p99", "p50 ratio", "B/event", "rounds");
        for (final PathSummary summary : summaries)
        {
            table.add(summary.name(), String.format(Locale.ROOT, "%,.0f", summary.achievedPerSecond()),
                Quantile.text(Quantile.of(summary.intended(), 50.0)),
                Quantile.text(Quantile.of(summary.intended(), 90.0)),
                Quantile.text(Quantile.of(summary.intended(), 99.0)),
                ReportTable.ratio(ratios(summary, summaries.get(0))),
                String.format(Locale.ROOT, "%.4f", summary.perEvent(RoundResult::allocatedBytes)),
                summary.verdict().status());
        }
        return table.lines();
    }

    private static double[] ratios(final PathSummary summary, final PathSummary first)
    {
        return IntStream.range(0, summary.rounds().size())
            .filter(i -> summary.verdict().kept().contains(summary.rounds().get(i)) &&
                first.verdict().kept().contains(first.rounds().get(i)))
            .mapToDouble(i -> Quantile.of(summary.rounds().get(i).intended(), 50.0) /
                Quantile.of(first.rounds().get(i).intended(), 50.0)).toArray();
    }
}
