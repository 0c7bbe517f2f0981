package io.millrace.pool;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A pool for any number of acquiring and releasing threads.
 * <p>
 * Free events wait in a bounded queue of references ({@link FreeQueue}): first in, first out, except when threads
 * overtake each other. A cycle costs one compare and set to acquire, one to release the last reference and two to
 * return the event to the queue. Only the thread that released the last reference returns the event. So an event is
 * never in the queue twice, even if it is released too often.
 *
 * @param <E> type of the events.
 */
public final class SharedPool<E extends BasePoolAware> extends EventPool<E>
{
    private final FreeQueue free;
    private final int limit;
    private final BasePoolAware[] events;
    private final ReentrantLock growing = new ReentrantLock();
    private volatile int capacity;

    /**
     * Creates a pool that is named after its event class and returns null when it is exhausted.
     *
     * @param factory  creates one new event at each call.
     * @param capacity number of events, 1 to {@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException if the capacity is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public SharedPool(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, Exhaustion.fail(), null);
    }

    /**
     * Creates a pool.
     *
     * @param name     for messages and reports.
     * @param factory  creates one new event at each call; under GROW any acquiring thread calls it, one at a time.
     * @param capacity number of events created now, 1 to {@link ObjectPool#MAX_CAPACITY}.
     * @param policy   policy for a request when no event is free. For GROW, the constructor allocates the references
     *                 for all events that may be added: 12 to 20 bytes an event.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public SharedPool(
        final String name, final Supplier<? extends E> factory, final int capacity, final Exhaustion policy)
    {
        this(factory, capacity, policy, Objects.requireNonNull(name, "name"));
    }

    private SharedPool(
        final Supplier<? extends E> factory, final int capacity, final Exhaustion policy, final String nameOrNull)
    {
        super(nameOrNull, factory, policy);
        ObjectPool.checkCapacity("capacity", capacity);
        limit = policy.limit(capacity);
        free = new FreeQueue(limit);
        events = new BasePoolAware[limit];
        for (int i = 0; i < capacity; i++)
        {
            events[i] = create(i);
            free.offer(events[i]);
        }
        this.capacity = capacity;
    }

    /**
     * {@inheritDoc}
     * Any thread; lock-free. The call finds an event if one was released before it and no other thread takes that
     * event. It may miss an event whose release is still in progress.
     */
    @Override
    public E acquire()
    {
        final E event = tryAcquire();
        return event != null ? event : acquireByPolicy();
    }

    @Override
    @SuppressWarnings("unchecked")
    E tryAcquire()
    {
        final BasePoolAware event = free.poll();
        if (event != null)
        {
            event.beginGeneration(event.lastGeneration() + 1);
            if (PoolCheck.ENABLED)
            {
                event.owner().onAcquired();
            }
        }
        return (E)event;
    }

    @Override
    E grow()
    {
        if (capacity == limit)
        {
            return null;
        }
        growing.lock();
        try
        {
            return capacity == limit ? null : growByOne(capacity);
        }
        finally
        {
            growing.unlock();
        }
    }

    private E growByOne(final int size)
    {
        final E event = create(size);
        event.beginGeneration(1);
        if (PoolCheck.ENABLED)
        {
            event.owner().onAcquired();
        }
        events[size] = event;
        capacity = size + 1;
        metrics().countGrown(1);
        return event;
    }

    @Override
    boolean inFlightUncounted()
    {
        return false;
    }

    @Override
    boolean soleReferenceStores()
    {
        return false;
    }

    @Override
    boolean releaseLast(final BasePoolAware event, final long word)
    {
        if (!event.compareAndFree(word))
        {
            return false;
        }
        try
        {
            event.runOnRelease();
        }
        finally
        {
            free.offer(event);
        }
        return true;
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public int available()
    {
        return free.size(capacity);
    }

    @Override
    public boolean hasCapacity(final int count)
    {
        return free.size(count) >= count;
    }

    @Override
    BasePoolAware[] events()
    {
        return events;
    }
}
