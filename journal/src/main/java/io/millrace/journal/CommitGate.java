package io.millrace.journal;

import io.millrace.server.pipeline.EventGate;

import java.util.function.ToLongFunction;

/** Passes the answers to records that are committed. When the journal has failed, the others never leave. */
final class CommitGate<O> implements EventGate<O>
{
    private final Journal<?> journal;
    private final ToLongFunction<? super O> recordOf;
    /** Last position read from the journal: most events need no look at the writer's cache line. */
    private long committed;
    /** The record for which the gate is closed. Written by the gate's thread, read by a publisher that waits. */
    private volatile long awaited;

    CommitGate(final Journal<?> journal, final ToLongFunction<? super O> recordOf)
    {
        this.journal = journal;
        this.recordOf = recordOf;
    }

    @Override
    public boolean isOpen(final O event, final long sequence)
    {
        final long record = recordOf.applyAsLong(event);
        if (record <= committed)
        {
            return true;
        }
        committed = journal.committedSequence();
        if (record <= committed)
        {
            return true;
        }
        final Throwable failure = journal.failure();
        if (failure != null)
        {
            throw new JournalException(JournalException.Kind.FAILED, "the answer to record " + record +
                " does not leave: the journal stopped behind record " + committed, failure);
        }
        if (awaited != record)
        {
            awaited = record;
        }
        return false;
    }

    @Override
    public boolean waitsForCaller()
    {
        return journal.isAppendingThread() && awaited > journal.committedSequence();
    }
}
