package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/**
 * Two stages on one agent, fused: the event goes through the first, then through the second, by plain calls.
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

    @Override
    public void onStart()
    {
        first.onStart();
        second.onStart();
    }

    @Override
    public void onClose()
    {
        try
        {
            first.onClose();
        }
        finally
        {
            second.onClose();
        }
    }
}
