package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/**
 * Two stages on one agent, fused: the event goes through the first, then through the second, by plain calls. Their
 * start and close are the business of the {@link StageDuty}, one by one.
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
