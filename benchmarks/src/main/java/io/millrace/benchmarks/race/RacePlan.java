package io.millrace.benchmarks.race;

import java.util.List;

import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.WireLine;

/**
 * How one round is run.
 *
 * @param discipline what is measured.
 * @param perSecond  events a second that an open loop asks for; else 0.
 * @param roundMs    for how long, in milliseconds.
 * @param frontCpu   CPU of the publishing thread, or {@link Pinning#NONE}.
 * @param backCpu    CPU of the other thread, or {@link Pinning#NONE}.
 * @param yields     whether threads yield when they wait: for tests. Else they spin.
 */
public record RacePlan(
    Discipline discipline, long perSecond, long roundMs, int frontCpu, int backCpu, boolean yields)
{
    private static final long NS_PER_MS = 1_000_000L;

    /**
     * Read a plan from a question.
     *
     * @param line the question.
     * @return the plan.
     */
    public static RacePlan from(final WireLine line)
    {
        return new RacePlan(Discipline.valueOf(line.text("discipline")), line.number("perSecond"),
            line.number("roundMs"), (int)line.number("frontCpu"), (int)line.number("backCpu"),
            Boolean.parseBoolean(line.text("yields")));
    }

    /**
     * Write the plan as a question.
     *
     * @return the line.
     */
    public WireLine toLine()
    {
        return new WireLine("round").put("discipline", discipline).put("perSecond", perSecond)
            .put("roundMs", roundMs).put("frontCpu", frontCpu).put("backCpu", backCpu).put("yields", yields);
    }

    /**
     * The same plan otherwise.
     *
     * @param newDiscipline what is measured.
     * @param newPerSecond  events a second.
     * @param newRoundMs    milliseconds.
     * @return a new plan.
     */
    public RacePlan at(final Discipline newDiscipline, final long newPerSecond, final long newRoundMs)
    {
        return new RacePlan(newDiscipline, newPerSecond, newRoundMs, frontCpu, backCpu, yields);
    }

    /**
     * Duration.
     *
     * @return nanoseconds.
     */
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
        return Pinning.asked(frontCpu, backCpu);
    }
}
