package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Removes all records after a given one, on request of an operator. First removes the proofs of the later records, so
 * an interrupted cut can be repeated.
 */
final class JournalCut
{
    private static final int PIECE = 256 * 1024;

    private final FileOps files;
    private final Path path;
    private final PrintStream out;

    JournalCut(final FileOps files, final Path path, final PrintStream out)
    {
        this.files = files;
        this.path = path;
        this.out = out;
    }

    int keepUpTo(final long sequence) throws IOException
    {
        try (Closeable held = Inspection.lock(files, path))
        {
            assert held != null;
            final JournalDirectory directory = Inspection.scan(files, path);
            final long from = Math.min(start(directory, sequence) + 1, sequence);
            try (JournalReader reader = Inspection.reader(files, directory, from, 0))
            {
                boolean more = reader.sequence() < sequence;
                while (more && reader.sequence() < sequence)
                {
                    // A start reads the same records. It would refuse what is behind a damaged one.
                    more = reader.next();
                }
                if (!more)
                {
                    throw new JournalException(JournalException.Kind.DAMAGED,
                        path + " has no good record " + sequence + ": nothing was changed");
                }
                cut(directory, reader.segment(), reader.position(), sequence);
                new Skips(files, path).dropAfter(sequence, System.currentTimeMillis() * 1_000_000L);
            }
            out.println("the journal ends with record " + sequence);
            return JournalInspector.OK;
        }
    }

    /**
     * The record of the snapshot from which recovery would start; 0 for none. Without the first records it needs one
     * that has them, which must not be removed.
     */
    private long start(final JournalDirectory directory, final long sequence) throws IOException
    {
        final SegmentFile first = Inspection.first(directory);
        final long needed = first == null ? 0 : first.firstSequence() - 1;
        long oldest = 0;
        long start = 0;
        final Snapshots snapshots = Inspection.snapshots(files, directory);
        for (final Path present : snapshots.list())
        {
            final Snapshots.Found found = Recovery.checked(snapshots, present, new ArrayList<>());
            if (first != null && found != null && found.createdNs() == first.createdNs() && found.sequence() >= needed)
            {
                oldest = found.sequence();
                start = oldest <= sequence ? Math.max(start, oldest) : start;
            }
        }
        if (needed > 0 && start == 0)
        {
            throw new JournalException(JournalException.Kind.DAMAGED, path + ": records 1.." + needed +
                " are gone, and no good snapshot up to record " + sequence + " has them" +
                (oldest == 0 ? "" : ", only that of record " + oldest) + ": nothing was changed");
        }
        return start;
    }

    private void cut(
        final JournalDirectory directory, final SegmentFile last, final long position, final long sequence)
        throws IOException
    {
        for (final Path snapshot : new Snapshots(files, path, 0, 1).list())
        {
            if (Snapshots.sequenceOf(snapshot) > sequence)
            {
                files.delete(snapshot);
                out.println("removed " + snapshot.getFileName());
            }
        }
        files.delete(path.resolve(CommitMark.NAME));
        files.forceDirectory(path);
        final List<SegmentFile> later = new ArrayList<>(directory.segments());
        Collections.reverse(later);
        for (final SegmentFile segment : later)
        {
            if (segment.id() > last.id())
            {
                files.delete(segment.path());
                out.println("removed " + segment.path().getFileName());
            }
        }
        files.forceDirectory(path);
        try (JournalFile file = files.open(last.path(), true))
        {
            for (long at = position; at < last.sizeBytes(); at += PIECE)
            {
                FileBytes.write(file, ByteBuffer.allocate((int)Math.min(PIECE, last.sizeBytes() - at)), at);
            }
            file.force();
        }
    }
}
