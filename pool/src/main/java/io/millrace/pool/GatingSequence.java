package io.millrace.pool;

/**
 * How far the consumers of a ring are: every event below the position has been passed by all of them.
 * <p>
 * Consumers announce their positions late, because each time costs the acquiring thread a cache miss: of their own
 * accord when they have passed a {@linkplain #stretch(int) stretch} since the last time, else when somebody
 * {@linkplain #want(long) wants} to know.
 */
@FunctionalInterface
public interface GatingSequence
{
    /**
     * Called by the acquiring thread when it has used up what it knew to be free, and by any thread for reports.
     *
     * @return the smallest announced position of all consumers, read so (acquire) that their reads of the events come
     * before; with no consumer, the number of events published.
     */
    long position();

    /**
     * Ask the consumers to announce a position that they may have passed already. Any thread; does not wait. Each
     * consumer answers at the end of its next poll that sees the request, also of an empty one.
     *
     * @param position that the caller waits for.
     */
    default void want(final long position)
    {
    }

    /**
     * How many events a consumer passes before it announces its position unasked: an eighth of the ring. So the
     * publisher of a running ring reads it about once a lap and does not have to ask.
     *
     * @param capacity of the ring.
     * @return number of events, at least 1.
     */
    static int stretch(final int capacity)
    {
        return Math.max(1, capacity / 8);
    }
}
