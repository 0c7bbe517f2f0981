package io.millrace.benchmarks.harness;

/**
 * The schedule of an open loop: event n is meant to be sent at start + n / rate, exact over any number of events and
 * without a division. The sending and the handling thread each follow their own instance. One thread.
 */
public final class SendTimes
{
    private static final long NS_PER_S = 1_000_000_000L;

    private long perSecond;
    private long intervalNs;
    private long intervalRest;
    private long nextNs;
    private long nextRest;

    /**
     * A schedule.
     *
     * @param perSecond the rate, 1 or more.
     */
    public SendTimes(final long perSecond)
    {
        start(perSecond, 0);
    }

    /**
     * Begin again with event 0, at another rate. Allocates nothing.
     *
     * @param perSecond the rate, 1 or more.
     * @param startNs   intended send time of event 0, by {@link System#nanoTime()}.
     */
    public void start(final long perSecond, final long startNs)
    {
        this.perSecond = perSecond;
        intervalNs = NS_PER_S / perSecond;
        intervalRest = NS_PER_S % perSecond;
        start(startNs);
    }

    /**
     * Begin again with event 0.
     *
     * @param startNs when it is meant to be sent, by {@link System#nanoTime()}.
     */
    public void start(final long startNs)
    {
        nextNs = startNs;
        nextRest = 0;
    }

    /**
     * Go to the next event.
     *
     * @return when it is meant to be sent, by {@link System#nanoTime()}.
     */
    public long nextNs()
    {
        // Whole nanoseconds plus the rest in 1/rate of one.
        final long sendNs = nextNs;
        nextNs += intervalNs;
        nextRest += intervalRest;
        if (nextRest >= perSecond)
        {
            nextRest -= perSecond;
            nextNs++;
        }
        return sendNs;
    }
}
