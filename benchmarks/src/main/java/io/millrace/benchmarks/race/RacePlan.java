package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Pinning;

import java.io.Serializable;
import java.util.List;

/**
 * Plan of one round.
 *
 * @param discipline  the measured figure.
 * @param perSecond   events a second that an open loop asks for; else 0.
 * @param roundMs     for how long, in milliseconds.
 * @param producerCpu CPU of the publishing thread, or {@link Pinning#NONE}.
 * @param consumerCpu CPU of the other thread, or {@link Pinning#NONE}.
 * @param yields      whether threads yield when they wait: for tests. Else they spin.
 */
public record RacePlan(
    Discipline discipline, long perSecond, long roundMs, int producerCpu, int consumerCpu, boolean yields)
    implements Serializable
{
    private static final long NS_PER_MS = 1_000_000L;

    /**
     * The same plan otherwise.
     *
     * @param newDiscipline the measured figure.
     * @param newPerSecond  events a second.
     * @param newRoundMs    milliseconds.
     * @return a new plan.
     */
    public RacePlan at(final Discipline newDiscipline, final long newPerSecond, final long newRoundMs)
    {
        return new RacePlan(newDiscipline, newPerSecond, newRoundMs, producerCpu, consumerCpu, yields);
    }

    /** Duration, in nanoseconds. */
    public long roundNs()
    {
        return roundMs * NS_PER_MS;
    }

    /**
     * The CPUs that the round measures.
     *
     * @return their numbers; empty when nothing is pinned.
     */
    public List<Integer> cpus()
    {
        return Pinning.asked(producerCpu, consumerCpu);
    }
}
