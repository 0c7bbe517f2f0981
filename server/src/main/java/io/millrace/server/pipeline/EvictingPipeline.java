package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * DROP_OLDEST: one publishing thread, one stage; when it is full the publisher takes the oldest waiting event out,
 * gives it back to its pool and counts it, so that the newest always find room. For market data and the like, never
 * for commands.
 * <p>
 * Publisher and stage both take from the old end, by compare and set: whoever wins owns the event.
 *
 * @param <E> type of the events.
 */
public final class EvictingPipeline<E extends BasePoolAware> extends OneStagePipeline<E>
{
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);

    private final PaddedLong evicted = new PaddedLong(0);
    private final int mask;

    /**
     * An empty pipeline.
     *
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException when it is not.
     */
    public EvictingPipeline(final int capacity)
    {
        super("a DROP_OLDEST", ObjectPool.checkRingCapacity("capacity", capacity));
        mask = capacity - 1;
    }

    /**
     * {@inheritDoc}
     * The one publishing thread only. Accepts always, unless nobody subscribed or it is closed; also when the event
     * that it takes out throws as it is given back.
     */
    @Override
    public boolean offer(final E event)
    {
        checkOffer(event);
        if (!open)
        {
            return false;
        }
        event.passOn(1);
        final long index = publisher.index;
        final BasePoolAware oldest = index - publisher.seen > mask ? evictOldest(index) : null;
        // Release: pairs with the acquire of the place in poll(), which may read it while it is being replaced.
        PLACE.setRelease(places, (int)index & mask, event);
        publisher.release(index + 1);
        if (oldest != null)
        {
            evicted.setOpaque(evicted.getPlain() + 1);
            // Last: it may throw, and the new event is in by then.
            oldest.releasePassed();
        }
        return true;
    }

    /** Take the oldest event out, unless the stage makes room; null then. One is enough: one event is put in. */
    private BasePoolAware evictOldest(final long index)
    {
        long old = consumer.acquire();
        while (index - old > mask)
        {
            final BasePoolAware event = places[(int)old & mask];
            if (consumer.compareAndSet(old, old + 1))
            {
                publisher.seen = old + 1;
                return event;
            }
            old = consumer.acquire();
        }
        publisher.seen = old;
        return null;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long displaced()
    {
        return evicted.getOpaque();
    }

    @Override
    long giveBack()
    {
        long undelivered = 0;
        long old = consumer.acquire();
        while (old < publisher.acquire())
        {
            // Acquire: pairs with the release in offer(). A publisher that overlaps the close may still evict.
            final BasePoolAware event = (BasePoolAware)PLACE.getAcquire(places, (int)old & mask);
            if (consumer.compareAndSet(old, old + 1))
            {
                event.releasePassed();
                undelivered++;
            }
            old = consumer.acquire();
        }
        return undelivered;
    }

    @Override
    @SuppressWarnings("unchecked")
    int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        int delivered = 0;
        boolean endOfBatch = limit < 1;
        while (!endOfBatch)
        {
            final long index = consumer.acquire();
            final long end = publisher.acquire();
            if (index >= end)
            {
                break;
            }
            // Acquire: pairs with the release in offer(); if it was replaced meanwhile the compare and set fails.
            final E event = (E)(BasePoolAware)PLACE.getAcquire(places, (int)index & mask);
            if (consumer.compareAndSet(index, index + 1))
            {
                delivered++;
                // Where it is false, what follows may be evicted, but then something newer waits.
                endOfBatch = delivered >= limit || index + 1 == end;
                final long stamp = event.stamp();
                try
                {
                    handler.onEvent(event, index, endOfBatch);
                }
                finally
                {
                    event.releasePassed(stamp);
                }
            }
        }
        return delivered;
    }
}
