package io.millrace.pool;

/**
 * A fixed set of events that are lent and come back by {@link BasePoolAware#release()}.
 *
 * @param <E> type of the events.
 */
public interface ObjectPool<E extends BasePoolAware>
{
    /**
     * Greatest capacity of a pool: 2^26 events; at the smallest event size of 32 bytes that is 2 GiB already.
     */
    int MAX_CAPACITY = 1 << 26;

    /**
     * Borrow an event. The caller is its only holder; its fields are as its last user left them.
     *
     * @return the event; null when none is free and the pool's {@link Exhaustion} policy is used up (each such call is
     * counted).
     */
    E acquire();

    /**
     * How many events the pool owns. Grows only under {@link Exhaustion#grow(int)}.
     *
     * @return number of events, lent or free.
     */
    int capacity();

    /**
     * How many events are free. Any thread may ask; exact when nobody is using the pool, a snapshot otherwise. Of a
     * {@link RingPool} it may look at every event, of a {@link SharedPool} at the reference of every free one: not for
     * the hot path.
     *
     * @return number of events, 0 to {@link #capacity()}.
     */
    int available();

    /**
     * Whether that many events are free. It may look at so many events or references.
     *
     * @param count how many.
     * @return true: so it is, unless others acquire meanwhile.
     */
    default boolean hasCapacity(final int count)
    {
        return available() >= count;
    }

    /**
     * What was counted so far.
     *
     * @return the pool's counters, readable from any thread.
     */
    PoolMetrics metrics();

    /**
     * Name of the pool in messages and reports.
     *
     * @return the name, by default the simple name of the event class.
     */
    String name();

    /**
     * Describe the events that are out. In checked mode each line names the event and the thread that acquired it.
     *
     * @return one line for all of them, or an empty string when every event is back.
     */
    String describeLent();

    /**
     * Check a capacity against the allowed range.
     *
     * @param what     name of the value in the message.
     * @param capacity number of events.
     * @return the capacity.
     * @throws IllegalArgumentException when it is not in 1..{@value #MAX_CAPACITY}.
     */
    static int checkCapacity(final String what, final int capacity)
    {
        if (capacity < 1 || capacity > MAX_CAPACITY)
        {
            throw new IllegalArgumentException(what + " " + capacity + " is not in 1.." + MAX_CAPACITY);
        }
        return capacity;
    }

    /**
     * Check a ring's capacity: a power of two in the allowed range.
     *
     * @param what     name of the value in the message.
     * @param capacity number of events.
     * @return the capacity.
     * @throws IllegalArgumentException when it is not a power of two in 1..{@value #MAX_CAPACITY}; the message names
     *     the next ones.
     */
    static int checkRingCapacity(final String what, final int capacity)
    {
        checkCapacity(what, capacity);
        if (Integer.bitCount(capacity) != 1)
        {
            final int below = Integer.highestOneBit(capacity);
            throw new IllegalArgumentException(what + " " + capacity + " is not a power of two in 1.." + MAX_CAPACITY +
                ": take " + below + " or " + below * 2);
        }
        return capacity;
    }
}
