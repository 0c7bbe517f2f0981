package io.millrace.pool;

/**
 * A fixed set of events. {@link #acquire()} takes one; {@link BasePoolAware#release()} returns it.
 *
 * @param <E> type of the events.
 */
public interface ObjectPool<E extends BasePoolAware>
{
    /**
     * Greatest capacity of a pool: 2^26 events, which is 2 GiB at the smallest event size of 32 bytes.
     */
    int MAX_CAPACITY = 1 << 26;

    /**
     * Acquire an event. The caller has its only reference. Its fields have the values that the last user left.
     *
     * @return the event; null if none is free and the pool's {@link Exhaustion} policy provides none. Every request
     * that finds no free event is counted.
     */
    E acquire();

    /**
     * Number of events that the pool owns. It grows only under {@link Exhaustion#grow(int)}.
     *
     * @return number of events, in flight or free.
     */
    int capacity();

    /**
     * Number of free events. Any thread may call. The value is exact if the pool is not in use, otherwise a snapshot.
     * Not for the hot path: a {@link RingPool} may read every event, a {@link SharedPool} every free reference.
     *
     * @return number of events, 0 to {@link #capacity()}.
     */
    int available();

    /**
     * Whether at least {@code count} events are free. The call may read that many events or references.
     *
     * @param count number of events.
     * @return true if they are free; other threads may acquire them meanwhile.
     */
    default boolean hasCapacity(final int count)
    {
        return available() >= count;
    }

    /**
     * Counters of the pool.
     *
     * @return the counters; any thread may read them.
     */
    PoolMetrics metrics();

    /**
     * Name of the pool in messages and reports.
     *
     * @return the name, by default the simple name of the event class.
     */
    String name();

    /**
     * Describe the events in flight. In checked mode the text names each event and the thread that acquired it.
     *
     * @return one line for all of them, or an empty string if every event is free.
     */
    String describeInFlight();

    /**
     * Check a capacity against the allowed range.
     *
     * @param what     name of the value in the message.
     * @param capacity number of events.
     * @return the capacity.
     * @throws IllegalArgumentException if it is not in 1..{@value #MAX_CAPACITY}.
     */
    static int checkCapacity(final String what, final int capacity)
    {
        return Range.check(what, capacity, 1, MAX_CAPACITY);
    }

    /**
     * Check a ring's capacity: a power of two in the allowed range.
     *
     * @param what     name of the value in the message.
     * @param capacity number of events.
     * @return the capacity.
     * @throws IllegalArgumentException if it is not a power of two in 1..{@value #MAX_CAPACITY}; the message names the
     *     nearest ones.
     */
    static int checkRingCapacity(final String what, final int capacity)
    {
        return checkRingCapacity(what, capacity, MAX_CAPACITY);
    }

    /**
     * Check a capacity that has a limit of its own: a power of two in the allowed range.
     *
     * @param what     name of the value in the message.
     * @param capacity number of events.
     * @param max      the greatest allowed one, a power of two.
     * @return the capacity.
     * @throws IllegalArgumentException if it is not a power of two in 1..max; the message names the nearest ones.
     */
    static int checkRingCapacity(final String what, final int capacity, final int max)
    {
        Range.check(what, capacity, 1, max);
        if (Integer.bitCount(capacity) != 1)
        {
            final int below = Integer.highestOneBit(capacity);
            throw new IllegalArgumentException(what + " " + capacity + " is not a power of two in 1.." + max +
                ": take " + below + " or " + below * 2);
        }
        return capacity;
    }
}
