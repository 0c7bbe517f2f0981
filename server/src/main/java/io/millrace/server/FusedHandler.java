package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

import java.util.List;

/**
 * Two fused stages on one agent: plain calls pass the event to the first, then to the second. {@link HandlerLifecycle}
 * starts and closes each of them.
 */
final class FusedHandler<E> implements EventHandler<E>
{
    private final EventHandler<? super E> first;
    private final EventHandler<? super E> second;

    FusedHandler(final EventHandler<? super E> first, final EventHandler<? super E> second)
    {
        this.first = first;
        this.second = second;
    }

    /** Fuse handlers in their order; at least one. */
    static <E extends BasePoolAware> EventHandler<E> of(final List<GuardedHandler<E>> handlers)
    {
        EventHandler<E> fused = handlers.get(0);
        for (final GuardedHandler<E> next : handlers.subList(1, handlers.size()))
        {
            fused = new FusedHandler<>(fused, next);
        }
        return fused;
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
    {
        first.onEvent(event, sequence, endOfBatch);
        second.onEvent(event, sequence, endOfBatch);
    }

    @Override
    public void onIdle() throws Exception
    {
        first.onIdle();
        second.onIdle();
    }

    /**
     * If the end of a batch failed in one of them, no event of that batch may reach later stages.
     */
    @Override
    public boolean completesAtEndOfBatch()
    {
        return first.completesAtEndOfBatch() || second.completesAtEndOfBatch();
    }
}
