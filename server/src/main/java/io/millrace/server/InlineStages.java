package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.EventHandler;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The stages of a direct flow, which are called inside of its publish. A handler that fails ends the flow, as the
 * flow's policy says; the publisher, who may belong to another flow with another policy, is not told by an exception.
 * One thread: the publishing one, and for the start and the close the one that does these.
 */
final class InlineStages<E extends BasePoolAware> implements EventHandler<E>
{
    private final DirectPipeline<E> pipeline;
    private final DirectPipeline.DirectSubscription<E> subscription;
    private final EventPublication<E> publication;
    private final EventHandler<? super E> handler;
    private final HandlerLifecycle starts;
    private FailStop end;

    InlineStages(
        final DirectPipeline<E> pipeline,
        final DirectPipeline.DirectSubscription<E> subscription,
        final EventPublication<E> publication,
        final List<GuardedHandler<E>> handlers,
        final Failures failures)
    {
        this.pipeline = pipeline;
        this.subscription = subscription;
        this.publication = publication;
        handler = FusedHandler.of(handlers);
        starts = new HandlerLifecycle(handlers, failures);
    }

    /** Nobody can publish before all have started: the pipeline refuses while its stage has no handler. */
    void start()
    {
        starts.start();
        subscription.connect(this);
    }

    HandlerLifecycle handlers()
    {
        return starts;
    }

    void close()
    {
        starts.close();
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
    {
        try
        {
            handler.onEvent(event, sequence, endOfBatch);
        }
        catch (final FailStop ex)
        {
            // A publisher is no agent that could end: the flow takes nothing more for a handler that failed.
            end = ex;
            publication.close();
        }
    }

    /**
     * What ended the flow, which its own agent then throws; null when nothing did. The publishing thread, and the
     * closing thread once it has found the flow idle: the acquire of the position pairs with the pipeline's release.
     */
    FailStop end()
    {
        return end;
    }

    /** Whether the calling thread is inside of a handler that its own publish called. */
    boolean isCallerInside()
    {
        return pipeline.isCallerInside();
    }

    /** The closing thread: whether the event that is being handled, if any, is done within a time. */
    boolean awaitIdle(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (isBusy() && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(Lifecycle.POLL_INTERVAL_NS);
        }
        return !isBusy();
    }

    /** Any thread: whether an event is being handled. */
    boolean isBusy()
    {
        return subscription.position() < pipeline.published();
    }

    /** Any thread. */
    long reentries()
    {
        return pipeline.reentries();
    }
}
