package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolCheck;
import org.agrona.LangUtil;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * No queue: offer calls the handlers in order on the publishing thread, then releases the event. For fused stages,
 * replay and tests.
 * <p>
 * Its subscriptions are {@linkplain DirectSubscription#connect(EventHandler) connected} to a handler instead of being
 * polled. If a handler throws, offer ends with that exception, checked or not, unless it is absorbed; the event is
 * released and later stages do not see it.
 * <p>
 * One publishing thread, which is also the handlers' thread. While a handler runs, the pipeline accepts no other event.
 * Without a queue, later stages would see the new event before the current one.
 *
 * @param <E> type of the events.
 */
public final class DirectPipeline<E extends BasePoolAware> extends DirectPipelineFields<E>
    implements EventPipeline<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * A stage of a direct pipeline.
     *
     * @param <E> type of the events.
     */
    public static final class DirectSubscription<E extends BasePoolAware> implements EventSubscription<E>
    {
        private final String stage;
        private final DirectPipeline<E> pipeline;
        private EventHandler<? super E> handler;

        DirectSubscription(final String stage, final DirectPipeline<E> pipeline)
        {
            this.stage = stage;
            this.pipeline = pipeline;
        }

        /**
         * Set the handler. Call it once, before the first event.
         *
         * @param newHandler called inside of each offer.
         */
        public void connect(final EventHandler<? super E> newHandler)
        {
            connect(newHandler, pipeline.absorbed);
        }

        /**
         * As {@link #connect(EventHandler)}, for a handler with failures that the publisher must not see.
         *
         * @param newHandler called inside of each offer.
         * @param absorbed   called with an exception of any stage's handler, before the position passes the event; true
         *                   if the offer shall return as if there were none. It replaces that of an earlier stage.
         */
        public void connect(final EventHandler<? super E> newHandler, final Predicate<? super Exception> absorbed)
        {
            if (handler != null)
            {
                throw new IllegalStateException("stage '" + stage + "' is connected already");
            }
            Objects.requireNonNull(absorbed, "absorbed");
            handler = Objects.requireNonNull(newHandler, "handler");
            pipeline.absorbed = absorbed;
            pipeline.selectHandler();
        }

        /**
         * {@inheritDoc}
         *
         * @return 0: a direct pipeline has no waiting events.
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
            // Acquire: pairs with the release in offer(). The closing thread sees the handlers' stores.
            return pipeline.passed.getAcquire();
        }

        @Override
        public void flush()
        {
        }
    }

    /** The handlers of several stages, in order. */
    private static final class Stages<E extends BasePoolAware> implements EventHandler<E>
    {
        private final EventHandler<? super E>[] handlers;

        Stages(final EventHandler<? super E>[] handlers)
        {
            this.handlers = handlers;
        }

        @Override
        public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
        {
            for (final EventHandler<? super E> handler : handlers)
            {
                handler.onEvent(event, sequence, endOfBatch);
            }
        }
    }

    /** Chooses the handler of the next offers. */
    @SuppressWarnings("unchecked")
    private void selectHandler()
    {
        final EventHandler<? super E>[] all = (EventHandler<? super E>[])new EventHandler<?>[subscriptions.size()];
        String first = null;
        for (int i = all.length - 1; i >= 0; i--)
        {
            all[i] = subscriptions.get(i).handler;
            first = all[i] == null ? subscriptions.get(i).stage : first;
        }
        // First, so that an offer without a handler knows why.
        unconnected = first;
        handler = first != null || all.length == 0 ? null : all.length == 1 ? all[0] : new Stages<>(all);
    }

    /**
     * {@inheritDoc}
     * Returns when all stages have handled the event. An exception of a handler propagates
     * unchanged, checked or not, unless it is absorbed.
     *
     * @throws IllegalStateException if a stage is not connected, or if an event is being handled: a handler of this
     *                               pipeline, or another thread, then makes the call. The event is released.
     */
    @Override
    public boolean offer(final E event)
    {
        Objects.requireNonNull(event, "event").checkLive();
        if (PoolCheck.ENABLED)
        {
            publishingThread.check(this);
        }
        final EventHandler<? super E> all = handler;
        if (all == null)
        {
            return refuseWithoutHandler(event);
        }
        final long sequence = published.getPlain();
        if (passed.getPlain() != sequence)
        {
            throw refuse(event, sequence - 1);
        }
        final Thread current = Thread.currentThread();
        if (publisher != current)
        {
            publisher = current;
        }
        final long state = event.passOn();
        published.setOpaque(sequence + 1);
        try
        {
            all.onEvent(event, sequence, true);
        }
        catch (final Throwable ex)
        {
            onFailure(event, state, ex);
            return true;
        }
        // Release: pairs with the acquire in position().
        passed.setRelease(sequence + 1);
        event.takeBack(state);
        return true;
    }

    /** If a stage throws, the stages after it pass the event too: it is not delivered again. */
    private void onFailure(final E event, final long state, final Throwable thrown)
    {
        try
        {
            if (!(thrown instanceof Exception) || !absorbed.test((Exception)thrown))
            {
                LangUtil.rethrowUnchecked(thrown);
            }
        }
        finally
        {
            passed.setRelease(published.getPlain());
            event.takeBack(state);
        }
    }

    /** False without a stage; throws if one has no handler. */
    private boolean refuseWithoutHandler(final E event)
    {
        final String stage = unconnected;
        if (stage != null)
        {
            throw refused(event,
                "stage '" + stage + "' has no handler yet: it is not connected, or its server is still starting");
        }
        return false;
    }

    private IllegalStateException refuse(final E event, final long sequence)
    {
        reentries.getAndAdd(1);
        final Thread inside = publisher;
        if (inside != Thread.currentThread())
        {
            return refused(event, "a direct pipeline has one publishing thread: event " + sequence +
                " is still being handled" + (inside == null ? "" : " by thread '" + inside.getName() + "'"));
        }
        return refused(event, "a handler of a direct pipeline cannot publish into it: event " + sequence +
            " is still being handled, and there is no queue to wait in; publish after the handler has returned, or " +
            "let the flow go through a ring, an spsc or a disruptor");
    }

    private IllegalStateException refused(final E event, final String message)
    {
        final IllegalStateException why = new IllegalStateException(message);
        event.releaseRefused(why);
        return why;
    }

    /**
     * Whether the calling thread is inside a handler that its own offer called. Any thread.
     *
     * @return true if an offer of the calling thread has not returned yet.
     */
    public boolean isCallerInside()
    {
        // Plain: these are the caller's own stores if it is the publisher.
        return publisher == Thread.currentThread() && passed.getPlain() != published.getPlain();
    }

    /**
     * Number of offers that were refused because an event was being handled. Any thread.
     *
     * @return number of offers.
     */
    public long reentries()
    {
        return reentries.getOpaque();
    }

    /**
     * {@inheritDoc}
     * Stages are called in the order of subscription, so the stages in {@code after} always come first.
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
        final DirectSubscription<E> subscription = new DirectSubscription<>(names.add(stage), this);
        subscriptions.add(subscription);
        selectHandler();
        return subscription;
    }

    @Override
    public int capacity()
    {
        return 0;
    }

    @Override
    public long publishedPosition()
    {
        return published.getOpaque();
    }

    @Override
    public void clearPublishingThread()
    {
        publishingThread.clear();
    }

    @Override
    public void handOver()
    {
        publishingThread.handOver(this);
    }

    @Override
    public long close()
    {
        closed = true;
        subscriptions.clear();
        selectHandler();
        return 0;
    }
}

/** Read and written by the publishing thread for each event, so padded. */
abstract class DirectPipelineFields<E extends BasePoolAware> extends Padding
{
    final StageNames names = new StageNames();
    final List<DirectPipeline.DirectSubscription<E>> subscriptions = new ArrayList<>();
    final PaddedLong published = new PaddedLong(0);
    /** Position of all stages: they pass an event when the last one has handled it. Below published inside an offer. */
    final PaddedLong passed = new PaddedLong(0);
    final PaddedLong reentries = new PaddedLong(0);
    final PublishingThread publishingThread = new PublishingThread();
    /** The current publishing thread. Plain: only the thread that wrote it needs to recognise itself. */
    Thread publisher;
    /** The handlers of all stages; null while there is no stage, or one without a handler. */
    EventHandler<? super E> handler;
    /** The first stage without a handler; null if there is none. */
    String unconnected;
    Predicate<? super Exception> absorbed = ex -> false;
    boolean closed;
}
