package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;

/**
 * Recovers before its first event, on the thread of its agent; then it passes events on, each with the number of its
 * record as sequence, and writes the snapshots that are asked for.
 */
final class RecoveringHandler<E> implements EventHandler<E>
{
    private static final long NONE = -1;

    private final Journal<E> journal;
    private final DurableHandler<? super E> handler;
    /** The last record that the handler has. */
    private long record;
    /** Pipeline sequence of the event that the handler has begun and not finished; {@link #NONE} between two events. */
    private long unfinished = NONE;

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
        if (unfinished != NONE && unfinished != sequence)
        {
            throw SnapshotRequest.handlerThrew(record + 1, null);
        }
        // If it throws, its agent may call it again for the same event, which is the same record.
        unfinished = sequence;
        handler.onEvent(event, record + 1, endOfBatch);
        unfinished = NONE;
        record++;
        if (endOfBatch)
        {
            serveSnapshotRequest();
        }
    }

    /** After the handler threw, its state may match no record. */
    private void serveSnapshotRequest()
    {
        if (unfinished == NONE)
        {
            journal.serveSnapshotRequest(handler, record);
        }
        else
        {
            journal.refuseSnapshotRequest(record + 1, null);
        }
    }

    @Override
    public void onIdle() throws Exception
    {
        serveSnapshotRequest();
        handler.onIdle();
    }

    @Override
    public void onDrained() throws Exception
    {
        handler.onDrained();
        serveSnapshotRequest();
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
