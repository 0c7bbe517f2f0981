package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PoolCheck;

import java.util.Objects;

/**
 * Common base of the pipelines for one publishing thread and one stage: two ends, one subscription, open or closed.
 */
abstract class OneStagePipeline<E extends BasePoolAware> implements EventPipeline<E>
{
    final RingEnd publisher = new RingEnd();
    final RingEnd consumer = new RingEnd();
    final BasePoolAware[] places;
    /** True from subscribe to close. The closing thread writes it without a fence: a late offer closes again. */
    boolean open;

    private final String kind;
    private final PublishingThread publishingThread = new PublishingThread();
    private Stage subscription;
    private boolean closed;

    OneStagePipeline(final String kind, final int capacity)
    {
        this.kind = kind;
        places = new BasePoolAware[capacity];
    }

    /** In checked mode, refuse a released event and a second publishing thread. */
    final void checkOffer(final E event)
    {
        Objects.requireNonNull(event, "event").checkLive();
        if (PoolCheck.ENABLED)
        {
            publishingThread.check(this);
        }
    }

    /** Polls the pipeline's only subscription. */
    abstract int poll(EventHandler<? super E> handler, int limit) throws Exception;

    /**
     * Called by the closing thread: release all waiting events.
     *
     * @return number of events.
     */
    abstract long giveBack();

    /**
     * {@inheritDoc}
     * Takes one stage.
     */
    @Override
    public final EventSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
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
            throw new IllegalStateException(kind + " pipeline has one stage: it has '" + subscription.stage() +
                "', so '" + stage + "' cannot be added");
        }
        subscription = new Stage(new StageNames().add(stage));
        open = true;
        return subscription;
    }

    @Override
    public final int capacity()
    {
        return places.length;
    }

    @Override
    public final long publishedPosition()
    {
        return publisher.acquire();
    }

    @Override
    public final void clearPublishingThread()
    {
        publishingThread.clear();
    }

    @Override
    public final void handOver()
    {
        publishingThread.handOver(this);
    }

    @Override
    public final long close()
    {
        open = false;
        closed = true;
        return giveBack();
    }

    private final class Stage implements EventSubscription<E>
    {
        private final String name;

        Stage(final String name)
        {
            this.name = name;
        }

        @Override
        public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
        {
            return OneStagePipeline.this.poll(handler, limit);
        }

        @Override
        public String stage()
        {
            return name;
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
