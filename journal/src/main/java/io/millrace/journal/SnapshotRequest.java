package io.millrace.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A snapshot that any thread asks for, and that the thread of the state writes between two batches. The record that it
 * ends with is committed: the thread waits for that, unless it appends the records itself.
 */
final class SnapshotRequest
{
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final Journal<?> journal;
    /** Written under the lock by the threads that ask; read by the thread of the state, which then takes the lock. */
    private volatile CompletableFuture<Long> pending;
    private boolean closed;

    SnapshotRequest(final Journal<?> journal)
    {
        this.journal = journal;
    }

    /** Any thread; a request that is pending serves a second caller, too. */
    synchronized CompletableFuture<Long> make()
    {
        CompletableFuture<Long> request = pending;
        if (request == null)
        {
            request = new CompletableFuture<>();
            pending = request;
            if (closed)
            {
                cancel();
            }
        }
        return request;
    }

    /** The thread of the state, between two batches. Throws nothing: a snapshot that fails harms no record. */
    void serve(final Snapshotable state, final long sequence)
    {
        if (pending != null)
        {
            serveSlow(state, sequence);
        }
    }

    private void serveSlow(final Snapshotable state, final long sequence)
    {
        if (journal.isAppendingThread() && journal.committedSequence() < sequence)
        {
            return;
        }
        try
        {
            awaitCommit(sequence);
            journal.snapshot(state, sequence);
        }
        catch (final RuntimeException | Error ex)
        {
            take().completeExceptionally(ex);
            return;
        }
        take().complete(sequence);
    }

    private void awaitCommit(final long sequence)
    {
        final long beginNs = System.nanoTime();
        while (journal.committedSequence() < sequence)
        {
            if (journal.failure() != null || System.nanoTime() - beginNs > LONGEST_WAIT_NS)
            {
                throw journal.snapshotFailed(new JournalException(JournalException.Kind.UNUSABLE,
                    "no snapshot of record " + sequence + ": it is not committed", journal.failure()));
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private synchronized CompletableFuture<Long> take()
    {
        final CompletableFuture<Long> request = pending;
        pending = null;
        return request == null ? new CompletableFuture<>() : request;
    }

    /** The journal closes. */
    synchronized void cancel()
    {
        closed = true;
        take().completeExceptionally(
            new JournalException(JournalException.Kind.UNUSABLE, "the journal closed before a snapshot was written"));
    }
}
