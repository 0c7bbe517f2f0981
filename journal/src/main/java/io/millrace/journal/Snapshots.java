package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/**
 * The snapshots in a journal's directory. A snapshot gets its name when it is forced, and the directory is forced after
 * that. The newest few are kept; segments that only older ones need are free.
 */
final class Snapshots
{
    private static final long MAGIC_WORD =
        new ByteView(SnapshotDescriptor.MAGIC.getBytes(StandardCharsets.US_ASCII)).getLong(0);
    private static final int PIECE = 256 * 1024;

    private final FileOps files;
    private final Path directory;
    private final int schema;
    private final int keep;
    /** Found by a recovery or by the follower, on its own thread. They do not count as kept. */
    private final Set<Path> damaged = ConcurrentHashMap.newKeySet();

    /** The header of a good snapshot. */
    record Found(Path path, long sequence, long timeNs, long stateHash, long createdNs, long stateLength)
    {
    }

    Snapshots(final FileOps files, final Path directory, final int schema, final int keep)
    {
        this.files = files;
        this.directory = directory;
        this.schema = schema;
        this.keep = keep;
    }

    static String name(final long sequence)
    {
        return String.format(Locale.ROOT, "snapshot-%019d.snap", sequence);
    }

    static boolean isName(final String name)
    {
        return name.matches("snapshot-\\d{19}\\.snap") && name.compareTo(name(Long.MAX_VALUE)) <= 0;
    }

    /** The newest first. */
    List<Path> list() throws IOException
    {
        final List<Path> found = new ArrayList<>();
        for (final String name : files.list(directory))
        {
            if (isName(name))
            {
                found.add(0, directory.resolve(name));
            }
        }
        return found;
    }

    /**
     * Write the state that has every record up to a sequence in it.
     *
     * @return the sequence of the oldest kept snapshot: later records are needed.
     */
    long write(final Snapshotable state, final long sequence, final long timeNs, final long createdNs)
        throws IOException
    {
        final Path temporary = directory.resolve(String.format(Locale.ROOT, "snapshot-%019d.tmp", sequence));
        files.delete(temporary);
        try
        {
            writeTo(temporary, state, sequence, timeNs, createdNs);
            files.rename(temporary, directory.resolve(name(sequence)));
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            // On a full disk the journal needs the space.
            deleteQuietly(files, temporary, ex);
            throw ex;
        }
        files.forceDirectory(directory);
        damaged.remove(directory.resolve(name(sequence)));
        return deleteOld();
    }

    private void writeTo(
        final Path temporary, final Snapshotable state, final long sequence, final long timeNs, final long createdNs)
        throws IOException
    {
        try (JournalFile file = files.create(temporary))
        {
            final SnapshotOutput out = new SnapshotOutput(file);
            out.putLong(MAGIC_WORD);
            out.putInt(SnapshotDescriptor.VERSION);
            out.putInt(schema);
            out.putLong(sequence);
            out.putLong(timeNs);
            out.putLong(state.stateHash());
            out.putLong(createdNs);
            while (out.lengthBytes() < SnapshotDescriptor.HEADER_LENGTH)
            {
                out.putLong(0);
            }
            state.writeTo(out);
            out.putLong(out.lengthBytes() - SnapshotDescriptor.HEADER_LENGTH);
            out.putInt(out.checksum());
            out.putInt(0);
            out.flush();
            file.force();
        }
    }

    /** Deletes an unfinished file. If that fails, too, the exception of the first failure says so. */
    static void deleteQuietly(final FileOps files, final Path temporary, final Throwable why)
    {
        try
        {
            files.delete(temporary);
        }
        catch (final IOException ex)
        {
            why.addSuppressed(ex);
        }
    }

    /** Sequence of the oldest kept snapshot: later records are needed. 0 if no snapshot is good. */
    long oldest() throws IOException
    {
        final List<Path> good = list();
        good.removeAll(damaged);
        return good.isEmpty() ? 0 : sequenceOf(good.get(Math.min(keep, good.size()) - 1));
    }

    private long deleteOld() throws IOException
    {
        final long oldest = oldest();
        for (final Path present : list())
        {
            if (sequenceOf(present) < oldest)
            {
                files.delete(present);
            }
        }
        files.forceDirectory(directory);
        return oldest;
    }

    /** A check found that it is damaged. */
    void damaged(final Path snapshot)
    {
        damaged.add(snapshot);
    }

    static long sequenceOf(final Path snapshot)
    {
        return Long.parseLong(snapshot.getFileName().toString().substring(9, 28));
    }

    /**
     * Check a snapshot to its last byte.
     *
     * @throws IOException      when it is damaged: the message says how.
     * @throws JournalException when it has another version or schema.
     */
    Found check(final Path path) throws IOException
    {
        try (JournalFile file = files.open(path, false))
        {
            file.force();
            final long size = file.size();
            final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            final ByteView view = new ByteView(buffer);
            if (size < SnapshotDescriptor.HEADER_LENGTH + SnapshotDescriptor.TRAILER_LENGTH)
            {
                throw new IOException("it has only " + size + " bytes");
            }
            final long stateLength = size - SnapshotDescriptor.HEADER_LENGTH - SnapshotDescriptor.TRAILER_LENGTH;
            final int checksum = checksum(file, path, buffer, size - SnapshotDescriptor.TRAILER_LENGTH + Long.BYTES);
            FileBytes.fill(file, path, buffer.clear(), size - SnapshotDescriptor.TRAILER_LENGTH,
                SnapshotDescriptor.TRAILER_LENGTH);
            final boolean whole = view.getLong(SnapshotDescriptor.TRAILER_STATE_LENGTH_OFFSET) == stateLength &&
                view.getLong(SnapshotDescriptor.TRAILER_CHECKSUM_OFFSET) == (checksum & 0xFFFF_FFFFL);
            FileBytes.fill(file, path, buffer.clear(), 0, SnapshotDescriptor.HEADER_LENGTH);
            if (!whole || view.getLong(SnapshotDescriptor.MAGIC_OFFSET) != MAGIC_WORD)
            {
                throw new IOException("its checksum is wrong");
            }
            checkFormat(path, view);
            final Found found = new Found(path, view.getLong(SnapshotDescriptor.SEQUENCE_OFFSET),
                view.getLong(SnapshotDescriptor.TIME_OFFSET), view.getLong(SnapshotDescriptor.HASH_OFFSET),
                view.getLong(SnapshotDescriptor.CREATED_OFFSET), stateLength);
            if (found.sequence != sequenceOf(path))
            {
                throw new IOException("its name is wrong: it is of record " + found.sequence);
            }
            return found;
        }
    }

    private static int checksum(final JournalFile file, final Path path, final ByteBuffer buffer, final long length)
    {
        final CRC32C crc = new CRC32C();
        for (long at = 0; at < length; at += buffer.capacity())
        {
            FileBytes.fill(file, path, buffer.clear(), at, (int)Math.min(buffer.capacity(), length - at));
            crc.update(buffer.flip());
        }
        return (int)crc.getValue();
    }

    private void checkFormat(final Path path, final ByteView view)
    {
        if (view.getInt(SnapshotDescriptor.VERSION_OFFSET) != SnapshotDescriptor.VERSION)
        {
            throw new JournalException(JournalException.Kind.WRONG_FORMAT, path + ": version " +
                view.getInt(SnapshotDescriptor.VERSION_OFFSET) + " is not " + SnapshotDescriptor.VERSION +
                ", which this release reads");
        }
        if (view.getInt(SnapshotDescriptor.SCHEMA_OFFSET) != schema)
        {
            throw new JournalException(JournalException.Kind.WRONG_FORMAT, path + ": schema " +
                view.getInt(SnapshotDescriptor.SCHEMA_OFFSET) + " is not " + schema + Recovery.WRONG_SCHEMA);
        }
    }

    /** Pass the state of a checked snapshot to its owner, and compare the hash. */
    void restore(final Found found, final Snapshotable state) throws IOException
    {
        try (JournalFile file = files.open(found.path, false))
        {
            final SnapshotInput in = new SnapshotInput(file, found.path, SnapshotDescriptor.HEADER_LENGTH,
                SnapshotDescriptor.HEADER_LENGTH + found.stateLength);
            state.readFrom(in);
            if (in.remaining() != 0 || state.stateHash() != found.stateHash)
            {
                throw new IOException("the restored state has another hash, or " + in.remaining() + " bytes are left");
            }
        }
    }
}
