package io.millrace.benchmarks.harness;

/**
 * Plan of one round.
 *
 * @param perSecond  events per second asked for.
 * @param roundMs    for how long, in milliseconds.
 * @param capacity   of the ring under test, a power of two.
 * @param handler    name of the handler that the meter calls, one of the report's handlers.
 * @param sourceCpu  CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu CPU of the handling thread, or {@link Pinning#NONE}.
 */
public record RoundPlan(long perSecond, long roundMs, int capacity, String handler, int sourceCpu, int handlerCpu)
    implements TimedPlan
{
    private static final long NS_PER_MS = 1_000_000L;

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
     * @param newHandler one of the report's handlers.
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
    @Override
    public long events()
    {
        return perSecond * roundMs / 1_000;
    }

    /** Events that go ahead untimed: two laps of the ring, so that no timed event is the first to touch anything. */
    public long leadIn()
    {
        return 2L * capacity;
    }

    /** Duration, in nanoseconds. */
    public long roundNs()
    {
        return roundMs * NS_PER_MS;
    }
}
