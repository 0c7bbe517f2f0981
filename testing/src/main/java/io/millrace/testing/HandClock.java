package io.millrace.testing;

import org.agrona.concurrent.NanoClock;

/**
 * A clock that stands still until it is moved. Any thread may read it, one thread at a time moves it.
 */
public final class HandClock implements NanoClock
{
    private volatile long nowNs;

    /**
     * A clock at a time.
     *
     * @param startNs its first time, in nanoseconds.
     */
    public HandClock(final long startNs)
    {
        nowNs = startNs;
    }

    /** @return the present time, in nanoseconds. */
    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    /**
     * Move the clock to a time.
     *
     * @param newNs the new time, in nanoseconds.
     * @throws IllegalArgumentException if it is before the present time: a clock of a server never goes back.
     */
    public void set(final long newNs)
    {
        if (newNs < nowNs)
        {
            throw new IllegalArgumentException("time " + newNs + " is before the present time " + nowNs);
        }
        nowNs = newNs;
    }

    /**
     * Move the clock on.
     *
     * @param durationNs 0 or more, in nanoseconds.
     * @throws IllegalArgumentException if it is negative.
     */
    public void advance(final long durationNs)
    {
        set(nowNs + durationNs);
    }
}
