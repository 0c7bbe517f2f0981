package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;

/**
 * One publishing thread, one stage, any pooled events in any order: a ring of references.
 * <pre>
 *  publisher --&gt; | ref | ref | ref | --&gt; stage
 *      index (release) --------&gt; acquire
 *      acquire &lt;---------------- index (release), once a poll
 * </pre>
 * Two cache lines move between the cores per event, one with the reference and one with the event; {@link RingPipeline}
 * moves one. The event's reference count passes with it: one store into the line that the publisher has just written.
 *
 * @param <E> type of the events.
 */
public final class SpscPipeline<E extends BasePoolAware> extends OneStagePipeline<E>
{
    private final int mask;

    /**
     * An empty pipeline.
     *
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException if it is not.
     */
    public SpscPipeline(final int capacity)
    {
        super("an SPSC", ObjectPool.checkRingCapacity("capacity", capacity));
        mask = capacity - 1;
    }

    /**
     * {@inheritDoc}
     * The one publishing thread only.
     */
    @Override
    public boolean offer(final E event)
    {
        checkOffer(event);
        final RingEnd end = publisher;
        final long index = end.index;
        if (index - end.seen <= mask && open || hasCapacitySlow(index))
        {
            event.passOn(1);
            places[(int)index & mask] = event;
            end.release(index + 1);
            return true;
        }
        return false;
    }

    private boolean hasCapacitySlow(final long index)
    {
        publisher.seen = consumer.acquire();
        return open && index - publisher.seen <= mask;
    }

    @Override
    long giveBack()
    {
        final long first = consumer.acquire();
        final long end = publisher.acquire();
        for (long index = first; index < end; index++)
        {
            places[(int)index & mask].releasePassed();
        }
        consumer.release(end);
        return end - first;
    }

    @Override
    @SuppressWarnings("unchecked")
    int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        final RingEnd own = consumer;
        final long first = own.index;
        if (first == own.seen)
        {
            own.seen = publisher.acquire();
        }
        // Compare the difference: the sum may overflow.
        final long end = own.seen - first > limit ? first + limit : own.seen;
        if (first == end)
        {
            return 0;
        }
        long index = first;
        try
        {
            while (index < end)
            {
                final E event = (E)places[(int)index & mask];
                index++;
                final long stamp = event.stamp();
                try
                {
                    handler.onEvent(event, index - 1, index == end);
                }
                finally
                {
                    event.releasePassed(stamp);
                }
            }
        }
        finally
        {
            own.release(index);
        }
        return (int)(index - first);
    }
}
