package io.millrace.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Back-off of a thread that retries: spin, then yield, then park for 1 to 100 microseconds. Stateless; the caller keeps
 * the round, starting at 0. Not for hot paths: call it only after a failed attempt.
 */
public final class Backoff
{
    /** About two microseconds, retries included, before the first yield. */
    private static final int SPINS = 100;
    /** Other threads of this core may run before the first park. */
    private static final int YIELDS = 200;
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** The round of the longest park. Later rounds repeat it, so the round never overflows. */
    private static final int LAST_ROUND = SPINS + YIELDS + (int)(MAX_PARK_NS / MIN_PARK_NS) - 1;

    private Backoff()
    {
    }

    /**
     * Wait once, longer in later rounds. An interrupt ends a park early; the interrupt flag stays set.
     *
     * @param round 0 in the first round, then the result of the previous call.
     * @return the next round.
     */
    public static int idle(final int round)
    {
        if (round < SPINS)
        {
            Thread.onSpinWait();
        }
        else if (round < SPINS + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(MIN_PARK_NS * (round - SPINS - YIELDS + 1));
        }
        return Math.min(round + 1, LAST_ROUND);
    }
}
