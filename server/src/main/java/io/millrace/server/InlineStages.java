package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.EventHandler;

import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * The stages of a direct flow, called inside its publish. A handler that fails ends the flow, by the flow's policy. The
 * publisher gets no exception, because it may belong to another flow with another policy. Used by the publishing
 * thread, and by the thread that starts and closes the flow.
 */
final class InlineStages<E extends BasePoolAware>
{
    private final DirectPipeline<E> pipeline;
    private final DirectPipeline.DirectSubscription<E> subscription;
    private final EventPublication<E> publication;
    private final HandlerLifecycle<E> starts;
    private final ToLongFunction<? super E> eventTime;
    private FailStop end;

    InlineStages(
        final DirectPipeline<E> pipeline,
        final DirectPipeline.DirectSubscription<E> subscription,
        final EventPublication<E> publication,
        final HandlerLifecycle<E> starts,
        final ToLongFunction<? super E> eventTime)
    {
        this.pipeline = pipeline;
        this.subscription = subscription;
        this.publication = publication;
        this.starts = starts;
        this.eventTime = eventTime;
    }

    /** The pipeline refuses events until all handlers have started, because its stage has no handler before. */
    void start() throws Exception
    {
        EventHandler<E> handler = starts.fused();
        if (eventTime != null)
        {
            final Scheduler timers = starts.handlers().get(0).context.scheduler();
            timers.useEventTime();
            handler = timers.before(eventTime, handler);
        }
        starts.start();
        subscription.connect(handler, this::endsFlow);
    }

    HandlerLifecycle<E> handlers()
    {
        return starts;
    }

    void close()
    {
        starts.close();
    }

    /** The publisher is not an agent that could end, so the flow refuses further events. */
    private boolean endsFlow(final Exception failure)
    {
        if (failure instanceof FailStop)
        {
            end = (FailStop)failure;
            publication.close();
        }
        return failure instanceof FailStop;
    }

    /**
     * The failure that ended the flow, for its own agent to throw; null if there was none. The publishing thread may
     * call; so may the closing thread after it has found the flow idle: the acquire of the position pairs with the
     * pipeline's release.
     */
    FailStop end()
    {
        return end;
    }

    /** Whether the calling thread is inside a handler that its own publish called. */
    boolean isCallerInside()
    {
        return pipeline.isCallerInside();
    }

    /** The closing thread: wait for the event that is being handled, if any; false after the timeout. */
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
        return subscription.position() < pipeline.publishedPosition();
    }

    /** Any thread. */
    long reentries()
    {
        return pipeline.reentries();
    }
}
