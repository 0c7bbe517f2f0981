package io.millrace.pool;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A pool that any number of threads acquire from and any number of threads give back to.
 * <p>
 * Free events stand in a bounded queue of references ({@link FreeQueue}), first back first out where threads do not
 * overtake each other. A cycle costs one compare and set to acquire, one to drop the last hold and two to give back;
 * only the thread that dropped the last hold gives the event back, so an event is never in the queue twice, however
 * often it is released.
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
     * A pool named after the class of its events, that says null when it is exhausted.
     *
     * @param factory  makes one new event at each call.
     * @param capacity number of events, 1 to {@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException when the capacity is out of range.
     * @throws NullPointerException     when the factory makes none.
     * @throws IllegalStateException    when the factory makes the same event again.
     */
    public SharedPool(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, Exhaustion.fail(), null);
    }

    /**
     * A pool of events.
     *
     * @param name     for messages and reports.
     * @param factory  makes one new event at each call; under GROW any acquiring thread calls it, one at a time.
     * @param capacity number of events made now, 1 to {@link ObjectPool#MAX_CAPACITY}.
     * @param policy   what to do when none is free. The room for what GROW may add, 12 to 20 bytes an event, is made
     *                 now.
     * @throws IllegalArgumentException when a value is out of range.
     * @throws NullPointerException     when the factory makes none.
     * @throws IllegalStateException    when the factory makes the same event again.
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
     * Any thread; lock-free. Finds an event whenever one was given back before this call and nobody else takes it. One
     * that is being given back at this very moment may not be found.
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
            event.lend(event.lastLending() + 1);
            if (PoolCheck.ENABLED)
            {
                event.home().onLent();
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
        event.lend(1);
        if (PoolCheck.ENABLED)
        {
            event.home().onLent();
        }
        events[size] = event;
        capacity = size + 1;
        metrics().countGrown(1);
        return event;
    }

    @Override
    boolean lendsWithoutHold()
    {
        return false;
    }

    @Override
    boolean soleHolderStores()
    {
        return false;
    }

    @Override
    boolean returnLast(final BasePoolAware event, final long word)
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
