package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;

/** Recovers before its first event, on the thread of its agent; then it only passes events on. */
final class RecoveringHandler<E> implements EventHandler<E>
{
    private final Journal<E> journal;
    private final DurableHandler<? super E> handler;

    RecoveringHandler(final Journal<E> journal, final DurableHandler<? super E> handler)
    {
        this.journal = journal;
        this.handler = handler;
    }

    @Override
    public void onStart()
    {
        journal.recover(handler);
        handler.onStart();
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
    {
        handler.onEvent(event, sequence, endOfBatch);
    }

    @Override
    public void onDrained() throws Exception
    {
        handler.onDrained();
    }

    @Override
    public void onClose()
    {
        handler.onClose();
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return handler.completesAtEndOfBatch();
    }
}
