package io.millrace.benchmarks.rate;

import java.util.ArrayList;
import java.util.List;

import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * Rounds as a contender would report them.
 */
final class Rounds
{
    static final RecordedCommands COMMANDS = GeneratedCommands.of(7, 100);
    static final RoundPlan PLAN = new RoundPlan(1_000_000, 10, 64, "empty", 0, 1);

    private Rounds()
    {
    }

    /** A round in which everything is right. */
    static RoundResult good()
    {
        return with(PLAN, 0.0, 2, 1.0);
    }

    static RoundResult with(final double steal, final int runnable, final double achieved)
    {
        return with(PLAN, steal, runnable, achieved);
    }

    static RoundResult with(final RoundPlan plan, final double steal, final int runnable, final double achieved)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        for (long i = 0; i < plan.events(); i++)
        {
            latencies.recordValue(150 + i % 100);
        }
        return with(plan, latencies, steal, runnable, achieved);
    }

    /** A good round, all of whose events took the same time, small enough for the histogram to keep it exactly. */
    static RoundResult slow(final long latencyNs, final double steal)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        latencies.recordValueWithCount(latencyNs, PLAN.events());
        return with(PLAN, latencies, steal, 2, 1.0);
    }

    private static RoundResult with(
        final RoundPlan plan,
        final Histogram latencies,
        final double steal,
        final int runnable,
        final double achieved)
    {
        final long sent = plan.leadIn() + plan.events();
        final ThreadProbe.Usage usage = new ThreadProbe.Usage(plan.roundNs(), 0, 3);
        return new RoundResult(plan, 1_700_000_000_000L, (long)(plan.roundNs() / achieved), sent, sent, 0, 0, 0,
            latencies, latencies, COMMANDS.checksum(sent), COMMANDS.counts(sent), Executions.NONE, usage, usage, 0,
            steal, runnable, "source pinned to 0, handler pinned to 1");
    }

    static List<RoundResult> nine(final int stolen)
    {
        final List<RoundResult> rounds = new ArrayList<>();
        for (int i = 0; i < 9; i++)
        {
            rounds.add(with(i < stolen ? 0.0101 : 0.01, 2, 1.0));
        }
        return rounds;
    }

    static RateSummary summary(final Rate rate, final List<RoundResult> server, final List<RoundResult> raw)
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        hiccups.recordValueWithCount(80, 99_000);
        hiccups.recordValueWithCount(9_000, 1_000);
        return new RateSummary(rate,
            List.of(new PathSummary("server", rate, server, 2), new PathSummary("raw", rate, raw, 2)),
            List.of(new HiccupRound(hiccups, 0.0)));
    }

    /** The same with the empty handler as a third path. */
    static RateSummary withEmpty(final RateSummary summary, final List<RoundResult> empty)
    {
        return new RateSummary(summary.rate(), List.of(summary.server(), summary.raw(),
            new PathSummary("empty", summary.rate(), empty, 2)), summary.hiccups());
    }
}
