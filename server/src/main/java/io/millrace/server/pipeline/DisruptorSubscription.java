package io.millrace.server.pipeline;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.Sequence;
import io.millrace.pool.BasePoolAware;
import org.agrona.LangUtil;

/**
 * One stage on the Disruptor's ring: its {@link EventPoller}, called by the agent that hosts the stage. The poller moves its sequence at
 * the end of each poll.
 */
final class DisruptorSubscription<E extends BasePoolAware>
    implements EventSubscription<E>, EventPoller.Handler<DisruptorPipeline.Place>
{
    private final String stage;
    private final EventPoller<DisruptorPipeline.Place> poller;
    private boolean last = true;

    // Of the poll that is going on; the polling thread's own.
    private EventHandler<? super E> handler;
    private int limit;
    private int delivered;
    private Throwable failure;

    DisruptorSubscription(final String stage, final EventPoller<DisruptorPipeline.Place> poller)
    {
        this.stage = stage;
        this.poller = poller;
    }

    Sequence sequence()
    {
        return poller.getSequence();
    }

    boolean isLast()
    {
        return last;
    }

    void followed()
    {
        last = false;
    }

    @Override
    public int poll(final EventHandler<? super E> newHandler, final int newLimit) throws Exception
    {
        handler = newHandler;
        limit = newLimit;
        delivered = 0;
        poller.poll(this);
        if (failure != null)
        {
            final Throwable thrown = failure;
            failure = null;
            LangUtil.rethrowUnchecked(thrown);
        }
        return delivered;
    }

    /**
     * Called by the poller for each place.
     *
     * @return false to end the poll behind this event.
     */
    @Override
    @SuppressWarnings("unchecked")
    public boolean onEvent(final DisruptorPipeline.Place place, final long sequence, final boolean endOfBatch) throws Exception
    {
        final E event = (E)place.event;
        delivered++;
        final boolean end = endOfBatch || delivered == limit;
        if (!last)
        {
            // What it throws passes through the poller, which then stays before this event.
            handler.onEvent(event, sequence, end);
            return !end;
        }
        final long stamp = event.stamp();
        try
        {
            handler.onEvent(event, sequence, end);
        }
        catch (final Throwable ex)
        {
            // Kept until the poller has passed the event.
            failure = ex;
            return false;
        }
        finally
        {
            event.release(stamp);
        }
        return !end;
    }

    @Override
    public String stage()
    {
        return stage;
    }

    @Override
    public long position()
    {
        return poller.getSequence().get() + 1;
    }

    @Override
    public void flush()
    {
    }
}
