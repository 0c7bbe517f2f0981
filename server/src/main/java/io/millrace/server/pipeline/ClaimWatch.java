package io.millrace.server.pipeline;

import io.millrace.pool.SharedRingPool;

import java.util.function.LongConsumer;

/**
 * Decides how long a first stage waits for an event that is claimed and not published. Belongs to the stage's polling
 * thread. It reads the event's own cache line, which the stage polls anyway, and no clock before such an event is
 * found.
 */
final class ClaimWatch
{
    /** A power of two: most empty polls only count. */
    private static final int POLLS_PER_LOOK = 16;

    private final SharedRingPool<?> pool;
    private final long timeoutNs;
    private final LongConsumer onRevoked;
    private int polls;
    private long awaited = -1;
    private long sinceNs;
    private boolean announced;

    /**
     * @param timeoutNs time from the first look that finds the event claimed.
     * @param onRevoked called with the sequence of each revoked event.
     */
    ClaimWatch(final SharedRingPool<?> pool, final long timeoutNs, final LongConsumer onRevoked)
    {
        this.pool = pool;
        this.timeoutNs = timeoutNs;
        this.onRevoked = onRevoked;
    }

    void onEmptyPoll(final long sequence)
    {
        if ((++polls & POLLS_PER_LOOK - 1) == 0)
        {
            look(sequence);
        }
    }

    /** The stage leaves. */
    void end()
    {
        if (announced)
        {
            // Otherwise every publish would take the slow path until the next revocation.
            pool.revoke(awaited, awaited);
        }
    }

    private void look(final long sequence)
    {
        if (announced)
        {
            // Also if the event was published meanwhile: that ends the announcement.
            revoke();
        }
        else if (!pool.isClaimed(sequence))
        {
            awaited = -1;
        }
        else if (awaited != sequence)
        {
            awaited = sequence;
            sinceNs = System.nanoTime();
        }
        else if (System.nanoTime() - sinceNs >= timeoutNs)
        {
            revoke();
        }
    }

    /** The first call announces, one at least a millisecond later revokes. */
    private void revoke()
    {
        final boolean revoked = pool.revoke(awaited, awaited + 1) > 0;
        announced = pool.isRevocationAnnounced();
        if (revoked)
        {
            onRevoked.accept(awaited);
            awaited = -1;
        }
    }
}
