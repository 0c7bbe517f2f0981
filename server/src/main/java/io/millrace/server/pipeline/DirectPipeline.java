package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.PoolCheck;
import org.agrona.LangUtil;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * No queue: offer calls the handlers, one after the other, on the publishing thread, and gives the event back. For
 * fused stages, replay and tests.
 * <p>
 * Its subscriptions are {@linkplain DirectSubscription#connect(EventHandler) connected} to a handler instead of being
 * polled. A handler that throws ends the offer with that exception, whatever its kind; the event is given back all
 * the same and later stages do not see it.
 * <p>
 * One publishing thread, which is also the handlers' thread.
 *
 * @param <E> type of the events.
 */
public final class DirectPipeline<E extends BasePoolAware> implements EventPipeline<E>
{
    /**
     * A stage of a direct pipeline.
     *
     * @param <E> type of the events.
     */
    public static final class DirectSubscription<E extends BasePoolAware> implements EventSubscription<E>
    {
        private final String stage;
        private final PaddedLong passed = new PaddedLong(0);
        private EventHandler<? super E> handler;

        DirectSubscription(final String stage)
        {
            this.stage = stage;
        }

        /**
         * Say who handles the events. Before the first event, once.
         *
         * @param newHandler is called inside of each offer.
         */
        public void connect(final EventHandler<? super E> newHandler)
        {
            if (handler != null)
            {
                throw new IllegalStateException("stage '" + stage + "' is connected already");
            }
            handler = Objects.requireNonNull(newHandler, "handler");
        }

        private void requireHandler()
        {
            if (handler == null)
            {
                throw new IllegalStateException("stage '" + stage + "' is not connected to a handler");
            }
        }

        /**
         * {@inheritDoc}
         *
         * @return 0: events do not wait here.
         */
        @Override
        public int poll(final EventHandler<? super E> ignored, final int limit)
        {
            return 0;
        }

        @Override
        public String stage()
        {
            return stage;
        }

        @Override
        public long position()
        {
            // Acquire: pairs with the release in offer(): who closes sees what the handlers did.
            return passed.getAcquire();
        }

        @Override
        public void flush()
        {
        }
    }

    private final StageNames names = new StageNames();
    private final List<DirectSubscription<E>> subscriptions = new ArrayList<>();
    private final PaddedLong published = new PaddedLong(0);
    private final PublishingThread publishingThread = new PublishingThread();
    private DirectSubscription<E>[] stages;
    private boolean connected;
    private boolean closed;

    /**
     * A pipeline without a stage.
     */
    public DirectPipeline()
    {
        freeze();
    }

    @SuppressWarnings("unchecked")
    private void freeze()
    {
        stages = subscriptions.toArray((DirectSubscription<E>[])new DirectSubscription<?>[0]);
        connected = false;
    }

    /**
     * {@inheritDoc}
     * Returns when all stages have handled the event. What a handler throws comes out of this call unchanged, checked
     * or not.
     *
     * @throws IllegalStateException when a stage is not connected; the event is still the caller's.
     */
    @Override
    public boolean offer(final E event)
    {
        event.checkLive();
        if (PoolCheck.ENABLED)
        {
            publishingThread.check(this);
        }
        final DirectSubscription<E>[] all = stages;
        if (all.length == 0)
        {
            return false;
        }
        if (!connected)
        {
            requireHandlers(all);
        }
        event.passOn(1);
        final long sequence = published.getPlain();
        published.setOpaque(sequence + 1);
        final long stamp = event.stamp();
        try
        {
            for (int i = 0; i < all.length; i++)
            {
                all[i].handler.onEvent(event, sequence, true);
            }
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
        }
        finally
        {
            // When one throws, the stages behind it pass the event all the same: it does not come again.
            for (int i = 0; i < all.length; i++)
            {
                // Release: pairs with the acquire in position().
                all[i].passed.setRelease(sequence + 1);
            }
            event.releasePassed(stamp);
        }
        return true;
    }

    private void requireHandlers(final DirectSubscription<E>[] all)
    {
        for (final DirectSubscription<E> stage : all)
        {
            stage.requireHandler();
        }
        connected = true;
    }

    /**
     * {@inheritDoc}
     * Stages are called in the order of subscription, so a stage that is named in {@code after} is before this one
     * anyway.
     */
    @Override
    public DirectSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
    {
        if (closed)
        {
            throw new IllegalStateException("this pipeline is closed");
        }
        for (final EventSubscription<?> earlier : after)
        {
            if (!subscriptions.contains(earlier))
            {
                throw StageNames.foreign(stage, earlier);
            }
        }
        final DirectSubscription<E> subscription = new DirectSubscription<>(names.add(stage));
        subscription.passed.setOpaque(published.getPlain());
        subscriptions.add(subscription);
        freeze();
        return subscription;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int capacity()
    {
        return 0;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long published()
    {
        return published.getOpaque();
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
        closed = true;
        subscriptions.clear();
        freeze();
        return 0;
    }
}
