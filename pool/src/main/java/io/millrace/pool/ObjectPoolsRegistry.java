package io.millrace.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The pools of one server: each event class has one shared pool here, and pools made elsewhere are added to be reported
 * on. There is no registry for the whole JVM: two servers never share a pool unless the application hands one to both.
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
                "the pool of " + type.getName() + " exists with " + present + ", asked for with " + asked);
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
     * The shared pool of an event class: made by the first call, found by the next ones, which must ask for the same
     * thing.
     *
     * @param type     class of the events; the pool's name is its simple name.
     * @param factory  makes one new event at each call. A later call must pass the same object (keep it in a constant:
     *                 two evaluations of one method reference are two objects).
     * @param capacity number of events.
     * @param policy   what to do when none is free.
     * @param <E>      type of the events.
     * @return the pool.
     * @throws IllegalStateException    when the pool exists with another factory, capacity or policy; the message says
     *     which.
     * @throws IllegalArgumentException when a value is out of range.
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
     * Add a pool that was made elsewhere, so that it is reported on with the others.
     *
     * @param pool the pool.
     * @param <P>  type of the pool.
     * @return the pool.
     * @throws IllegalStateException when it is here already.
     */
    public <P extends ObjectPool<?>> P add(final P pool)
    {
        Objects.requireNonNull(pool, "pool");
        lock.lock();
        try
        {
            if (pools().contains(pool))
            {
                throw new IllegalStateException("pool " + pool.name() + " is here already");
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
     * All pools, those made here first.
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
     * Describe what is out of all pools, for instance at the end of a run.
     *
     * @return one line a pool that misses events; empty when every event of every pool is back.
     */
    public String describeLent()
    {
        final StringBuilder text = new StringBuilder();
        for (final ObjectPool<?> pool : pools())
        {
            final String lent = pool.describeLent();
            if (!lent.isEmpty())
            {
                text.append(lent).append(System.lineSeparator());
            }
        }
        return text.toString();
    }
}
