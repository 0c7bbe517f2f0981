package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;

/**
 * Recovers before its first event, on the thread of its agent; then it passes events on, each with the number of its
 * record as sequence, and writes the snapshots that are asked for.
 */
final class RecoveringHandler<E> implements EventHandler<E>
{
    private final Journal<E> journal;
    private final DurableHandler<? super E> handler;
    /** The last record that the handler has. */
    private long record;

    RecoveringHandler(final Journal<E> journal, final DurableHandler<? super E> handler)
    {
        this.journal = journal;
        this.handler = handler;
    }

    @Override
    public void onStart()
    {
        record = journal.recover(handler).sequence();
        handler.onStart();
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws Exception
    {
        record++;
        handler.onEvent(event, record, endOfBatch);
        if (endOfBatch)
        {
            journal.serveSnapshotRequest(handler, record);
        }
    }

    @Override
    public void onIdle() throws Exception
    {
        journal.serveSnapshotRequest(handler, record);
        handler.onIdle();
    }

    @Override
    public void onDrained() throws Exception
    {
        handler.onDrained();
        journal.serveSnapshotRequest(handler, record);
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
