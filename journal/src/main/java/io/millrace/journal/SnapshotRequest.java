package io.millrace.journal;

import org.agrona.CloseHelper;

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

    private static final JournalException.Kind CLOSED = new JournalException(JournalException.Kind.UNUSABLE, "").kind();

    static
    {
        // Loads classes, as CLOSED does: the close of a journal must not need a file descriptor for that.
        KeeperThread.end(null);
        CloseHelper.quietClose(null);
    }

    private final Journal<?> journal;
    /** Written under the lock by the threads that ask; read by the thread of the state, which then takes the lock. */
    private volatile boolean pending;
    /** Those who wait for the pending snapshot, under the lock; null if there are none. */
    private CompletableFuture<Long> waiting;
    /** Whether the pending snapshot is scheduled, under the lock: then its failure is reported. */
    private boolean scheduled;
    private boolean closed;

    SnapshotRequest(final Journal<?> journal)
    {
        this.journal = journal;
    }

    /** Any thread; the next snapshot serves all who ask before it. Each has a future of its own, and may cancel it. */
    synchronized CompletableFuture<Long> make()
    {
        if (waiting == null)
        {
            waiting = new CompletableFuture<>();
        }
        final CompletableFuture<Long> request = waiting.copy();
        pending = true;
        if (closed)
        {
            cancel();
        }
        return request;
    }

    /** Any thread: a snapshot that nobody waits for. */
    synchronized void schedule()
    {
        scheduled = !closed;
        pending = scheduled;
    }

    /** The thread of the state, between two batches. Throws nothing: a snapshot that fails harms no record. */
    void serve(final Snapshotable state, final long sequence)
    {
        if (pending)
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
            if (end(0, ex))
            {
                journal.reportFailure("a snapshot failed", ex);
            }
            return;
        }
        end(sequence, null);
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

    /** Completes the futures; true if the snapshot was scheduled. */
    private boolean end(final long sequence, final Throwable failure)
    {
        final CompletableFuture<Long> ended;
        final boolean wasScheduled;
        synchronized (this)
        {
            ended = waiting;
            wasScheduled = scheduled;
            waiting = null;
            scheduled = false;
            pending = false;
        }
        if (ended != null && failure == null)
        {
            ended.complete(sequence);
        }
        else if (ended != null)
        {
            ended.completeExceptionally(failure);
        }
        return wasScheduled;
    }

    /** The journal closes: no failure of a snapshot that is scheduled. */
    synchronized void cancel()
    {
        closed = true;
        end(0, new JournalException(CLOSED, "the journal closed before a snapshot was written"));
    }
}
