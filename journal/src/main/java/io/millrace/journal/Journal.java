package io.millrace.journal;

import io.millrace.server.Service;
import io.millrace.server.ServiceContext;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;

/**
 * A write-ahead log of events in a directory, with snapshots and recovery.
 * <p>
 * {@link #open} takes the directory, and {@link #recover} brings a handler to the state at its end. From then on one
 * thread appends and commits: the agent of the {@linkplain #stage() stage}, or a thread of the application. On a server
 * it has a keeper thread; as a service also counters, and the server closes it. {@code docs/journal.md} describes the
 * guarantees and the format.
 *
 * @param <E> type of the events.
 */
public final class Journal<E> implements Service
{
    private final JournalContext<E> context;
    private final Closeable lock;
    private final JournalDirectory directory;
    private final CommitMark mark;
    private final Snapshots snapshots;
    private final Skips skips;
    private final SnapshotRequest snapshotRequest = new SnapshotRequest(this);
    private long createdNs;
    private long lastSnapshot;
    private volatile SegmentKeeper keeper;
    private final Agent lateKeeper = new LateAgent("journal-keeper", () -> keeper);
    private volatile JournalWriter<E> writer;
    private volatile RecoveryReport report;
    private volatile long snapshotsWritten;
    private volatile long snapshotFailures;
    private volatile KeeperThread keeperThread;
    private volatile KeeperThread followerThread;
    private volatile SnapshotFollower<E> follower;
    /** Written by the agent of the stage at its start; read by publishers that wait behind a gate. */
    private volatile Thread appendingThread;
    /** Written at the start of the server; read by the threads that report failures. Null without a server. */
    private volatile ServiceContext server;
    /** On which the handler threw {@link #thrown}. */
    private long thrownOn;
    /**
     * What the handler threw on the record after its last one; null for nothing. Written by its thread; read by the
     * threads that write a snapshot of its state.
     */
    private volatile Throwable thrown;
    /** The object that was recovered, null for none. The follower has another one. */
    private DurableHandler<? super E> recovered;
    /** Written before the launch; read by the agent of the stage. */
    private volatile boolean isSteppedOutside;
    /** Written when a flow is declared; read by the agent of the stage. */
    private volatile boolean hasRecoveringHandler;
    private boolean closed;

    private Journal(final JournalContext<E> context, final Closeable lock)
    {
        this.context = context;
        this.lock = lock;
        directory = new JournalDirectory(context.fileOps, context.directory);
        mark = new CommitMark(context.fileOps, context.directory);
        snapshots = new Snapshots(context.fileOps, context.directory, context.schema, context.keepSnapshots);
        skips = new Skips(context.fileOps, context.directory);
    }

    /**
     * Take the directory for this process and read the headers of its segments. Changes nothing.
     *
     * @param context this call concludes it if needed.
     * @param <E>     type of the events.
     * @return the journal; recover it next.
     * @throws JournalException         when the directory is in use or cannot be used, or a file is of another format.
     * @throws IllegalArgumentException when a setting of the context is impossible.
     */
    public static <E> Journal<E> open(final JournalContext<E> context)
    {
        context.conclude();
        final Closeable lock = JournalDirectory.lock(context.fileOps, context.directory);
        try
        {
            final Journal<E> journal = new Journal<>(context, lock);
            journal.directory.scan();
            return journal;
        }
        catch (final Throwable ex)
        {
            CloseHelper.quietClose(lock);
            throw ex;
        }
    }

    /**
     * Bring a handler to the state at the end of the journal, and make the journal ready for records. Once.
     *
     * @param handler gets the newest good snapshot and the later records, on the calling thread.
     * @return what was done.
     * @throws JournalException when committed records are damaged or missing, a read fails, or the handler throws. The
     * journal can only be closed then.
     * @throws IllegalArgumentException when the handler is the one that {@linkplain #follow follows}.
     */
    public RecoveryReport recover(final DurableHandler<? super E> handler)
    {
        final Recovery<E> recovery = recovery(handler);
        final RecoveryReport done = recovery.run(handler, Long.MAX_VALUE, Long.MAX_VALUE);
        createdNs = recovery.createdNs();
        lastSnapshot = done.snapshot();
        try
        {
            skips.forgetAttempts();
            skips.dropAfter(done.sequence(), context.clock.nanoTime());
            final JournalStart<E> start = new JournalStart<>(context, directory, mark, recovery);
            // Reads the directory: if it fails, no segment is open yet.
            final long oldest = snapshots.oldest();
            start.run();
            // As after the snapshot that was written last: until the next one these segments are free.
            directory.retainFrom(oldest + 1);
            keeper = start.keeper();
            writer = start.writer();
            report = done;
            return done;
        }
        catch (final IOException ex)
        {
            throw new JournalException(JournalException.Kind.UNUSABLE,
                "the journal cannot be prepared for records: " + JournalException.reason(ex), ex);
        }
    }

    /**
     * Bring a handler to the state at a point in the past. The journal takes no records afterwards; close it. Once.
     *
     * @param handler    gets the newest good snapshot up to the point and the later records.
     * @param toSequence the last record that may be replayed, 0 for none.
     * @param toTimeNs   greatest time of a record that may be replayed, in nanoseconds since 1970.
     * @return what was done.
     * @throws JournalException         as {@link #recover}.
     * @throws IllegalArgumentException as {@link #recover}.
     */
    public RecoveryReport recoverTo(
        final DurableHandler<? super E> handler, final long toSequence, final long toTimeNs)
    {
        return recovery(handler).run(handler, toSequence, toTimeNs);
    }

    private Recovery<E> recovery(final DurableHandler<? super E> handler)
    {
        if (recovered != null || closed)
        {
            throw new IllegalStateException("a journal is recovered once, and before it is closed");
        }
        checkOther(handler, follower == null ? null : follower.copy());
        recovered = Objects.requireNonNull(handler, "handler");
        return new Recovery<>(context, directory, mark, snapshots, skips);
    }

    /**
     * Append an event. Always call it from the same thread. {@link #commit()} commits the event; under {@link
     * Durability#EVERY_EVENT} this call does. Allocates nothing. Does no file-system work except a write when the
     * buffer is full.
     *
     * @param event is only read.
     * @return number of its record: 1 for the first record of the journal, then without holes.
     * @throws JournalException      when a write or a force has failed, now or before; it is not retried.
     * @throws IllegalStateException when the journal is not recovered.
     */
    public long append(final E event)
    {
        return open().append(event);
    }

    /**
     * End a batch: commit all appended events according to the policy. The appending thread only.
     *
     * @throws JournalException when a write or a force has failed, now or before.
     */
    public void commit()
    {
        open().commit();
    }

    private JournalWriter<E> open()
    {
        final JournalWriter<E> ready = writer;
        if (ready == null)
        {
            throw new IllegalStateException(
                "the journal takes no records: recover it first, by a stage recovering(handler) or recover(handler)");
        }
        return ready;
    }

    /**
     * A handler that appends each event and commits at the end of a batch. It {@linkplain
     * EventHandler#completesAtEndOfBatch() completes at the end of its batch}, so later stages on any agent see only
     * committed events.
     *
     * @return a handler for one stage; the launch fails unless the journal is recovered, or there is a handler of
     * {@link #recovering}.
     */
    public EventHandler<E> stage()
    {
        return new JournalStage<>(this);
    }

    /**
     * A handler that first recovers this journal into {@code handler}, then passes every event to it. The sequence of
     * each event is its record number. The handler recovers at its start, on its agent's thread, before any source is
     * polled. Use it instead of {@link #recover}, in the flow of the {@linkplain #stage() stage} that takes all of the
     * journal's records.
     *
     * @param handler a deterministic one.
     * @return a handler for one stage; the launch fails with the exception of {@link #recover}.
     */
    public EventHandler<E> recovering(final DurableHandler<? super E> handler)
    {
        return recovering(handler, handler);
    }

    /**
     * As {@link #recovering(DurableHandler)}, for a service that is itself the stage. It passes the calls of its agent
     * on: {@code onStart}, {@code onEvent} outside a replay, {@code onIdle} and {@code onDrained}.
     *
     * @param state gets the snapshot and the replay; snapshots are of it.
     * @param live  gets the events after that, with the numbers of their records. After it has thrown it gets no
     *              further one until the next start, not even the same event again, unless it is {@code state}.
     * @return passes events on to {@code live}.
     */
    public RecoveringHandler<E> recovering(
        final DurableHandler<? super E> state, final EventHandler<? super E> live)
    {
        hasRecoveringHandler = true;
        return new RecoveringHandler<>(this, state, live);
    }

    /**
     * A gate for another flow, into which the handler publishes answers: an event passes when the record that caused it
     * is committed, and the stages that follow the gate see it only then. With it the handler may run beside the
     * journal, on an agent of its own. When the journal fails, answers to records that are not committed never pass.
     *
     * @param recordOf the number of the record that an event answers: the sequence that the handler got.
     * @param <O>      type of the answers.
     * @return a gate for one stage.
     */
    public <O> EventGate<O> gate(final ToLongFunction<? super O> recordOf)
    {
        return new CommitGate<>(this, Objects.requireNonNull(recordOf, "recordOf"));
    }

    /**
     * Write a snapshot. Call it on the thread that owns the state. The state contains exactly the records up to the
     * sequence. The journal is first forced up to it. Then the keeper may recycle
     * segments that no kept snapshot needs.
     *
     * @param state    to write.
     * @param sequence the last record in the state; it is committed.
     * @throws JournalException      when the file cannot be written; the journal continues.
     * @throws IllegalStateException when the record is not committed, or the handler of {@link #recovering} has thrown:
     *                               its state may match no record.
     */
    public void snapshot(final Snapshotable state, final long sequence)
    {
        if (thrown != null)
        {
            throw snapshotFailed(handlerFailure());
        }
        writeSnapshot(state, sequence);
    }

    /** As {@link #snapshot}; the state may be the follower's copy. */
    synchronized void writeSnapshot(final Snapshotable state, final long sequence)
    {
        if (sequence > committedSequence())
        {
            throw new IllegalStateException("record " + sequence + " is not committed: " + committedSequence() + " is");
        }
        if (sequence == lastSnapshot)
        {
            return;
        }
        try
        {
            final long durable = keeper.forceNow();
            if (durable < sequence)
            {
                throw new IOException("record " + sequence + " is not forced, only " + durable + " is");
            }
            final long oldest = snapshots.write(state, sequence, writer.committedTimeNs(), createdNs);
            lastSnapshot = sequence;
            snapshotsWritten++;
            directory.retainFrom(oldest + 1);
        }
        catch (final IOException ex)
        {
            throw snapshotFailed(new JournalException(JournalException.Kind.UNUSABLE,
                "no snapshot of record " + sequence + " could be written: " + JournalException.reason(ex), ex));
        }
        catch (final RuntimeException | Error ex)
        {
            snapshotFailed(ex);
            throw ex;
        }
    }

    /**
     * Build snapshots in the background from full segments. No other thread stops for them, and recovery is tested all
     * the time. As a service of a server the journal runs the follower on a separate thread. Call it before the launch.
     *
     * @param copy         another handler object of the same kind, in the state before the first record. It publishes
     *                     nothing.
     * @param everyRecords number of records between two snapshots, 1 or more.
     * @return the follower's agent, for a program without a server; it works when the journal is recovered.
     * @throws IllegalArgumentException if the number is below 1, or the copy is the handler that was recovered. If the
     *                                  same object is recovered later, the recovery throws this.
     * @throws IllegalStateException    if the journal has a follower already.
     */
    public Agent follow(final DurableHandler<? super E> copy, final long everyRecords)
    {
        if (follower != null)
        {
            throw new IllegalStateException("journal '" + context.name + "' has a follower already: " +
                follower.copy().getClass().getName());
        }
        checkOther(copy, recovered);
        follower = new SnapshotFollower<>(this, copy, everyRecords);
        return follower;
    }

    private static void checkOther(final Object handler, final Object other)
    {
        if (handler == other && handler != null)
        {
            throw new IllegalArgumentException("the same " + handler.getClass().getName() +
                " is recovered and follows, so it would get every record twice: follow with a second object");
        }
    }

    /**
     * Ask the agent of the handler for a snapshot. It writes one after its current batch, or at once when it has no
     * events, and handles no event meanwhile. Its last record is committed. Only the handler of {@link #recovering}
     * serves it. Any thread.
     *
     * @return completes with the sequence of the snapshot; exceptionally when it cannot be written, or when the journal
     * closes first. A caller that cancels it ends only its own wait.
     */
    public Future<Long> requestSnapshot()
    {
        return snapshotRequest.make();
    }

    /**
     * As {@link #requestSnapshot}, for a handler that counts its events: nobody waits for this snapshot. If it cannot
     * be written, the error handler of the server gets the reason once, and the handler goes on. Any thread.
     * Nothing happens when the journal closes first. Allocates nothing.
     */
    public void scheduleSnapshot()
    {
        snapshotRequest.schedule();
    }

    /** The handler's thread, between two batches: writes a snapshot of its state if one is requested. */
    void serveSnapshotRequest(final Snapshotable state, final long sequence)
    {
        snapshotRequest.serve(state, sequence);
    }

    /** The handler's thread. Until the next start the state may lack this record, so no snapshot may claim it. */
    void handlerThrew(final long record, final Throwable cause)
    {
        thrownOn = record;
        thrown = cause;
    }

    IllegalStateException handlerFailure()
    {
        return new IllegalStateException("the handler threw on record " + thrownOn +
            ": until the next start it gets no further one, and no snapshot is written", thrown);
    }

    /** The stage's agent, before its first event. */
    void appendHere()
    {
        if (!hasRecoveringHandler)
        {
            open();
        }
        appendingThread = Thread.currentThread();
    }

    /** The stage's agent: without a keeper nobody would force under INTERVAL. No effect on a service, which has one. */
    void keepHere(final ServiceContext context)
    {
        if (server == null && !isSteppedOutside)
        {
            server = context;
            startThreads();
        }
    }

    /** Whether records are committed by the calling thread alone, so that it must not wait for one. */
    boolean isAppendingThread()
    {
        return appendingThread == Thread.currentThread();
    }

    /** The follower: null when there is no good snapshot. */
    Snapshots.Found restoreNewest(final Snapshotable state) throws IOException
    {
        for (final Path path : snapshots.list())
        {
            final Snapshots.Found found = Recovery.checked(snapshots, path, new ArrayList<>());
            if (found != null)
            {
                snapshots.restore(found, state);
                return found;
            }
        }
        return null;
    }

    /** Every record up to this one is forced. Any thread. */
    long durableSequence()
    {
        final SegmentKeeper running = keeper;
        return running == null ? 0 : running.forced().getAcquire();
    }

    long followerFailures()
    {
        final SnapshotFollower<E> running = follower;
        return running == null ? 0 : running.failures();
    }

    /**
     * The last committed record. Any thread.
     *
     * @return the sequence; 0 if there is none, or the journal is not recovered.
     */
    public long committedSequence()
    {
        final JournalWriter<E> ready = writer;
        return ready == null ? 0 : ready.committed();
    }

    /**
     * The last appended record. The appending thread only.
     *
     * @return the sequence; 0 if there is none.
     */
    public long appendedSequence()
    {
        return open().appended();
    }

    /**
     * Whether the free space is below the watermark, and the journal has no segment left that it could delete. Then
     * refuse commands, before the disk is full. Any thread. The keeper checks once a second.
     *
     * @return true while it is.
     */
    public boolean isDiskLow()
    {
        final SegmentKeeper running = keeper;
        return running != null && running.isDiskLow();
    }

    /**
     * Any thread.
     *
     * @return a sentence while the {@linkplain #isDiskLow() disk is low} or no segment can be prepared, and after a
     * failure; null otherwise.
     */
    @Override
    public String problem()
    {
        final SegmentKeeper running = keeper;
        return running == null ? null : running.problem();
    }

    /**
     * The failure that ended the journal. Any thread.
     *
     * @return the failed write or force; null while the journal takes records.
     */
    public Throwable failure()
    {
        final JournalWriter<E> ready = writer;
        return ready == null ? null : ready.failure() != null ? ready.failure() : keeper.failure();
    }

    /**
     * The agent that prepares segments, and forces under {@link Durability#INTERVAL}. For a program that appends
     * without a server: run it on a thread of low priority. Without the keeper each roll prepares its own segment, full
     * ones are closed and recycled 64 at a time, and nobody forces by time. A journal on a server has a thread for it.
     * The exception is a journal that is no service, if this was called before the launch: then the program steps both
     * the keeper and the follower.
     *
     * @return the agent; it works when the journal is recovered.
     */
    public Agent keeper()
    {
        isSteppedOutside = true;
        return lateKeeper;
    }

    /**
     * The report of the recovery. Any thread.
     *
     * @return the report; null before.
     */
    public RecoveryReport report()
    {
        return report;
    }

    @Override
    public String name()
    {
        return context.name;
    }

    /**
     * Adds the journal's counters and starts the keeper's thread, which works when the journal is recovered.
     */
    @Override
    public void onStart(final ServiceContext server)
    {
        this.server = server;
        JournalCounters.add(this, server.counters());
        startThreads();
    }

    private void startThreads()
    {
        if (closed)
        {
            throw new IllegalStateException("the journal is closed: a server that starts again needs a new one");
        }
        keeperThread = new KeeperThread(server.serverName() + "-" + context.name + "-keeper", lateKeeper);
        keeperThread.start();
        if (follower != null)
        {
            followerThread = new KeeperThread(server.serverName() + "-" + context.name + "-follower",
                new LateAgent(follower.roleName(), () -> writer == null ? null : follower));
            followerThread.start();
        }
    }

    /**
     * Force the committed records and release the directory. Events that are appended but not committed are dropped. A
     * second call does nothing. Call it when no thread appends any more. An interrupt does not stop it; the flag stays
     * set.
     *
     * @throws JournalException when the last force fails, or when the journal has failed and nothing has thrown yet to
     *                          say that committed records are not forced.
     */
    @Override
    public void close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        boolean interrupted = false;
        try
        {
            snapshotRequest.cancel();
            KeeperThread.end(followerThread);
            KeeperThread.end(keeperThread);
            // With the flag set, the first write or force closes its file and fails.
            interrupted = Thread.interrupted();
            if (keeper != null)
            {
                keeper.close(writer == null || writer.failure() != null);
            }
        }
        catch (final IOException ex)
        {
            throw new JournalException(JournalException.Kind.FAILED,
                "the journal could not be forced at its close: " + JournalException.reason(ex), ex);
        }
        finally
        {
            // If it fails, the operating system releases the lock at the latest when the process ends.
            CloseHelper.quietClose(lock);
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    JournalContext<E> context()
    {
        return context;
    }

    SegmentKeeper segmentKeeper()
    {
        return keeper;
    }

    long snapshotsWritten()
    {
        return snapshotsWritten;
    }

    /** Any thread: a failure that ends nothing. Without a server only counters show it. */
    void reportFailure(final String what, final Throwable cause)
    {
        final ServiceContext reports = server;
        if (reports == null)
        {
            return;
        }
        try
        {
            KeeperThread.report(() -> reports.reportFailure("journal '" + context.name + "': " + what, cause));
        }
        catch (final OutOfMemoryError ignored)
        {
            // A second one, for want of memory for the text, must not end the caller's thread. Counters show the first.
        }
    }

    synchronized <T extends Throwable> T snapshotFailed(final T ex)
    {
        snapshotFailures++;
        return ex;
    }

    long snapshotFailures()
    {
        return snapshotFailures;
    }
}
