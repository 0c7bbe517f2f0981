package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The files of a journal: its segments, the segments that are no longer needed, and the next id.
 * <p>
 * After the start only the keeper calls it, except {@link #retainFrom(long)}.
 */
final class JournalDirectory
{
    static final String LOCK = "journal.lock";

    private final FileOps files;
    private final Path path;
    private final List<SegmentFile> segments = new ArrayList<>();
    private final List<Path> temporary = new ArrayList<>();
    private final List<Path> foreign = new ArrayList<>();
    private final Deque<FullSegment> full = new ArrayDeque<>();
    private int lastId;
    /** Segments with a record of this sequence or a later one are needed. */
    private volatile long retainFrom;

    /** A segment that the writer has left. */
    private record FullSegment(Path path, long lastSequence)
    {
    }

    JournalDirectory(final FileOps files, final Path path)
    {
        this.files = files;
        this.path = path;
    }

    /** Create the directory if needed and lock it against other processes. */
    static Closeable lock(final FileOps files, final Path path)
    {
        try
        {
            files.prepareDirectory(path);
            return files.lock(path.resolve(LOCK), "pid " + ProcessHandle.current().pid() + " on " + hostName());
        }
        catch (final IOException ex)
        {
            throw new JournalException(JournalException.Kind.UNUSABLE,
                "the directory of the journal cannot be used: " + JournalException.reason(ex), ex);
        }
    }

    private static String hostName()
    {
        final String name = System.getenv("HOSTNAME");
        return name == null ? "this host" : name;
    }

    /** List the files and read every header. The directory and each file are forced before they are read. */
    void scan()
    {
        scan(true);
    }

    /** List the files of a journal that is in use. This call does not force them, because the writer does. */
    void scanLive()
    {
        scan(false);
    }

    private void scan(final boolean forced)
    {
        try
        {
            if (forced)
            {
                files.forceDirectory(path);
            }
            for (final String name : files.list(path))
            {
                take(name, forced);
            }
        }
        catch (final IOException ex)
        {
            throw new JournalException(
                JournalException.Kind.UNREADABLE, path + " cannot be read: " + JournalException.reason(ex), ex);
        }
    }

    private void take(final String name, final boolean forced) throws IOException
    {
        final Path file = path.resolve(name);
        final int id = Segment.idOf(name);
        if (id != 0)
        {
            lastId = Math.max(lastId, id);
            try
            {
                segments.add(read(id, file, forced));
            }
            catch (final NoSuchFileException ex)
            {
                if (forced)
                {
                    throw ex;
                }
                // The keeper has deleted or recycled it since the directory was listed.
            }
        }
        else if (name.matches("((segment|snapshot)-\\d+|skips\\.log|attempts\\.log)\\.tmp"))
        {
            temporary.add(file);
        }
        else if (!isOwn(name))
        {
            foreign.add(file);
        }
    }

    /** Whether a file is not a segment but has a name of a journal's file. */
    static boolean isOwn(final String name)
    {
        return Snapshots.isName(name) ||
            List.of(LOCK, CommitMark.NAME, Skips.NAME, Skips.ATTEMPTS).contains(name);
    }

    private SegmentFile read(final int id, final Path file, final boolean forced) throws IOException
    {
        final ByteBuffer header = ByteBuffer.allocate(SegmentDescriptor.HEADER_LENGTH);
        try (JournalFile open = files.open(file, false))
        {
            if (forced)
            {
                open.force();
            }
            final long size = open.size();
            FileBytes.fill(open, file, header, 0, (int)Math.min(size, header.capacity()));
            return SegmentFile.of(id, file, size, new ByteView(header), new CRC32C());
        }
    }

    Path path()
    {
        return path;
    }

    /** By id. */
    List<SegmentFile> segments()
    {
        return segments;
    }

    /** Files of an interrupted preparation, which are deleted when the journal starts. */
    List<Path> temporary()
    {
        return temporary;
    }

    /** Files that do not belong to the journal: ignored and reported. */
    List<Path> foreign()
    {
        return foreign;
    }

    int nextId()
    {
        if (lastId == Integer.MAX_VALUE)
        {
            throw new IllegalStateException("no id is left for another segment");
        }
        lastId++;
        return lastId;
    }

    /** Called when the writer has left a segment. */
    void full(final Segment segment)
    {
        full(segment.path, segment.lastSequence);
    }

    void full(final Path segment, final long lastSequence)
    {
        full.add(new FullSegment(segment, lastSequence));
    }

    /** Any thread: a forced snapshot has everything before this sequence. */
    void retainFrom(final long sequence)
    {
        retainFrom = sequence;
    }

    /**
     * The oldest segment that is not needed; null for none. The last segment stays: until the next one has its first
     * batch, only it proves where the journal ends. Stays the oldest one until {@link #removeObsolete()}: no later one
     * may be recycled while its file is there.
     */
    Path obsolete()
    {
        final FullSegment oldest = full.peek();
        return full.size() > 1 && oldest.lastSequence < retainFrom ? oldest.path : null;
    }

    /** The file of {@link #obsolete()} has another name, or is deleted. */
    void removeObsolete()
    {
        full.remove();
    }
}
