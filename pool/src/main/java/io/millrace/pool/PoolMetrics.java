package io.millrace.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of a pool. The fast path updates none of them. Any thread may read them.
 */
public final class PoolMetrics
{
    private final AtomicLong exhausted = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();
    private final AtomicLong waitTimeouts = new AtomicLong();
    private final AtomicLong grown = new AtomicLong();
    private final AtomicLong doubleReleases = new AtomicLong();
    private final AtomicLong lateReleases = new AtomicLong();
    private final AtomicLong abandoned = new AtomicLong();
    private final AtomicLong revoked = new AtomicLong();

    PoolMetrics()
    {
    }

    /**
     * Requests that found no free event, or too few of them.
     *
     * @return number of calls of {@code acquire} and {@link RingPool#claim(int)}.
     */
    public long exhausted()
    {
        return exhausted.get();
    }

    /**
     * Requests that waited for a free event.
     *
     * @return number of calls of {@code acquire}.
     */
    public long waits()
    {
        return waits.get();
    }

    /**
     * Waits that ended without an event.
     *
     * @return number of calls of {@code acquire}.
     */
    public long waitTimeouts()
    {
        return waitTimeouts.get();
    }

    /**
     * Events created after construction under {@link Exhaustion#grow(int)}.
     *
     * @return number of events.
     */
    public long grown()
    {
        return grown.get();
    }

    /**
     * Releases and retains without a reference. They had no effect. Each is a defect of the program; checked mode
     * reports the threads.
     *
     * @return number of calls.
     */
    public long doubleReleases()
    {
        return doubleReleases.get();
    }

    /**
     * Stamped releases of an event that had been released before. They had no effect.
     *
     * @return number of calls.
     */
    public long lateReleases()
    {
        return lateReleases.get();
    }

    /**
     * Events of a bound ring that were acquired and not published: released instead, or overtaken by a later event.
     * Consumers skip them.
     *
     * @return number of events.
     */
    public long abandoned()
    {
        return abandoned.get();
    }

    /**
     * Events of a {@link SharedRingPool} that were taken from a publisher that did not publish them in time. Consumers
     * skip them.
     *
     * @return number of events.
     */
    public long revoked()
    {
        return revoked.get();
    }

    void countExhausted()
    {
        exhausted.incrementAndGet();
    }

    void countWait()
    {
        waits.incrementAndGet();
    }

    void countWaitTimeout()
    {
        waitTimeouts.incrementAndGet();
    }

    void countGrown(final int events)
    {
        grown.addAndGet(events);
    }

    void countDoubleRelease()
    {
        doubleReleases.incrementAndGet();
    }

    void countLateRelease()
    {
        lateReleases.incrementAndGet();
    }

    void countAbandoned()
    {
        abandoned.incrementAndGet();
    }

    void countRevoked()
    {
        revoked.incrementAndGet();
    }

    @Override
    public String toString()
    {
        return "exhausted=" + exhausted + " waits=" + waits + " waitTimeouts=" + waitTimeouts + " grown=" + grown +
            " doubleReleases=" + doubleReleases + " lateReleases=" + lateReleases + " abandoned=" + abandoned +
            " revoked=" + revoked;
    }
}
