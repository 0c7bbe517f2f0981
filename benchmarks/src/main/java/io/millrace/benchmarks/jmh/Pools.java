package io.millrace.benchmarks.jmh;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jctools.queues.MpmcArrayQueue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * The pools that are compared, all with events of 64 bytes: ours, the queues of others with the free events in them,
 * and no pool.
 */
abstract class Pools
{
    /** Events in a pool: 64 KiB, so that a pool that wraps stays inside the L2 cache. */
    static final int CAPACITY = 1_024;

    /**
     * Places of a bounded queue that is a pool: twice as many as events, as in our shared pool. In a queue that is
     * just as long a giver finds the queue full where a taker has claimed a place and not yet emptied it.
     */
    private static final int PLACES = 2 * CAPACITY;

    static Pools of(final String contender)
    {
        final Supplier<PooledEvent> events = PooledEvent.ofSize(64);
        return switch (contender)
        {
            case "allocation" -> new Fresh(events);
            case "ringPool" -> new Ours(new RingPool<>(events, CAPACITY));
            case "sharedPool" -> new Ours(new SharedPool<>(events, CAPACITY));
            case "concurrentLinkedQueue" -> new Queued(new ConcurrentLinkedQueue<>(), events);
            case "jctoolsMpmc" -> new Queued(new MpmcArrayQueue<>(PLACES), events);
            case "agronaManyToMany" -> new Queued(new ManyToManyConcurrentArrayQueue<>(PLACES), events);
            default -> throw new IllegalArgumentException("no contender '" + contender + "'");
        };
    }

    /** Borrow an event. Null: none is free. */
    abstract PooledEvent take();

    abstract void give(PooledEvent event);

    /** All events are back, no thread uses the pool. */
    abstract void verifyBalance();

    static void verifyBalance(final ObjectPool<?> pool)
    {
        verifyCount(pool.available(), pool.capacity());
    }

    private static void verifyCount(final int free, final int all)
    {
        if (free != all)
        {
            throw new IllegalStateException("wrong answer: " + free + " of " + all + " events are back in the pool");
        }
    }

    private static final class Fresh extends Pools
    {
        private final Supplier<PooledEvent> factory;

        private Fresh(final Supplier<PooledEvent> factory)
        {
            this.factory = factory;
        }

        @Override
        PooledEvent take()
        {
            return factory.get();
        }

        @Override
        void give(final PooledEvent event)
        {
        }

        @Override
        void verifyBalance()
        {
        }
    }

    private static final class Ours extends Pools
    {
        private final ObjectPool<PooledEvent> pool;

        private Ours(final ObjectPool<PooledEvent> pool)
        {
            this.pool = pool;
        }

        @Override
        PooledEvent take()
        {
            return pool.acquire();
        }

        @Override
        void give(final PooledEvent event)
        {
            event.release();
        }

        @Override
        void verifyBalance()
        {
            verifyBalance(pool);
        }
    }

    private static final class Queued extends Pools
    {
        private final Queue<PooledEvent> free;

        private Queued(final Queue<PooledEvent> free, final Supplier<PooledEvent> factory)
        {
            this.free = free;
            for (int i = 0; i < CAPACITY; i++)
            {
                free.add(factory.get());
            }
        }

        @Override
        PooledEvent take()
        {
            return free.poll();
        }

        @Override
        void give(final PooledEvent event)
        {
            while (!free.offer(event))
            {
                // A thread that takes was stopped between claiming and emptying a place, for a whole lap.
                Thread.yield();
            }
        }

        @Override
        void verifyBalance()
        {
            verifyCount(free.size(), CAPACITY);
        }
    }
}
