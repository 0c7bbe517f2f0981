package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import org.agrona.LangUtil;

/**
 * Polls one subscription and hands its events to one handler, which may be several fused ones.
 */
final class StageDuty<E extends BasePoolAware> implements Duty
{
    private final EventSubscription<E> subscription;
    private final EventHandler<? super E> handler;
    private final int limit;
    private final PaddedLong handled = new PaddedLong(0);
    private volatile boolean draining;

    StageDuty(final EventSubscription<E> subscription, final EventHandler<? super E> handler, final int limit)
    {
        this.subscription = subscription;
        this.handler = handler;
        this.limit = limit;
    }

    @Override
    public int doWork()
    {
        int done = 0;
        try
        {
            done = subscription.poll(handler, limit);
        }
        catch (final Exception ex)
        {
            // The guard throws AgentTerminationException only; it must reach the runner as it is.
            LangUtil.rethrowUnchecked(ex);
        }
        if (done > 0)
        {
            handled.setOpaque(handled.getPlain() + done);
        }
        else if (draining)
        {
            subscription.flush();
        }
        return done;
    }

    @Override
    public void onStart()
    {
        handler.onStart();
    }

    @Override
    public void onClose()
    {
        subscription.flush();
        handler.onClose();
    }

    /** Any thread: from now on make the exact position known whenever there is nothing to do. */
    void drain()
    {
        draining = true;
    }

    EventSubscription<E> subscription()
    {
        return subscription;
    }

    long handled()
    {
        return handled.getOpaque();
    }
}
