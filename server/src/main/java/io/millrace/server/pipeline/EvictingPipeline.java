package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * DROP_OLDEST: if the pipeline is full, the publisher removes the oldest waiting event, releases and counts it, so that
 * a new event is always accepted. For market data, never for commands. One publishing thread, one stage.
 * <p>
 * Publisher and stage both remove the oldest event by compare and set; the winner owns it.
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
     * The one publishing thread only. Accepts every event unless the pipeline is closed or has no stage. The event is
     * accepted even if the release of the displaced one throws.
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
        // Release: pairs with the acquire of the place in poll(), which may read the place while it is replaced.
        PLACE.setRelease(places, (int)index & mask, event);
        publisher.release(index + 1);
        if (oldest != null)
        {
            evicted.setOpaque(evicted.getPlain() + 1);
            // Do this last: it may throw after the new event is accepted.
            oldest.releasePassed();
        }
        return true;
    }

    /** Remove the oldest event; null if the stage frees capacity first. One is enough, because one event is added. */
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
            // Acquire: pairs with the release in offer(). If the event was replaced meanwhile, the compare and set
            // fails.
            final E event = (E)(BasePoolAware)PLACE.getAcquire(places, (int)index & mask);
            if (consumer.compareAndSet(index, index + 1))
            {
                delivered++;
                // If it is false, the next event may be evicted, but then a newer one waits.
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
