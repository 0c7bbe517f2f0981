package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

import java.util.List;

/**
 * Two stages on one agent, fused: the event goes through the first, then through the second, by plain calls. Their
 * start and close are the business of {@link HandlerLifecycle}, one by one.
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

    /** Handlers as one, in their order; at least one. */
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

    /**
     * Of a batch whose end failed in either of them, nothing may reach the stages behind both.
     */
    @Override
    public boolean completesAtEndOfBatch()
    {
        return first.completesAtEndOfBatch() || second.completesAtEndOfBatch();
    }
}
