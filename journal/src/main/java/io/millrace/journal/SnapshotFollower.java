package io.millrace.journal;

import io.millrace.pool.Range;
import io.millrace.server.codec.DecodeResult;
import org.agrona.concurrent.Agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Builds snapshots from full segments, on a thread of low priority. It has a second copy of the state and replays each
 * full segment into it. The thread that handles events never stops for it, and recovery is tested all the time.
 * <p>
 * Damage is counted by {@link #failures()} and not repaired; the follower begins again from the newest snapshot, or
 * where it was if there is none. A snapshot that cannot be written, as on a full disk, is left out. One thread at a
 * time.
 */
final class SnapshotFollower<E> implements Agent
{
    /** Records in one duty cycle: about a millisecond. */
    private static final int RECORDS = 4_096;

    private final Journal<E> journal;
    private final JournalContext<E> context;
    private final DurableHandler<? super E> copy;
    private final long every;
    private final E event;
    private JournalReader reader;
    private Set<Long> skips;
    private boolean restored;
    /** The copy threw: its state is no longer that of the sequence. */
    private boolean torn;
    private long sequence;
    private long end;
    private long snapshot;
    private long lookedNs;
    private volatile long failures;

    SnapshotFollower(final Journal<E> journal, final DurableHandler<? super E> copy, final long every)
    {
        this.journal = journal;
        this.copy = copy;
        this.every = Range.check("everyRecords", every, 1, Long.MAX_VALUE);
        context = journal.context();
        event = context.events.get();
        copy.onReplayStart();
    }

    @Override
    public String roleName()
    {
        return "journal-follower";
    }

    @Override
    public int doWork() throws Exception
    {
        try
        {
            return reader != null ? replay() : begin();
        }
        catch (final Exception | Error ex)
        {
            // A segment that was recycled meanwhile, a damaged one, a handler that throws.
            failures++;
            restored = false;
            closeReader();
            // Last: it calls code of the application, and allocates.
            journal.reportFailure("the follower begins again", ex);
            return 0;
        }
    }

    /** Once a second, check for full segments after the replayed ones. */
    private int begin() throws Exception
    {
        final long nowNs = context.clock.nanoTime();
        if (nowNs >= lookedNs && nowNs - lookedNs < SegmentKeeper.LOOK_NS)
        {
            return 0;
        }
        lookedNs = nowNs;
        final JournalDirectory directory = new JournalDirectory(context.fileOps, context.directory);
        directory.scanLive();
        final List<SegmentFile> used = new ArrayList<>(directory.segments());
        used.removeIf(segment -> segment.state() != SegmentFile.State.USED);
        if (used.size() < 2)
        {
            return 0;
        }
        if (!restored)
        {
            restore();
        }
        // The last one is in use. It says where the one before it ends.
        end = used.remove(used.size() - 1).firstSequence() - 1;
        // Forced does not say committed: a roll within a batch forces the batch's records so far.
        if (end <= sequence || end > journal.durableSequence() || end > journal.committedSequence())
        {
            return 0;
        }
        skips = new Skips(context.fileOps, context.directory).read();
        reader = new JournalReader(context.fileOps, used, sequence + 1, end, "the header of the next segment");
        return 1;
    }

    private void restore() throws Exception
    {
        final boolean wasTorn = torn;
        torn = true;
        final Snapshots.Found found = journal.restoreNewest(copy);
        torn = found == null && wasTorn;
        if (torn)
        {
            throw new IllegalStateException("there is no snapshot to begin again from");
        }
        sequence = found == null ? sequence : found.sequence();
        snapshot = found == null ? snapshot : sequence;
        restored = true;
    }

    private int replay() throws Exception
    {
        for (int i = 0; i < RECORDS; i++)
        {
            if (sequence == end)
            {
                closeReader();
                return 1;
            }
            if (!reader.next())
            {
                throw new IllegalStateException("record " + (sequence + 1) + " is missing");
            }
            if (!skips.contains(reader.sequence()))
            {
                final DecodeResult result =
                    context.codec.decode(reader.view(), reader.offset(), reader.payloadLength(), event);
                if (result != DecodeResult.OK)
                {
                    throw new IllegalStateException(reader.place() + ": " + result);
                }
                torn = true;
                copy.onEvent(event, reader.sequence(), true);
                torn = false;
            }
            sequence = reader.sequence();
            if (sequence - snapshot >= every)
            {
                snapshot();
                // A close does not wait for the report of a failure: this duty cycle must do nothing after it.
                return 1;
            }
        }
        return 1;
    }

    private void snapshot()
    {
        snapshot = sequence;
        try
        {
            journal.writeSnapshot(copy, sequence);
        }
        catch (final RuntimeException | Error ex)
        {
            // Writing changes no state: the next one is due as if this one was written.
            journal.reportFailure("a snapshot of the follower failed", ex);
        }
    }

    private void closeReader()
    {
        final JournalReader last = reader;
        if (last != null)
        {
            reader = null;
            last.close();
        }
    }

    @Override
    public void onClose()
    {
        closeReader();
    }

    DurableHandler<? super E> copy()
    {
        return copy;
    }

    /** Number of times that the follower began again. Any thread. */
    long failures()
    {
        return failures;
    }
}
