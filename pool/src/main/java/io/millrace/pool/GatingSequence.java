package io.millrace.pool;

/**
 * Position that gates the publisher of a ring: all consumers have passed every event below it.
 * <p>
 * Each announced position costs the acquiring thread a cache miss, so consumers announce rarely. They announce after
 * each {@linkplain #announceInterval(int) interval} of events, and when another thread {@linkplain
 * #requestPosition(long) requests} it.
 */
@FunctionalInterface
public interface GatingSequence
{
    /**
     * Smallest announced position of all consumers. Called by the acquiring thread when it has used up the events that
     * it knew to be free, and by any thread for reports.
     *
     * @return the position, read by acquire so that the consumers' reads of the events come before; without a consumer,
     * the number of published events.
     */
    long position();

    /**
     * Request that consumers announce a position that they may have passed already. Any thread; does not wait. Each
     * consumer answers at the end of the next poll that sees the request, even if that poll is empty.
     *
     * @param position the position that the caller waits for.
     */
    default void requestPosition(final long position)
    {
    }

    /**
     * Number of events after which a consumer announces its position without a request: an eighth of the ring. The
     * publisher of a running ring thus reads it about once per wrap and does not have to request it.
     *
     * @param capacity of the ring.
     * @return number of events, at least 1.
     */
    static int announceInterval(final int capacity)
    {
        return Math.max(1, capacity / 8);
    }
}
