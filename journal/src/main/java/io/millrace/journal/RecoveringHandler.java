package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;
import org.agrona.LangUtil;

/**
 * Recovers before its first event, on the thread of its agent; then it passes events on, each with the number of its
 * record as sequence, and writes the snapshots that are requested. See {@link Journal#recovering}. Its methods throw
 * what the handler throws, also a checked exception.
 *
 * @param <E> type of the events.
 */
public final class RecoveringHandler<E> implements EventHandler<E>
{
    private static final long NONE = -1;

    private final Journal<E> journal;
    private final DurableHandler<? super E> state;
    private final EventHandler<? super E> live;
    /** The last record that is in the state. */
    private long record;
    /** Pipeline sequence of the event that the handler threw on, and has not handled since; {@link #NONE} for none. */
    private long failed = NONE;

    RecoveringHandler(
        final Journal<E> journal, final DurableHandler<? super E> state, final EventHandler<? super E> live)
    {
        this.journal = journal;
        this.state = state;
        this.live = live;
    }

    @Override
    public void onStart()
    {
        record = journal.recover(state).sequence();
        live.onStart();
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        if (failed != NONE)
        {
            retry(sequence);
        }
        try
        {
            live.onEvent(event, record + 1, endOfBatch);
            record++;
        }
        catch (final Throwable ex)
        {
            failed = sequence;
            journal.handlerThrew(record + 1, ex);
            LangUtil.rethrowUnchecked(ex);
        }
        if (endOfBatch)
        {
            journal.serveSnapshotRequest(state, record);
        }
    }

    /** The agent may call the handler again for the event on which it threw: it is the same record. */
    private void retry(final long sequence)
    {
        if (failed != sequence || live != state)
        {
            throw journal.handlerFailure();
        }
        failed = NONE;
        journal.handlerThrew(0, null);
    }

    @Override
    public void onIdle()
    {
        journal.serveSnapshotRequest(state, record);
        try
        {
            live.onIdle();
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
        }
    }

    @Override
    public void onDrained()
    {
        try
        {
            live.onDrained();
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
        }
        journal.serveSnapshotRequest(state, record);
    }

    @Override
    public void onClose()
    {
        live.onClose();
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return live.completesAtEndOfBatch();
    }
}
