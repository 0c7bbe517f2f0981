package io.millrace.journal;

import io.millrace.pool.BasePoolAware;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The operator of a simulated system: skips poison records and deletes segments that all snapshots cover. */
final class SimOperator<E extends BasePoolAware>
{
    private final Path folder;
    private final SimApplication<E> application;
    private final SimDisk disk;
    private final SimTrace trace;
    private final SimTally tally;
    private final SimHistory<E> history;
    private final SimClients<E> clients;

    SimOperator(
        final Path folder,
        final SimApplication<E> application,
        final SimDisk disk,
        final SimTrace trace,
        final SimTally tally,
        final SimHistory<E> history,
        final SimClients<E> clients)
    {
        this.folder = folder;
        this.application = application;
        this.disk = disk;
        this.trace = trace;
        this.tally = tally;
        this.history = history;
        this.clients = clients;
    }

    /**
     * A start may fail because the process ended in it, a read failed, a command is poison, or bits have rotted. True
     * in the last case.
     */
    boolean refusesForGood(final RuntimeException ex, final boolean rotten)
    {
        JournalException refusal = null;
        for (Throwable cause = ex; cause != null && refusal == null; cause = cause.getCause())
        {
            refusal = cause instanceof JournalException ? (JournalException)cause : null;
        }
        trace.add("refused", refusal == null ? "" : refusal.kind().name(), 0);
        if (disk.isCrashed())
        {
            return false;
        }
        if (refusal != null && refusal.kind() == JournalException.Kind.POISON && application.hasPoison())
        {
            decideOnPoison();
            return false;
        }
        if (rotten)
        {
            tally.add(SimTally.Count.REFUSED_FOR_GOOD, 1);
            return true;
        }
        if (!disk.isFaulted())
        {
            throw new AssertionError("a start was refused without a reason: " + ex.getMessage(), ex);
        }
        return false;
    }

    /** After some failed starts, the record is skipped. */
    private void decideOnPoison()
    {
        final Skips skips = new Skips(disk, folder);
        try
        {
            final long sequence = skips.attempts().sequence();
            if (sequence == 0 || disk.isCrashed() || disk.isFaulted())
            {
                return;
            }
            if (!history.isPoison(sequence))
            {
                throw new AssertionError("record " + sequence + " is said to be poison, but is not");
            }
            if (trace.oneIn(3))
            {
                skips.add(sequence, trace.nanoTime());
                history.forPoison(sequence, clients::giveUp);
                tally.add(SimTally.Count.SKIPPED_RECORDS, 1);
            }
        }
        catch (final IOException | JournalException ex)
        {
            if (!disk.isFaulted())
            {
                throw new AssertionError("a record could not be skipped", ex);
            }
        }
    }

    /**
     * Nothing needs the segments whose records are in the oldest snapshot, except the last two: a power failure may
     * take all of the last one, and then only the one before it proves where the journal ends. The journal keeps it,
     * too.
     */
    void deleteCovered(final boolean rotten)
    {
        try
        {
            disk.forceDirectory(folder);
            final JournalDirectory directory = new JournalDirectory(disk, folder);
            directory.scanLive();
            final List<Path> snapshots = new Snapshots(disk, folder, 0, 1).list();
            final List<SegmentFile> used = directory.segments().stream()
                .filter(segment -> segment.state() == SegmentFile.State.USED).toList();
            for (int i = 0; i + 2 < used.size(); i++)
            {
                if (!snapshots.isEmpty() &&
                    used.get(i + 1).firstSequence() - 1 <= Snapshots.sequenceOf(snapshots.get(snapshots.size() - 1)))
                {
                    disk.delete(used.get(i).path());
                    tally.add(SimTally.Count.DELETED_SEGMENTS, 1);
                }
            }
        }
        catch (final IOException | JournalException ex)
        {
            if (!rotten)
            {
                throw new AssertionError("covered segments could not be deleted", ex);
            }
        }
    }
}
