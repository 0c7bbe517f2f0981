package io.millrace.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a recovered journal ready for records. No file changes before this step, which runs after recovery has
 * succeeded. If a crash interrupts it at any point, the next start repeats it.
 * <p>
 * Segments after the end have at most torn records and are deleted. Prepared segments get new ids, so that no trace of
 * a torn first batch can look like a record. The writer continues in the last segment if only zeros, or records of an
 * earlier use, follow its end, otherwise in a new one.
 */
final class JournalStart<E>
{
    private final JournalContext<E> context;
    private final FileOps files;
    private final JournalDirectory directory;
    private final CommitMark mark;
    private final Recovery<E> recovery;
    private SegmentKeeper keeper;
    private JournalWriter<E> writer;

    JournalStart(
        final JournalContext<E> context,
        final JournalDirectory directory,
        final CommitMark mark,
        final Recovery<E> recovery)
    {
        this.context = context;
        this.directory = directory;
        this.mark = mark;
        this.recovery = recovery;
        files = context.fileOps;
    }

    void run() throws IOException
    {
        final JournalReader reader = recovery.reader();
        final SegmentFile last = reader.segment();
        final List<SegmentFile> prepared = new ArrayList<>();
        for (final SegmentFile segment : directory.segments())
        {
            if (segment.state() == SegmentFile.State.PREPARED)
            {
                prepared.add(segment);
            }
            else if (last == null || segment.id() > last.id())
            {
                files.delete(segment.path());
            }
        }
        for (final Path file : directory.temporary())
        {
            files.delete(file);
        }
        final JournalEnd end = end(reader, last);
        try
        {
            keeper = new SegmentKeeper(context, directory, end, mark);
            mark.open();
            for (final SegmentFile segment : prepared)
            {
                adopt(segment);
            }
            files.forceDirectory(directory.path());
            noteFull(last, end);
            writer = new JournalWriter<>(context, keeper, end);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            close(end.segment(), ex);
            throw ex;
        }
    }

    /** The start has failed: nobody else knows the open segments. */
    private void close(final Segment last, final Throwable why)
    {
        try
        {
            if (keeper != null)
            {
                keeper.closeFiles();
            }
            else if (last != null)
            {
                last.file.close();
            }
        }
        catch (final IOException ex)
        {
            why.addSuppressed(ex);
        }
    }

    private JournalEnd end(final JournalReader reader, final SegmentFile last) throws IOException
    {
        final boolean goesOn = last != null && reader.tornBytes() == 0 && last.sizeBytes() == context.segmentBytes &&
            last.lengthBytes() == context.segmentBytes;
        final Segment segment = goesOn ? new Segment(last.id(), last.path(), files.open(last.path(), true)) : null;
        return new JournalEnd(segment, goesOn ? reader.position() : 0, last == null ? 0 : last.id(), reader.sequence(),
            reader.checksum(), recovery.timeNs(), recovery.createdNs());
    }

    private void adopt(final SegmentFile segment) throws IOException
    {
        if (segment.sizeBytes() != context.segmentBytes || keeper.prepared() == context.preparedSegments)
        {
            files.delete(segment.path());
            return;
        }
        final int id = directory.nextId();
        final Path path = directory.path().resolve(Segment.name(id));
        files.rename(segment.path(), path);
        keeper.adopt(new Segment(id, path, files.open(path, true)));
    }

    private void noteFull(final SegmentFile last, final JournalEnd end)
    {
        SegmentFile before = null;
        for (final SegmentFile segment : directory.segments())
        {
            if (segment.state() == SegmentFile.State.USED && last != null && segment.id() <= last.id())
            {
                if (before != null)
                {
                    directory.full(before.path(), segment.firstSequence() - 1);
                }
                before = segment;
            }
        }
        if (before != null && end.segment() == null)
        {
            directory.full(before.path(), end.sequence());
        }
    }

    SegmentKeeper keeper()
    {
        return keeper;
    }

    JournalWriter<E> writer()
    {
        return writer;
    }
}
