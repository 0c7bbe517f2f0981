package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rounds as a contender would report them.
 */
public final class Rounds
{
    public static final RoundPlan PLAN = new RoundPlan(1_000_000, 10, 64, "empty", 0, 1);

    private Rounds()
    {
    }

    /** Of one thread or more, each of which used as much. */
    public static Readings readings(
        final int threads, final long cpuNs, final long bytes, final double steal, final int competing)
    {
        final long[] cpus = new long[threads];
        final long[] allocated = new long[threads];
        Arrays.fill(cpus, cpuNs);
        Arrays.fill(allocated, bytes);
        return new Readings(
            1_700_000_000_000L, 2 * cpuNs, cpus, allocated, 3L * threads, 0.0, 0, steal, competing);
    }

    /** A round in which everything is right. */
    public static Round good()
    {
        return with(PLAN, 0.0, 2, 1.0);
    }

    public static Round with(final double steal, final double runnable, final double achieved)
    {
        return with(PLAN, steal, runnable, achieved);
    }

    public static Round with(final RoundPlan plan, final double steal, final double runnable, final double achieved)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        for (long i = 0; i < plan.events(); i++)
        {
            latencies.recordValue(150 + i % 100);
        }
        return with(plan, latencies, steal, runnable, achieved);
    }

    /** A round of which every event took as long. */
    public static Round slow(final long latencyNs, final double steal)
    {
        final Histogram latencies = LatencyRecorder.newHistogram();
        latencies.recordValueWithCount(latencyNs, PLAN.events());
        return with(PLAN, latencies, steal, 2, 1.0);
    }

    public static Round with(
        final RoundPlan plan,
        final Histogram latencies,
        final double steal,
        final double runnable,
        final double achieved)
    {
        return new Round(plan.perSecond(), plan.events(), plan.events(), plan.events(), 0, 0,
            (long)(plan.roundNs() / achieved), latencies, latencies, readings(2, plan.roundNs(), 0, steal, 0), runnable,
            "source pinned to 0, handler pinned to 1");
    }

    /** Nine rounds, some of which the host disturbed. */
    public static List<Round> nine(final int stolen)
    {
        final List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < 9; i++)
        {
            rounds.add(with(i < stolen ? 0.0101 : 0.01, 2, 1.0));
        }
        return rounds;
    }

    public static RateSummary summary(final Rate rate, final List<Round> server, final List<Round> raw)
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        hiccups.recordValueWithCount(80, 99_000);
        hiccups.recordValueWithCount(9_000, 1_000);
        return new RateSummary(rate,
            List.of(new PathSummary("server", rate, server, 2), new PathSummary("raw", rate, raw, 2)),
            List.of(new HiccupRound(hiccups, 0.0)));
    }

    public static RateSummary withEmpty(final RateSummary summary, final List<Round> empty)
    {
        return new RateSummary(summary.rate(), List.of(summary.server(), summary.raw(),
            new PathSummary("empty", summary.rate(), empty, 2)), summary.hiccups());
    }
}
