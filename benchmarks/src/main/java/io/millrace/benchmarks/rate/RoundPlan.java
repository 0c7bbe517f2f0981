package io.millrace.benchmarks.rate;

import java.util.List;

/**
 * How one round is run.
 *
 * @param perSecond  events per second asked for.
 * @param roundMs    for how long, in milliseconds.
 * @param capacity   of the ring under test, a power of two.
 * @param handler    name of the handler that the meter calls, one of {@link RateHandler#NAMES}.
 * @param sourceCpu  CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu CPU of the handling thread, or {@link Pinning#NONE}.
 */
public record RoundPlan(long perSecond, long roundMs, int capacity, String handler, int sourceCpu, int handlerCpu)
{
    private static final long NS_PER_S = 1_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;

    /**
     * Read a plan from a question.
     *
     * @param line the question.
     * @return the plan.
     */
    public static RoundPlan from(final WireLine line)
    {
        return new RoundPlan(line.number("perSecond"), line.number("roundMs"), (int)line.number("capacity"),
            line.text("handler"), (int)line.number("sourceCpu"), (int)line.number("handlerCpu"));
    }

    /**
     * Write the plan into a question.
     *
     * @param verb what is asked.
     * @return the line.
     */
    public WireLine toLine(final String verb)
    {
        return new WireLine(verb)
            .put("perSecond", perSecond)
            .put("roundMs", roundMs)
            .put("capacity", capacity)
            .put("handler", handler)
            .put("sourceCpu", sourceCpu)
            .put("handlerCpu", handlerCpu);
    }

    /**
     * The same plan at another rate and duration.
     *
     * @param newPerSecond events per second.
     * @param newRoundMs   milliseconds.
     * @return a new plan.
     */
    public RoundPlan at(final long newPerSecond, final long newRoundMs)
    {
        return new RoundPlan(newPerSecond, newRoundMs, capacity, handler, sourceCpu, handlerCpu);
    }

    /**
     * The same plan with another handler.
     *
     * @param newHandler one of {@link RateHandler#NAMES}.
     * @return a new plan.
     */
    public RoundPlan with(final String newHandler)
    {
        return new RoundPlan(perSecond, roundMs, capacity, newHandler, sourceCpu, handlerCpu);
    }

    /**
     * Timed events of the round.
     *
     * @return rate times duration.
     */
    public long events()
    {
        return perSecond * roundMs / 1_000;
    }

    /**
     * Events that go ahead untimed: two laps of the ring, so that no timed event is the first to touch anything.
     *
     * @return a count.
     */
    public long leadIn()
    {
        return 2L * capacity;
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
     * Whole nanoseconds from one event to the next.
     *
     * @return nanoseconds, rounded down.
     */
    public long intervalNs()
    {
        return NS_PER_S / perSecond;
    }

    /**
     * What the whole nanoseconds leave out.
     *
     * @return in 1/rate of a nanosecond, below the rate.
     */
    public long intervalRest()
    {
        return NS_PER_S % perSecond;
    }

    /**
     * The CPUs that the round measures.
     *
     * @return their numbers; empty when nothing is pinned.
     */
    public List<Integer> cpus()
    {
        return Pinning.asked(sourceCpu, handlerCpu);
    }
}
