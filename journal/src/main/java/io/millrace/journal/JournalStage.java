package io.millrace.journal;

import io.millrace.server.HandlerContext;
import io.millrace.server.StageHandler;

/** Appends each event, commits at the end of a batch. */
final class JournalStage<E> implements StageHandler<E>
{
    private final Journal<E> journal;

    JournalStage(final Journal<E> journal)
    {
        this.journal = journal;
    }

    @Override
    public void onStart(final HandlerContext context)
    {
        onStart();
        journal.keepHere(context.server());
    }

    @Override
    public void onStart()
    {
        journal.appendHere();
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        journal.append(event);
        if (endOfBatch)
        {
            journal.commit();
        }
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return true;
    }
}
