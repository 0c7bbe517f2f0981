package io.millrace.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The pools of one server. Each event class has one shared pool here; pools that were created elsewhere can be added,
 * so that reports include them. There is no registry for the whole JVM: two servers never share a pool unless the
 * application passes one to both.
 * <p>
 * Any thread may call; off the hot path.
 */
public final class ObjectPoolsRegistry
{
    private static final class Entry
    {
        final Supplier<?> factory;
        final int capacity;
        final Exhaustion policy;
        final ObjectPool<?> pool;

        Entry(final Supplier<?> factory, final int capacity, final Exhaustion policy, final ObjectPool<?> pool)
        {
            this.factory = factory;
            this.capacity = capacity;
            this.policy = policy;
            this.pool = pool;
        }

        void check(
            final Class<?> type, final Supplier<?> askedFactory, final int askedCapacity, final Exhaustion askedPolicy)
        {
            if (capacity != askedCapacity)
            {
                throw conflict(type, "capacity " + capacity, "capacity " + askedCapacity);
            }
            if (!policy.equals(askedPolicy))
            {
                throw conflict(type, "policy " + policy, "policy " + askedPolicy);
            }
            if (factory != askedFactory)
            {
                throw conflict(type, "another factory", "this one");
            }
        }

        private static IllegalStateException conflict(final Class<?> type, final String present, final String asked)
        {
            return new IllegalStateException(
                "the pool of " + type.getName() + " exists with " + present + " and was requested with " + asked);
        }
    }

    private final Map<Class<?>, Entry> shared = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<ObjectPool<?>> added = new ArrayList<>();

    /**
     * An empty registry.
     */
    public ObjectPoolsRegistry()
    {
    }

    /**
     * Shared pool of an event class. The first call creates it; later calls return it and must pass the same arguments.
     *
     * @param type     class of the events; the pool's name is its simple name.
     * @param factory  creates one new event at each call. A later call must pass the same object (keep it in a
     *                 constant: two evaluations of one method reference are two objects).
     * @param capacity number of events.
     * @param policy   policy for a request when no event is free.
     * @param <E>      type of the events.
     * @return the pool.
     * @throws IllegalStateException    if the pool exists with another factory, capacity or policy; the message names
     *     the difference.
     * @throws IllegalArgumentException if a value is out of range.
     */
    @SuppressWarnings("unchecked")
    public <E extends BasePoolAware> ObjectPool<E> getOrCreate(
        final Class<E> type, final Supplier<E> factory, final int capacity, final Exhaustion policy)
    {
        Objects.requireNonNull(type, "type");
        lock.lock();
        try
        {
            final Entry present = shared.get(type);
            if (present == null)
            {
                final ObjectPool<E> pool = new SharedPool<>(type.getSimpleName(), factory, capacity, policy);
                shared.put(type, new Entry(factory, capacity, policy, pool));
                return pool;
            }
            present.check(type, factory, capacity, policy);
            return (ObjectPool<E>)present.pool;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Add a pool that was created elsewhere, so that reports include it.
     *
     * @param pool the pool.
     * @param <P>  type of the pool.
     * @return the pool.
     * @throws IllegalStateException if the pool is in this registry already.
     */
    public <P extends ObjectPool<?>> P add(final P pool)
    {
        Objects.requireNonNull(pool, "pool");
        lock.lock();
        try
        {
            if (pools().contains(pool))
            {
                throw new IllegalStateException("pool " + pool.name() + " is in this registry already");
            }
            added.add(pool);
            return pool;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Remove a pool that was added, because its owner has ended.
     *
     * @param pool the pool; no effect if it was not added.
     */
    public void remove(final ObjectPool<?> pool)
    {
        lock.lock();
        try
        {
            added.remove(pool);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * All pools: first those that this registry created, then the added ones.
     *
     * @return a copy of the list.
     */
    public List<ObjectPool<?>> pools()
    {
        lock.lock();
        try
        {
            final List<ObjectPool<?>> all = new ArrayList<>();
            for (final Entry entry : shared.values())
            {
                all.add(entry.pool);
            }
            all.addAll(added);
            return all;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Describe the events in flight of all pools, for example at the end of a run.
     *
     * @return one line for each pool with events in flight; empty if every event of every pool is free.
     */
    public String describeInFlight()
    {
        final StringBuilder text = new StringBuilder();
        for (final ObjectPool<?> pool : pools())
        {
            final String inFlight = pool.describeInFlight();
            if (!inFlight.isEmpty())
            {
                text.append(inFlight).append(System.lineSeparator());
            }
        }
        return text.toString();
    }
}
