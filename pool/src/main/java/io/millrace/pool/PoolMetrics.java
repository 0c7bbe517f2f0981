package io.millrace.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a pool counts. All of these are off the fast path, so any thread may count; any thread may read.
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

    PoolMetrics()
    {
    }

    /**
     * Requests that found no free event, or not as many as asked for.
     *
     * @return number of calls of {@code acquire} and {@link RingPool#claim(int)}.
     */
    public long exhausted()
    {
        return exhausted.get();
    }

    /**
     * Requests that waited for an event to come back.
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
     * Events made after construction under {@link Exhaustion#grow(int)}.
     *
     * @return number of events.
     */
    public long grown()
    {
        return grown.get();
    }

    /**
     * Releases and retains by somebody who held nothing. They changed nothing; each is a defect of the program: find it
     * in checked mode.
     *
     * @return number of calls.
     */
    public long doubleReleases()
    {
        return doubleReleases.get();
    }

    /**
     * Stamped releases that came after the event had gone back. They changed nothing.
     *
     * @return number of calls.
     */
    public long lateReleases()
    {
        return lateReleases.get();
    }

    /**
     * Events of a ring that were acquired but given back or overtaken before they were published: consumers skipped
     * them.
     *
     * @return number of events.
     */
    public long abandoned()
    {
        return abandoned.get();
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

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return "exhausted=" + exhausted + " waits=" + waits + " waitTimeouts=" + waitTimeouts + " grown=" + grown +
            " doubleReleases=" + doubleReleases + " lateReleases=" + lateReleases + " abandoned=" + abandoned;
    }
}
