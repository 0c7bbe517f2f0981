package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Prepares one segment after the other, piece by piece. A recycled file gets a new name and a page of zeros at its
 * start; a new file is filled with zeros. Both are forced before they get the name of a segment; then the directory is
 * forced.
 */
final class SegmentPreparation
{
    /** Large enough that a 64 MiB segment takes 256 calls, small enough that a write hardly delays a force. */
    static final int PIECE_BYTES = 256 * 1024;
    /** A piece each 2 ms: 128 MB/s, more than a million commands of 80 bytes fill in a second. */
    static final long PIECE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final FileOps files;
    private final int segmentLength;
    private final JournalDirectory directory;
    private final ByteBuffer zeros;
    private int id;
    private Path temporary;
    private JournalFile file;
    private long done;
    private long nextNs;
    private boolean worked;
    /** The last preparation failed to rename an obsolete segment: the next one takes a new file instead. */
    private boolean renameFailed;

    SegmentPreparation(final JournalContext<?> context, final JournalDirectory directory)
    {
        this.directory = directory;
        files = context.fileOps;
        segmentLength = context.segmentBytes;
        zeros = ByteBuffer.allocateDirect(Math.min(PIECE_BYTES, segmentLength));
    }

    /** Writes at most one piece, if its time has come. Returns the segment when it is ready, otherwise null. */
    Segment step(final long nowNs) throws IOException
    {
        // A clock that was set back must not stop the preparation.
        worked = nowNs >= nextNs || nowNs < nextNs - PIECE_INTERVAL_NS;
        if (!worked)
        {
            return null;
        }
        nextNs = nowNs + PIECE_INTERVAL_NS;
        return stepAtOnce();
    }

    /** Whether the last step did anything. */
    boolean hasWorked()
    {
        return worked;
    }

    Segment stepAtOnce() throws IOException
    {
        if (file == null)
        {
            begin();
        }
        else if (done < segmentLength)
        {
            zero((int)Math.min(zeros.capacity(), segmentLength - done));
        }
        return file != null && done == segmentLength ? finish() : null;
    }

    private void begin() throws IOException
    {
        id = directory.nextId();
        temporary = directory.path().resolve(String.format(Locale.ROOT, "segment-%010d.tmp", id));
        final Path obsolete = renameFailed ? null : directory.obsolete();
        renameFailed = false;
        if (obsolete == null)
        {
            file = files.create(temporary);
            done = 0;
            return;
        }
        rename(obsolete);
        files.forceDirectory(directory.path());
        file = files.open(temporary, true);
        done = 0;
        if (file.size() > segmentLength)
        {
            // The setting was greater. No file operation shortens a file, and its rest would be in use for good.
            file.close();
            files.delete(temporary);
            file = files.create(temporary);
        }
        else if (file.size() == segmentLength)
        {
            zero(SegmentDescriptor.PAGE);
            done = segmentLength;
        }
    }

    private void rename(final Path obsolete) throws IOException
    {
        try
        {
            files.rename(obsolete, temporary);
        }
        catch (final IOException ex)
        {
            renameFailed = true;
            // It may have been renamed nevertheless, or somebody has deleted it.
            if (!files.list(directory.path()).contains(obsolete.getFileName().toString()))
            {
                directory.removeObsolete();
            }
            throw ex;
        }
        directory.removeObsolete();
    }

    private void zero(final int length) throws IOException
    {
        zeros.limit(length).position(0);
        while (zeros.hasRemaining())
        {
            if (file.write(zeros, done + zeros.position()) <= 0)
            {
                throw new IOException("nothing could be written to " + temporary);
            }
        }
        done += length;
    }

    private Segment finish() throws IOException
    {
        file.force();
        final Path path = directory.path().resolve(Segment.name(id));
        files.rename(temporary, path);
        files.forceDirectory(directory.path());
        file.renamedTo(path);
        final Segment prepared = new Segment(id, path, file);
        file = null;
        temporary = null;
        return prepared;
    }

    /** Abandon the unfinished file. It has a temporary name, so the next start deletes it. */
    void giveUp()
    {
        final JournalFile open = file;
        final Path path = temporary;
        file = null;
        temporary = null;
        try
        {
            if (open != null)
            {
                open.close();
            }
            if (path != null)
            {
                files.delete(path);
            }
        }
        catch (final IOException ignored)
        {
            // Nothing depends on it.
        }
    }
}
