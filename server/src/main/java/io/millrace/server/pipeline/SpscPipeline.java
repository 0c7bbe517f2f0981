package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PoolCheck;

/**
 * One publishing thread, one stage, any pooled events in any order: a ring of references.
 * <pre>
 *  publisher --&gt; | ref | ref | ref | --&gt; stage
 *      index (release) --------&gt; acquire
 *      acquire &lt;---------------- index (release), once a poll
 * </pre>
 * Two cache lines travel per event, the reference's and the event's own; {@link RingPipeline} moves one. The event's
 * hold passes with it: nothing is written to the event on offer.
 *
 * @param <E> type of the events.
 */
public final class SpscPipeline<E extends BasePoolAware> implements EventPipeline<E>
{
    private final RingEnd publisher = new RingEnd();
    private final RingEnd consumer = new RingEnd();
    private final PublishingThread publishingThread = new PublishingThread();
    private final BasePoolAware[] places;
    private final int mask;
    private volatile Subscription subscription;
    private boolean open;
    private boolean closed;

    /**
     * An empty pipeline.
     *
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException when it is not.
     */
    public SpscPipeline(final int capacity)
    {
        places = new BasePoolAware[ObjectPool.checkRingCapacity("capacity", capacity)];
        mask = capacity - 1;
    }

    /**
     * {@inheritDoc}
     * The one publishing thread only.
     */
    @Override
    public boolean offer(final E event)
    {
        event.checkLive();
        if (PoolCheck.ENABLED)
        {
            publishingThread.check(this);
        }
        final RingEnd end = publisher;
        final long index = end.index;
        if (index - end.seen <= mask && open || isRoomSlow(index))
        {
            places[(int)index & mask] = event;
            end.release(index + 1);
            return true;
        }
        return false;
    }

    private boolean isRoomSlow(final long index)
    {
        publisher.seen = consumer.acquire();
        return open && index - publisher.seen <= mask;
    }

    /**
     * {@inheritDoc}
     * Takes one stage.
     */
    @Override
    public EventSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
    {
        if (closed)
        {
            throw new IllegalStateException("this pipeline is closed");
        }
        if (after.length > 0 && (subscription == null || after[0] != subscription))
        {
            throw StageNames.foreign(stage, after[0]);
        }
        if (subscription != null)
        {
            throw new IllegalStateException(
                "an SPSC pipeline has one stage: '" + subscription.stage() + "' is there, '" + stage +
                "' cannot be added");
        }
        subscription = new Subscription(new StageNames().add(stage));
        open = true;
        return subscription;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int capacity()
    {
        return places.length;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long published()
    {
        return publisher.acquire();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void handOver()
    {
        publishingThread.handOver(this);
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long close()
    {
        open = false;
        closed = true;
        final long first = consumer.acquire();
        final long end = publisher.acquire();
        for (long index = first; index < end; index++)
        {
            places[(int)index & mask].release();
        }
        consumer.release(end);
        return end - first;
    }

    private final class Subscription implements EventSubscription<E>
    {
        private final String stage;

        Subscription(final String stage)
        {
            this.stage = stage;
        }

        @Override
        @SuppressWarnings("unchecked")
        public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
        {
            final RingEnd own = consumer;
            final long first = own.index;
            if (first == own.seen)
            {
                own.seen = publisher.acquire();
            }
            final long end = Math.min(own.seen, first + limit);
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
                        event.release(stamp);
                    }
                }
            }
            finally
            {
                own.release(index);
            }
            return (int)(index - first);
        }

        @Override
        public String stage()
        {
            return stage;
        }

        @Override
        public long position()
        {
            return consumer.acquire();
        }

        @Override
        public void flush()
        {
        }
    }
}
