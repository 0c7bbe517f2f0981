package io.millrace.pool;

/**
 * What a pool does when an event is asked for and none is free. Every such request is counted, whatever the policy.
 */
public final class Exhaustion
{
    /**
     * Greatest time that {@link #waitFor(long)} takes: one hour, in nanoseconds.
     */
    public static final long MAX_WAIT_NS = 3_600_000_000_000L;

    private static final Exhaustion FAIL = new Exhaustion("FAIL", 0, 0);

    private final String kind;
    private final long timeoutNs;
    private final int maxCapacity;

    private Exhaustion(final String kind, final long timeoutNs, final int maxCapacity)
    {
        this.kind = kind;
        this.timeoutNs = timeoutNs;
        this.maxCapacity = maxCapacity;
    }

    /**
     * Say null at once; the caller decides.
     *
     * @return the policy.
     */
    public static Exhaustion fail()
    {
        return FAIL;
    }

    /**
     * Wait for an event to come back: spin, then yield, then park for 1 to 100 microseconds; null when the time is over
     * or the thread was interrupted (its interrupt flag stays set). A thread that holds all events itself waits for
     * nothing until the time is over: a pool does not know in whose hand its events are.
     *
     * @param timeoutNs longest wait in nanoseconds, 1 to {@value #MAX_WAIT_NS}.
     * @return the policy.
     * @throws IllegalArgumentException when the time is out of range.
     */
    public static Exhaustion waitFor(final long timeoutNs)
    {
        if (timeoutNs < 1 || timeoutNs > MAX_WAIT_NS)
        {
            throw new IllegalArgumentException("timeoutNs " + timeoutNs + " is not in 1.." + MAX_WAIT_NS);
        }
        return new Exhaustion("WAIT", timeoutNs, 0);
    }

    /**
     * Make more events, counted, up to a limit; null beyond it. The one policy that allocates after start.
     *
     * @param maxCapacity greatest number of events that the pool may come to own.
     * @return the policy.
     * @throws IllegalArgumentException when the number is not in 1..{@link ObjectPool#MAX_CAPACITY}.
     */
    public static Exhaustion grow(final int maxCapacity)
    {
        return new Exhaustion("GROW", 0, ObjectPool.checkCapacity("maxCapacity", maxCapacity));
    }

    boolean waits()
    {
        return timeoutNs > 0;
    }

    boolean grows()
    {
        return maxCapacity > 0;
    }

    long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * The number of events that a pool of the given capacity may come to own under this policy.
     */
    int limit(final int capacity)
    {
        if (grows() && maxCapacity < capacity)
        {
            throw new IllegalArgumentException(
                "maxCapacity " + maxCapacity + " of GROW is below the capacity " + capacity);
        }
        return grows() ? maxCapacity : capacity;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Exhaustion && toString().equals(other.toString());
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int hashCode()
    {
        return toString().hashCode();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return kind + (waits() ? "(" + timeoutNs + " ns)" : "") + (grows() ? "(to " + maxCapacity + ")" : "");
    }
}
