package io.millrace.pool;

/**
 * Policy of a pool for {@code acquire} when no event is free. Every such request is counted under each policy.
 */
public final class Exhaustion
{
    /**
     * Greatest timeout of {@link #waitFor(long)}: one hour, in nanoseconds.
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
     * Return null at once; the caller decides.
     *
     * @return the policy.
     */
    public static Exhaustion fail()
    {
        return FAIL;
    }

    /**
     * Wait for a free event: spin, then yield, then park for 1 to 100 microseconds. {@code acquire} returns null after
     * the timeout, or if the thread was interrupted (its interrupt flag stays set).
     * <p>
     * A thread that has acquired all events itself waits for the whole timeout: the pool does not know which thread has
     * its events.
     *
     * @param timeoutNs longest wait in nanoseconds, 1 to {@value #MAX_WAIT_NS}.
     * @return the policy.
     * @throws IllegalArgumentException if the timeout is out of range.
     */
    public static Exhaustion waitFor(final long timeoutNs)
    {
        return new Exhaustion("WAIT", Range.check("timeoutNs", timeoutNs, 1, MAX_WAIT_NS), 0);
    }

    /**
     * Create and count more events, up to a limit; {@code acquire} returns null beyond it. This is the only policy that
     * allocates after construction.
     *
     * @param maxCapacity greatest capacity of the pool after growth.
     * @return the policy.
     * @throws IllegalArgumentException if the number is not in 1..{@link ObjectPool#MAX_CAPACITY}.
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
     * Greatest capacity that a pool of the given initial capacity can reach under this policy.
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

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Exhaustion && toString().equals(other.toString());
    }

    @Override
    public int hashCode()
    {
        return toString().hashCode();
    }

    @Override
    public String toString()
    {
        return kind + (waits() ? "(" + timeoutNs + " ns)" : "") + (grows() ? "(to " + maxCapacity + ")" : "");
    }
}
