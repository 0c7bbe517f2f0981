package io.millrace.journal;

import io.millrace.server.codec.DecodeResult;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings a handler to the state at the end of the journal, or at an earlier point: restores the newest good snapshot,
 * then replays the later records. Changes only one file, the count of failed starts.
 */
final class Recovery<E>
{
    /** The end of a refusal; the schema follows from what the application has set. */
    static final String WRONG_SCHEMA = ": the program's settings, formats or rules have changed since this journal " +
        "began. Start the old program with the old settings, or the new one in a new directory";

    private final JournalContext<E> context;
    private final JournalDirectory directory;
    private final CommitMark mark;
    private final Snapshots snapshots;
    private final Skips skips;
    private final List<String> warnings = new ArrayList<>();
    /** A warning for each damaged snapshot. */
    private final List<String> fallbacks = new ArrayList<>();
    private Snapshots.Found snapshot;
    private long replayed;
    private long skipped;
    private long createdNs;
    private JournalReader reader;

    Recovery(
        final JournalContext<E> context,
        final JournalDirectory directory,
        final CommitMark mark,
        final Snapshots snapshots,
        final Skips skips)
    {
        this.context = context;
        this.directory = directory;
        this.mark = mark;
        this.snapshots = snapshots;
        this.skips = skips;
    }

    /**
     * Recover.
     *
     * @param toSequence last record that may be replayed.
     * @param toTimeNs   greatest time of a record that may be replayed.
     */
    RecoveryReport run(final DurableHandler<? super E> handler, final long toSequence, final long toTimeNs)
    {
        final long beginNs = System.nanoTime();
        directory.foreign().forEach(file -> warnings.add(file + " is not the journal's: ignored"));
        final Set<Long> left = skips.read();
        final Skips.Attempts attempts = skips.attempts();
        try
        {
            // First, because with another schema each start would fail, whatever the handler does.
            final long proved = readProofs();
            if (attempts.count() >= Skips.MAX_ATTEMPTS && !left.contains(attempts.sequence()))
            {
                throw new JournalException(JournalException.Kind.POISON, "the start has failed " + attempts.count() +
                    " times on record " + attempts.sequence() + ": " + adviceOn(attempts));
            }
            handler.onReplayStart();
            try
            {
                restore(handler, toSequence, toTimeNs);
                final long from = snapshot == null ? 1 : snapshot.sequence() + 1;
                reader = new JournalReader(context.fileOps, directory.segments(), from, proved,
                    proved == mark.sequence() ? CommitMark.NAME : "the name of a snapshot");
                final SegmentFile first = reader.segment();
                replay(handler, left, attempts, toSequence, toTimeNs);
                return report(first, handler.stateHash(), System.nanoTime() - beginNs);
            }
            finally
            {
                handler.onReplayEnd();
            }
        }
        catch (final JournalException ex)
        {
            // What was left out may be why records are missing.
            throw ex.kind() != JournalException.Kind.DAMAGED || fallbacks.isEmpty() ? ex : new JournalException(
                JournalException.Kind.DAMAGED, ex.getMessage() + "; " + String.join("; ", fallbacks), ex);
        }
        catch (final IOException ex)
        {
            throw new JournalException(JournalException.Kind.UNREADABLE, JournalException.reason(ex), ex);
        }
        finally
        {
            if (reader != null)
            {
                reader.close();
            }
        }
    }

    /**
     * Checks that all files belong to this journal. Returns the last record that the mark and the snapshots' names
     * prove.
     */
    private long readProofs() throws IOException
    {
        boolean used = false;
        for (final SegmentFile segment : directory.segments())
        {
            if (segment.state() == SegmentFile.State.USED)
            {
                createdNs = used ? createdNs : segment.createdNs();
                used = true;
                checkJournal(segment.path(), segment.createdNs());
                if (segment.schema() != context.schema)
                {
                    throw new JournalException(JournalException.Kind.WRONG_FORMAT, segment.path() + ": schema " +
                        segment.schema() + " is not " + context.schema + WRONG_SCHEMA);
                }
            }
        }
        final boolean marked = mark.read();
        final List<Path> present = snapshots.list();
        if (!used && (marked || !present.isEmpty()))
        {
            throw new JournalException(JournalException.Kind.DAMAGED, directory.path() +
                ": no segment has records, but " + (marked ? CommitMark.NAME : present.get(0).getFileName()) +
                " proves that there were some. An empty journal is not started in its place");
        }
        if (marked)
        {
            checkJournal(directory.path().resolve(CommitMark.NAME), mark.createdNs());
        }
        createdNs = used ? createdNs : context.clock.nanoTime();
        mark.createdNs(createdNs);
        return Math.max(mark.sequence(), present.isEmpty() ? 0 : Snapshots.sequenceOf(present.get(0)));
    }

    private void checkJournal(final Path file, final long created)
    {
        if (created != createdNs)
        {
            throw new JournalException(JournalException.Kind.WRONG_FORMAT, file + " belongs to another journal: made " +
                created + ", not " + createdNs + " ns after 1970");
        }
    }

    private void restore(final Snapshotable handler, final long toSequence, final long toTimeNs) throws IOException
    {
        for (final Path path : snapshots.list())
        {
            final Snapshots.Found found = checked(snapshots, path, fallbacks);
            if (found != null && found.sequence() <= toSequence && found.timeNs() <= toTimeNs)
            {
                checkJournal(path, found.createdNs());
                try
                {
                    snapshots.restore(found, handler);
                }
                catch (final JournalException ex)
                {
                    throw ex;
                }
                catch (final IOException | RuntimeException ex)
                {
                    throw new JournalException(JournalException.Kind.WRONG_FORMAT,
                        path + " is whole, but the handler does not take it: " + ex.getMessage(), ex);
                }
                snapshot = found;
                return;
            }
        }
    }

    /** Null when it is damaged; the one before is used then. */
    static Snapshots.Found checked(final Snapshots snapshots, final Path path, final List<String> warnings)
    {
        try
        {
            return snapshots.check(path);
        }
        catch (final IOException ex)
        {
            snapshots.damaged(path);
            warnings.add(path + " is damaged and left out: " + JournalException.reason(ex));
            return null;
        }
    }

    private void replay(
        final DurableHandler<? super E> handler,
        final Set<Long> left,
        final Skips.Attempts attempts,
        final long toSequence,
        final long toTimeNs)
        throws IOException
    {
        final E event = context.events.get();
        while (reader.sequence() < toSequence && reader.next())
        {
            if (reader.timeNs() > toTimeNs)
            {
                reader.stepBack();
                return;
            }
            if (left.contains(reader.sequence()))
            {
                skipped++;
                continue;
            }
            final DecodeResult result =
                context.codec.decode(reader.view(), reader.offset(), reader.payloadLength(), event);
            if (result != DecodeResult.OK)
            {
                throw new JournalException(JournalException.Kind.WRONG_FORMAT,
                    reader.place() + " is whole, but the codec does not read it: " + result);
            }
            apply(handler, event, attempts);
            replayed++;
        }
    }

    private void apply(final DurableHandler<? super E> handler, final E event, final Skips.Attempts attempts)
        throws IOException
    {
        try
        {
            handler.onEvent(event, reader.sequence(), true);
        }
        catch (final Exception | StackOverflowError | AssertionError ex)
        {
            final Skips.Attempts now = attempts.again(reader.sequence());
            skips.attempts(now, context.clock.nanoTime());
            throw new JournalException(JournalException.Kind.POISON, reader.place() + ": the handler threw " + ex +
                ", failed start " + now.count() + " on this record: " + adviceOn(now), ex);
        }
    }

    private String adviceOn(final Skips.Attempts attempts)
    {
        return "mend the handler" + (attempts.count() < Skips.MAX_ATTEMPTS ? "" :
            " and allow the next start with JournalInspector --retry " + directory.path()) +
            ", or leave the record out with JournalInspector --skip-sequence " + attempts.sequence() + " " +
            directory.path();
    }

    private RecoveryReport report(final SegmentFile first, final long stateHash, final long elapsedNs)
    {
        final SegmentFile last = reader.segment();
        final int read = first == null ? 0 : (int)directory.segments().stream().filter(each ->
            each.state() == SegmentFile.State.USED && each.id() >= first.id() && each.id() <= last.id()).count();
        warnings.addAll(fallbacks);
        return new RecoveryReport(snapshot == null ? 0 : snapshot.sequence(), fallbacks.size(), read, replayed, skipped,
            reader.sequence(), timeNs(), reader.tornBytes(), stateHash, elapsedNs,
            last == null ? "the beginning" : last.path().getFileName() + ":" + reader.position(), warnings);
    }

    JournalReader reader()
    {
        return reader;
    }

    /** Of the last record. If none is read, the snapshot says what it is at most. */
    long timeNs()
    {
        return reader.timeNs() != 0 || snapshot == null ? reader.timeNs() : snapshot.timeNs();
    }

    long createdNs()
    {
        return createdNs;
    }
}
