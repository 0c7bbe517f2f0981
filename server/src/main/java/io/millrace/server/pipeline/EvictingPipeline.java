package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.PoolCheck;

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
public final class EvictingPipeline<E extends BasePoolAware> implements EventPipeline<E>
{
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);

    private final RingEnd newest = new RingEnd();
    private final RingEnd oldest = new RingEnd();
    private final PublishingThread publishingThread = new PublishingThread();
    private final PaddedLong evicted = new PaddedLong(0);
    private final BasePoolAware[] places;
    private final int mask;
    private Subscription subscription;
    private boolean open;
    private boolean closed;

    /**
     * An empty pipeline.
     *
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException when it is not.
     */
    public EvictingPipeline(final int capacity)
    {
        places = new BasePoolAware[ObjectPool.checkRingCapacity("capacity", capacity)];
        mask = capacity - 1;
    }

    /**
     * {@inheritDoc}
     * The one publishing thread only. Accepts always, unless nobody subscribed or it is closed.
     */
    @Override
    public boolean offer(final E event)
    {
        event.checkLive();
        if (PoolCheck.ENABLED)
        {
            publishingThread.check(this);
        }
        if (!open)
        {
            return false;
        }
        final long index = newest.index;
        if (index - newest.seen > mask)
        {
            makeRoom(index);
        }
        // Release: pairs with the acquire of the place in poll(), which may read it while it is being replaced.
        PLACE.setRelease(places, (int)index & mask, event);
        newest.release(index + 1);
        return true;
    }

    private void makeRoom(final long index)
    {
        long old = oldest.acquire();
        while (index - old > mask)
        {
            final BasePoolAware event = places[(int)old & mask];
            if (oldest.compareAndSet(old, old + 1))
            {
                evicted.setOpaque(evicted.getPlain() + 1);
                event.release();
            }
            old = oldest.acquire();
        }
        newest.seen = old;
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
            throw new IllegalStateException("a DROP_OLDEST pipeline has one stage: '" + subscription.stage() +
                "' is there, '" + stage + "' cannot be added");
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
        return newest.acquire();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long displaced()
    {
        return evicted.getOpaque();
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
        long undelivered = 0;
        long old = oldest.acquire();
        while (old < newest.acquire())
        {
            // Acquire: pairs with the release in offer(). A publisher that overlaps the close may still evict.
            final BasePoolAware event = (BasePoolAware)PLACE.getAcquire(places, (int)old & mask);
            if (oldest.compareAndSet(old, old + 1))
            {
                event.release();
                undelivered++;
            }
            old = oldest.acquire();
        }
        return undelivered;
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
            int delivered = 0;
            boolean endOfBatch = limit < 1;
            while (!endOfBatch)
            {
                final long index = oldest.acquire();
                final long end = newest.acquire();
                if (index >= end)
                {
                    break;
                }
                // Acquire: pairs with the release in offer(); if it was replaced meanwhile the compare and set fails.
                final E event = (E)(BasePoolAware)PLACE.getAcquire(places, (int)index & mask);
                if (oldest.compareAndSet(index, index + 1))
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
                        event.release(stamp);
                    }
                }
            }
            return delivered;
        }

        @Override
        public String stage()
        {
            return stage;
        }

        @Override
        public long position()
        {
            return oldest.acquire();
        }

        @Override
        public void flush()
        {
        }
    }
}
