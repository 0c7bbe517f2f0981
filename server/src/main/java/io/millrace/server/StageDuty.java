package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import org.agrona.LangUtil;

import java.util.List;

/**
 * Polls one subscription and hands its events to the handlers of one stage, or of several that are fused.
 */
final class StageDuty<E extends BasePoolAware> implements Duty
{
    private final EventSubscription<E> subscription;
    private final EventHandler<? super E> handler;
    private final HandlerStarts starts;
    private final List<StageDuty<E>> before;
    private final int limit;
    private volatile boolean flushing;
    private StageAgent host;

    /**
     * @param handlers in the order of the flow, one after the other.
     * @param before   duties whose stages come first.
     */
    StageDuty(
        final EventSubscription<E> subscription,
        final List<GuardedHandler<E>> handlers,
        final List<StageDuty<E>> before,
        final int limit,
        final Failures failures)
    {
        this.subscription = subscription;
        handler = fuse(handlers);
        starts = new HandlerStarts(handlers, failures);
        this.before = before;
        this.limit = limit;
    }

    private static <E extends BasePoolAware> EventHandler<E> fuse(final List<GuardedHandler<E>> handlers)
    {
        EventHandler<E> fused = handlers.get(0);
        for (final GuardedHandler<E> next : handlers.subList(1, handlers.size()))
        {
            fused = new FusedHandler<>(fused, next);
        }
        return fused;
    }

    @Override
    public void hostedBy(final StageAgent agent)
    {
        host = agent;
    }

    StageAgent host()
    {
        return host;
    }

    HandlerStarts handlers()
    {
        return starts;
    }

    @Override
    public int doWork()
    {
        int done = 0;
        try
        {
            done = subscription.poll(handler, limit);
        }
        catch (final RuntimeException ex)
        {
            // The guard throws AgentTerminationException only; it must reach the runner as it is.
            throw ex;
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
        }
        if (done == 0 && flushing)
        {
            subscription.flush();
            starts.drainedIfAsked();
        }
        return done;
    }

    @Override
    public void onStart()
    {
        starts.start();
    }

    @Override
    public void onClose()
    {
        subscription.flush();
        starts.close();
    }

    /** Any thread: whether to make the exact position known whenever there is nothing to do. */
    void flushWhenIdle(final boolean now)
    {
        if (flushing != now)
        {
            flushing = now;
        }
    }

    /**
     * Any thread: whether the stage has passed all events that can still reach it.
     *
     * @param end sequence behind the last event of the pipeline.
     */
    boolean isDrained(final long end)
    {
        return !host.isRunning() || subscription.position() >= reach(end);
    }

    /** An ended agent lets nothing more come to the stages behind its own. */
    private long reach(final long end)
    {
        long reach = end;
        for (final StageDuty<E> duty : before)
        {
            reach = Math.min(reach, duty.host.isRunning() ? duty.reach(end) : duty.subscription.position());
        }
        return reach;
    }

    /** Any thread: events that are left, as far as positions tell. */
    long left(final long end)
    {
        return Math.max(0, end - subscription.position());
    }
}
