package io.millrace.server;

import io.millrace.pool.Backoff;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventPublisher;
import io.millrace.server.pipeline.RingPipeline;

import java.util.Objects;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The publishing end of a flow: claim an event, fill it, offer it. Applies the flow's {@link BackPressure} and counts
 * it.
 * <p>
 * One publishing thread, unless the pool and the pipeline take many.
 *
 * @param <E> type of the events.
 */
public final class EventPublication<E extends BasePoolAware> implements EventPublisher<E>
{

    private final ObjectPool<E> pool;
    private final EventPipeline<E> pipeline;
    private final BackPressure policy;
    private final E spare;
    private final RingPool<E> ring;
    private final RingPipeline<E> batches;
    private final PaddedLong rejected = new PaddedLong(0);
    private final PaddedLong dropped = new PaddedLong(0);
    private final PaddedLong blocked = new PaddedLong(0);
    private volatile boolean closed;
    private BooleanSupplier handledByCaller = () -> false;
    private BooleanSupplier waitIsFutile = () -> false;
    private Runnable publishedLate = () ->
    {
    };

    /**
     * A publishing end. Servers make their own; this is for pipelines that are used without one.
     *
     * @param pool     where events come from.
     * @param pipeline where they go.
     * @param policy   what to do when there is no room.
     * @param factory  makes the one event that a DROP_NEWEST publisher fills in vain; null when many threads publish.
     */
    public EventPublication(
        final ObjectPool<E> pool,
        final EventPipeline<E> pipeline,
        final BackPressure policy,
        final Supplier<? extends E> factory)
    {
        this.pool = Objects.requireNonNull(pool, "pool");
        this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
        this.policy = Objects.requireNonNull(policy, "policy");
        ring = pool instanceof RingPool ? (RingPool<E>)pool : null;
        batches = pipeline instanceof RingPipeline ? (RingPipeline<E>)pipeline : null;
        spare = policy == BackPressure.DROP_NEWEST && factory != null ? factory.get() : null;
    }

    /**
     * Borrow an event to fill. What is claimed is offered, or given back by {@code release()}.
     *
     * @return the event; null when there is no room and the policy is FAIL, when the server closes, when the thread is
     * interrupted while it waits for room (its interrupt flag stays set), or when it would wait in vain, see {@link
     * BackPressure#BLOCK}.
     */
    public E claim()
    {
        if (!closed)
        {
            final E event = pool.acquire();
            return event != null ? event : claimSlow();
        }
        return refuse();
    }

    private E claimSlow()
    {
        if (spare != null)
        {
            return spare;
        }
        if (mayBlock() && !blocksItself(1))
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                final E event = pool.acquire();
                if (event != null)
                {
                    return event;
                }
                round = Backoff.idle(round);
            }
            while (mayWait() && !blocksItself(1));
        }
        return refuse();
    }

    /**
     * Look whether there is room for several claims, see {@link InVmSource#awaitCapacity}.
     *
     * @param count how many events, 1 to the capacity of the pool.
     * @return true: so many claims find an event each; false where a claim would say null.
     * @throws IllegalArgumentException when the count is out of range.
     */
    public boolean awaitCapacity(final int count)
    {
        return !closed && hasCapacity(count) || awaitCapacitySlow(count);
    }

    private boolean hasCapacity(final int count)
    {
        return ring != null ? ring.hasCapacity(count) : pool.hasCapacity(count);
    }

    private boolean awaitCapacitySlow(final int count)
    {
        if (count < 1 || count > pool.capacity())
        {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + pool.capacity());
        }
        if (!closed && (spare != null || policy == BackPressure.DROP_OLDEST || policy == BackPressure.CONFLATE))
        {
            return true;
        }
        if (mayBlock() && !blocksItself(count))
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                if (hasCapacity(count))
                {
                    return true;
                }
                round = Backoff.idle(round);
            }
            while (mayWait() && !blocksItself(count));
        }
        refuse();
        return false;
    }

    /**
     * {@inheritDoc}
     * <p>
     * Under DROP_NEWEST an event that finds no room is given back, counted, and reported as accepted.
     *
     * @throws NullPointerException when there is no event, as after a claim that was refused.
     */
    @Override
    public boolean offer(final E event)
    {
        if (event != spare && !closed && pipeline.offer(event))
        {
            if (closed)
            {
                // Closed between the two looks: whoever closes may not have seen this event.
                publishedLate.run();
            }
            return true;
        }
        return offerSlow(event);
    }

    private boolean offerSlow(final E event)
    {
        if (Objects.requireNonNull(event, "event") == spare)
        {
            dropped.getAndAdd(1);
            return true;
        }
        if (policy == BackPressure.DROP_NEWEST && !closed)
        {
            // Counted first: a release may throw what the event's onRelease throws.
            dropped.getAndAdd(1);
            event.release();
            return true;
        }
        if (mayBlock())
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                if (pipeline.offer(event))
                {
                    publishedLate.run();
                    return true;
                }
                round = Backoff.idle(round);
            }
            while (mayWait());
        }
        refuse();
        return false;
    }

    /**
     * Borrow several events in a row, see {@link InVmSource#claim(int)}.
     *
     * @param count how many, 1 to the capacity of the ring.
     * @return sequence of the first; -1 where {@link #claim()} would say null, or where DROP_NEWEST drops them all.
     * @throws IllegalArgumentException when the count is out of range.
     * @throws IllegalStateException    when the flow does not go through a ring.
     */
    public long claim(final int count)
    {
        checkBatches();
        if (!awaitCapacity(count))
        {
            return -1;
        }
        final long first = ring.claim(count);
        if (first < 0)
        {
            dropped.getAndAdd(count);
        }
        return first;
    }

    /**
     * One event of a batch that was claimed.
     *
     * @param sequence from the first of the batch on.
     * @return the event; unchecked: another sequence gives another event, which is not the caller's.
     * @throws IllegalStateException when the flow does not go through a ring.
     */
    public E event(final long sequence)
    {
        checkBatches();
        return ring.event(sequence);
    }

    /**
     * Publish a batch that was claimed, see {@link InVmSource#publish(long, int)}.
     *
     * @param first sequence of its first event.
     * @param count how many.
     * @return true: they are on their way; false: the server closes, they are still the caller's.
     * @throws IllegalArgumentException when these are not claimed and unpublished events.
     * @throws IllegalStateException    when the flow does not go through a ring.
     */
    public boolean offer(final long first, final int count)
    {
        checkBatches();
        if (!closed && batches.offer(first, count))
        {
            if (closed)
            {
                publishedLate.run();
            }
            return true;
        }
        refuse();
        return false;
    }

    private void checkBatches()
    {
        if (batches == null)
        {
            throw new IllegalStateException("batches need a flow through a ring, not through " + pipeline);
        }
    }

    private boolean mayBlock()
    {
        return policy == BackPressure.BLOCK && mayWait() && !handledByCaller.getAsBoolean();
    }

    /**
     * Whether the publishing thread waits for events that it has claimed itself; not known for a shared source. Checked
     * in each round: of an unbound ring only the first event that is not free is known.
     */
    private boolean blocksItself(final int count)
    {
        return ring != null && ring.blocksItself(count);
    }

    private boolean mayWait()
    {
        return !closed && !Thread.currentThread().isInterrupted() && !waitIsFutile.getAsBoolean();
    }

    private E refuse()
    {
        rejected.getAndAdd(1);
        return null;
    }

    /**
     * Claims and offers that were refused: no room under FAIL, or the server was closing, or the thread that waited
     * was interrupted. Any thread.
     *
     * @return number of calls.
     */
    public long rejected()
    {
        return rejected.getOpaque();
    }

    /**
     * Events dropped under DROP_NEWEST. Any thread.
     *
     * @return number of events.
     */
    public long dropped()
    {
        return dropped.getOpaque();
    }

    /**
     * Claims and offers that had to wait under BLOCK. Any thread.
     *
     * @return number of calls, not of turns.
     */
    public long blocked()
    {
        return blocked.getOpaque();
    }

    /**
     * Accept nothing more; whoever waits is sent away. Any thread.
     */
    public void close()
    {
        closed = true;
    }

    /** Another thread than before is to publish. */
    void disown()
    {
        pipeline.disown();
        if (ring != null)
        {
            ring.disown();
        }
    }

    /** The ring, when a publish is an offer to it and nothing more; else null. */
    RingPipeline<E> fastPath()
    {
        return spare == null ? batches : null;
    }

    /** What batches are claimed from, where there are any. */
    RingPool<E> batchPool()
    {
        return ring;
    }

    /** After a publish that overlapped the close. */
    void publishedLate()
    {
        publishedLate.run();
    }

    ObjectPool<E> pool()
    {
        return pool;
    }

    EventPipeline<E> pipeline()
    {
        return pipeline;
    }

    boolean isHandledByCaller()
    {
        return handledByCaller.getAsBoolean();
    }

    void handledByCaller(final BooleanSupplier test)
    {
        handledByCaller = test;
    }

    /** Whether no room can come while the calling thread waits; asked again and again by who waits. */
    void waitIsFutile(final BooleanSupplier test)
    {
        waitIsFutile = test;
    }

    /** What to do after a publish that overlapped the close. */
    void onPublishedLate(final Runnable action)
    {
        publishedLate = action;
    }
}
