package io.millrace.journal;

import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Does the writer's file operations in advance or later: prepares segments, settles full ones, forces under INTERVAL,
 * writes the commit mark, and watches the free space. An agent of low priority; a test steps it.
 * <p>
 * The lock of {@link #doWork()} is also taken by a writer that needs a segment when none is ready, which is counted.
 * Otherwise the two share volatile fields only.
 */
final class SegmentKeeper implements Agent
{
    /** Interval at which the mark is written and the free space read. */
    static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * So many full segments, each with an open file, may wait for the keeper; then nobody steps it, and the writer
     * settles them. A process may often open 1,024 files.
     */
    static final int MAX_UNSETTLED = 64;

    private final FileOps files;
    private final Durability durability;
    private final long intervalNs;
    private final long lowBytes;
    private final EpochNanoClock clock;
    private final JournalDirectory directory;
    private final SegmentPreparation preparation;
    private final ArrayBlockingQueue<Segment> ready;
    private final CommitMark mark;
    private final PaddedLong written;
    private final PaddedLong forced;

    /** Written by the writer at its first roll, if it has no segment yet; then read and written by the keeper. */
    private volatile Segment unsettled;
    private volatile Throwable failure;
    /** Also after a failure. Written by the close before it closes the files; read by snapshots and by the writer. */
    private volatile boolean isClosed;
    private volatile boolean diskLow;
    private volatile long waits;
    private volatile long preparationFailures;
    /** Why the last preparation failed; null if it did not. */
    private volatile IOException unprepared;
    /**
     * Whether the writer waits for the lock or prepares. Volatile: written by the writer, read in {@link #doWork}.
     * Otherwise a keeper that deletes could take the lock again before the writer.
     */
    private volatile boolean isTaking;
    /** A look is due, or the last round deleted a segment: then the next one looks again. */
    private boolean looks;
    private long lookedNs;
    private long forcedNs;
    private long pausedUntilNs;

    SegmentKeeper(
        final JournalContext<?> context, final JournalDirectory directory, final JournalEnd end, final CommitMark mark)
        throws IOException
    {
        this.directory = directory;
        this.mark = mark;
        files = context.fileOps;
        durability = context.durability;
        intervalNs = context.intervalNs;
        lowBytes = context.watermarkBytes;
        clock = context.clock;
        ready = new ArrayBlockingQueue<>(context.preparedSegments);
        preparation = new SegmentPreparation(context, directory);
        written = new PaddedLong(end.sequence());
        forced = new PaddedLong(end.sequence());
        unsettled = end.segment();
        lookedNs = clock.nanoTime();
        forcedNs = lookedNs;
        diskLow = files.usableBytes(directory.path()) < lowBytes;
    }

    @Override
    public String roleName()
    {
        return "journal-keeper";
    }

    /**
     * One round of everything that is due, with at most one piece of preparation or one deletion. Any one thread at a
     * time.
     *
     * @return how much was done.
     */
    @Override
    public synchronized int doWork()
    {
        if (ended() != null)
        {
            return 0;
        }
        try
        {
            final long nowNs = clock.nanoTime();
            // A clock that was set back must neither stop the forces, nor the preparation.
            final boolean isDue = nowNs - forcedNs >= intervalNs || nowNs < forcedNs;
            int work = settle(durability == Durability.INTERVAL && isDue, nowNs);
            if (nowNs - lookedNs >= LOOK_NS || nowNs < lookedNs)
            {
                lookedNs = nowNs;
                mark.write(forced.getAcquire());
                looks = true;
            }
            if (looks && !isTaking)
            {
                looks = deleteObsoleteWhileLow();
                work += looks ? 1 : 0;
            }
            final boolean isPaused = nowNs < pausedUntilNs && nowNs >= pausedUntilNs - LOOK_NS;
            if (ready.remainingCapacity() > 0 && !diskLow && !looks && !isPaused)
            {
                work += prepareOrPause(nowNs);
            }
            return work;
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            // Also when the memory is full: without a keeper nobody would force under INTERVAL.
            failure = ex;
            return 1;
        }
    }

    /**
     * Reads the free space. Below the watermark, deletes the oldest obsolete segment: otherwise no snapshot would free
     * space. The disk is low only when there is none to delete.
     *
     * @return true if it has deleted one.
     */
    private boolean deleteObsoleteWhileLow() throws IOException
    {
        final boolean isLow = files.usableBytes(directory.path()) < lowBytes;
        final Path obsolete = isLow ? directory.obsolete() : null;
        if (obsolete == null)
        {
            diskLow = isLow;
            return false;
        }
        try
        {
            files.delete(obsolete);
            // One by one, or a power failure might keep an older segment than one that it loses.
            files.forceDirectory(directory.path());
        }
        catch (final IOException ex)
        {
            diskLow = true;
            // The next look tries it again.
            return false;
        }
        directory.removeObsolete();
        return true;
    }

    /** A failed preparation harms no record: its file is abandoned, and another is tried later. */
    private int prepareOrPause(final long nowNs)
    {
        try
        {
            final Segment prepared = preparation.step(nowNs);
            if (prepared != null)
            {
                ready.add(prepared);
                unprepared = null;
            }
            return preparation.hasWorked() ? 1 : 0;
        }
        catch (final IOException ex)
        {
            preparation.giveUp();
            preparationFailures++;
            final IOException before = unprepared;
            unprepared = before != null && reason(before).equals(reason(ex)) ? before : ex;
            pausedUntilNs = nowNs + LOOK_NS;
            return 1;
        }
    }

    /** Without the files: a rename and a create fail in turn on a directory that became read-only. */
    private static String reason(final IOException ex)
    {
        return ex.getClass().getName() +
            (ex instanceof FileSystemException ? ((FileSystemException)ex).getReason() : ex.getMessage());
    }

    /**
     * Force and close the segments that are full; force the one in use if that is due. Bytes that were written before
     * this call are in a segment that is linked by now.
     */
    private int settle(final boolean forceLast, final long nowNs) throws IOException
    {
        final long reached = written.getAcquire();
        int work = 0;
        Segment segment = unsettled;
        while (segment != null && segment.next != null)
        {
            final Segment next = segment.next;
            if (!durability.isForced())
            {
                segment.file.force();
                forced.setRelease(segment.lastSequence);
            }
            segment.file.close();
            directory.full(segment);
            unsettled = next;
            segment = next;
            work++;
        }
        if (forceLast)
        {
            forcedNs = nowNs;
            if (segment != null && forced.getPlain() < reached)
            {
                segment.file.force();
                forced.setRelease(reached);
                work++;
            }
        }
        return work;
    }

    /** The writer: a segment that is ready; prepared here and now when none is, which is counted. */
    Segment take() throws IOException
    {
        final Segment prepared = ready.poll();
        if (prepared != null)
        {
            return prepared;
        }
        isTaking = true;
        try
        {
            return takeUnprepared();
        }
        finally
        {
            isTaking = false;
        }
    }

    private synchronized Segment takeUnprepared() throws IOException
    {
        waits++;
        Segment prepared = null;
        try
        {
            final Throwable why = ended();
            if (why != null)
            {
                throw new IOException("the journal takes no records: " + why, why);
            }
            if (isFarBehind())
            {
                settle(false, forcedNs);
            }
            prepared = ready.poll();
            while (prepared == null)
            {
                prepared = preparation.stepAtOnce();
            }
            return prepared;
        }
        finally
        {
            if (prepared == null)
            {
                // Do not retry: after a failed force a second one proves nothing.
                preparation.giveUp();
            }
        }
    }

    private boolean isFarBehind()
    {
        int full = 0;
        for (Segment segment = unsettled; segment != null && segment.next != null; segment = segment.next)
        {
            full++;
        }
        return full >= MAX_UNSETTLED;
    }

    /** Recovery: a segment that an earlier process prepared. Not used when there are enough. */
    boolean adopt(final Segment prepared)
    {
        return ready.offer(prepared);
    }

    /** The writer has failed: no write or force follows. */
    void fail(final Throwable cause)
    {
        failure = cause;
    }

    /** Called by the writer before it writes to the segment. Throws, and closes it, after the close. */
    void rolled(final Segment before, final Segment segment) throws IOException
    {
        if (before == null)
        {
            unsettled = segment;
        }
        else
        {
            before.next = segment;
        }
        if (isClosed)
        {
            // Read after the link. The close writes it before it follows the links, so it may have missed this one.
            segment.file.close();
            throw new IOException("the journal is closed", ended());
        }
    }

    /** Called by the writer: all records up to this sequence are in the operating system. */
    void written(final long sequence)
    {
        // Release: pairs with the acquire in settle().
        written.setRelease(sequence);
    }

    /** Written by the writer under the forcing policies, else by the keeper. */
    PaddedLong forced()
    {
        return forced;
    }

    /**
     * Force all written records, under any policy. Any thread.
     *
     * @return the sequence up to which everything is durable.
     */
    long forceNow() throws IOException
    {
        if (isClosed)
        {
            throw new IOException("the journal is closed", ended());
        }
        if (!durability.isForced())
        {
            forceUnforced();
        }
        return forced.getAcquire();
    }

    private synchronized void forceUnforced() throws IOException
    {
        final Throwable why = ended();
        if (why != null)
        {
            // Do not retry: after a failed force a second one succeeds, but has lost what the first one did not write.
            throw new IOException("the journal has failed: " + why, why);
        }
        try
        {
            settle(true, clock.nanoTime());
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            failure = ex;
            throw ex;
        }
    }

    /**
     * Called when the journal closes and its writer has ended.
     *
     * @param reported whether the journal has failed, and an append has thrown for it.
     */
    synchronized void close(final boolean reported) throws IOException
    {
        // If both fail, the failure of the close is a suppressed one of the failed force.
        final Closeable open = this::closeFiles;
        try (open)
        {
            if (ended() == null)
            {
                settle(true, clock.nanoTime());
                mark.write(forced.getAcquire());
            }
            else if (!reported && forced.getAcquire() < written.getAcquire())
            {
                throw new IOException("records " + (forced.getAcquire() + 1) + ".." + written.getAcquire() +
                    " are not forced, because the keeper has failed: " + ended(), ended());
            }
        }
    }

    /** Writes and forces nothing. Closes all files, also after one that fails; throws the first failure. */
    void closeFiles() throws IOException
    {
        // First: an agent that hung during the close may still append, and soon another process may have the directory.
        isClosed = true;
        preparation.giveUp();
        IOException failed = close(mark::close, null);
        for (Segment segment = unsettled; segment != null; segment = segment.next)
        {
            failed = close(segment.file::close, failed);
        }
        for (Segment segment = ready.poll(); segment != null; segment = ready.poll())
        {
            failed = close(segment.file::close, failed);
        }
        if (failed != null)
        {
            throw failed;
        }
    }

    /** Returns the earlier failure, else that of this file, else null. */
    private static IOException close(final Closeable file, final IOException earlier)
    {
        try
        {
            file.close();
            return earlier;
        }
        catch (final IOException ex)
        {
            return earlier == null ? ex : earlier;
        }
    }

    /** Why the journal takes no more records: a failure, or its close; null while it does. Any thread. */
    Throwable ended()
    {
        final Throwable why = failure;
        return why != null || !isClosed ? why : new IllegalStateException("it is closed");
    }

    /** The failure that ended the keeper, and so the journal; null for none. Any thread. */
    Throwable failure()
    {
        return failure;
    }

    /** Whether no file may change any more. Any thread. */
    boolean isClosed()
    {
        return isClosed;
    }

    /** Any thread. */
    boolean isDiskLow()
    {
        return diskLow;
    }

    /** For the server's health; null for none. Any thread. */
    String problem()
    {
        final Throwable why = failure;
        if (why != null)
        {
            // The server stops at the next record, which may come much later than a failure of the keeper.
            return "the journal has failed and takes no records: " + why;
        }
        if (diskLow)
        {
            return "the disk of " + directory.path() + " has less than " + lowBytes +
                " free bytes, the journal's watermark: refuse commands, and free some space";
        }
        final IOException cause = unprepared;
        return cause == null ? null : "no segment can be prepared, for example because of a quota; when the prepared " +
            "ones are used up, the journal fails: " + cause;
    }

    /** Number of rolls that found no segment ready. Any thread. */
    long waits()
    {
        return waits;
    }

    /** Any thread: preparations that failed. */
    long preparationFailures()
    {
        return preparationFailures;
    }

    /** Number of segments that are ready. Any thread. */
    int prepared()
    {
        return ready.size();
    }
}
