package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Two small files next to the segments: the records that the operator decided to skip, and the number of failed starts
 * on a record. Both are replaced as a whole: temporary file, force, rename, force of the directory.
 */
final class Skips
{
    static final String NAME = "skips.log";
    static final String ATTEMPTS = "attempts.log";
    /** After this number of failed starts on one record, the next start is refused before it replays anything. */
    static final int MAX_ATTEMPTS = 3;

    /** They belong to no segment. */
    private static final int NO_SEGMENT = 0;
    private static final int PAYLOAD = Long.BYTES;
    /** As many as {@link #read} reads, 21,845: an operator skips records one by one. */
    private static final int MAX_RECORDS = RecordDescriptor.MAX_LENGTH / RecordDescriptor.recordLength(PAYLOAD);

    private final FileOps files;
    private final Path directory;

    Skips(final FileOps files, final Path directory)
    {
        this.files = files;
        this.directory = directory;
    }

    /** The sequences to skip. */
    Set<Long> read()
    {
        return read(NAME);
    }

    /** The record on which starts failed, as many times as the list is long; empty when the last start went well. */
    Attempts attempts()
    {
        final Set<Long> words = read(ATTEMPTS);
        return words.isEmpty() ? new Attempts(0, 0) :
            new Attempts(words.iterator().next() >> 8, (int)(words.iterator().next() & 0xFF));
    }

    /** Failed starts on one record. */
    record Attempts(long sequence, int count)
    {
        Attempts again(final long failed)
        {
            return new Attempts(failed, failed == sequence ? Math.min(count + 1, 0xFF) : 1);
        }
    }

    private Set<Long> read(final String name)
    {
        final Path path = directory.resolve(name);
        final Set<Long> found = new TreeSet<>();
        try
        {
            if (!files.list(directory).contains(name))
            {
                return found;
            }
            try (JournalFile file = files.open(path, false))
            {
                file.force();
                final int length = (int)Math.min(file.size(), RecordDescriptor.MAX_LENGTH);
                final ByteBuffer buffer = ByteBuffer.allocate(length);
                FileBytes.fill(file, path, buffer, 0, length);
                parse(path, new ByteView(buffer), found);
            }
        }
        catch (final IOException ex)
        {
            throw new JournalException(
                JournalException.Kind.UNREADABLE, path + " cannot be read: " + JournalException.reason(ex), ex);
        }
        return found;
    }

    private static void parse(final Path path, final ByteView view, final Set<Long> found)
    {
        final CRC32C crc = new CRC32C();
        int at = 0;
        while (at < view.capacity())
        {
            final int length = RecordDescriptor.check(view, at, view.capacity(), NO_SEGMENT, crc);
            if (length != RecordDescriptor.recordLength(PAYLOAD) ||
                view.getInt(at + RecordDescriptor.TYPE_OFFSET) != RecordDescriptor.SKIP)
            {
                throw new JournalException(JournalException.Kind.DAMAGED, path + ": no record at offset " + at);
            }
            found.add(view.getLong(at + RecordDescriptor.HEADER_LENGTH));
            at += length;
        }
    }

    /** Add a sequence to skip. */
    void add(final long sequence, final long timeNs) throws IOException
    {
        final Set<Long> all = read();
        if (all.add(sequence) && all.size() > MAX_RECORDS)
        {
            throw new IOException(
                directory.resolve(NAME) + " has " + MAX_RECORDS + " records, the most: nothing was changed");
        }
        replace(NAME, all, timeNs);
    }

    void attempts(final Attempts attempts, final long timeNs) throws IOException
    {
        replace(ATTEMPTS, Set.of(attempts.sequence << 8 | attempts.count), timeNs);
    }

    /** The start went well, or the record is gone. */
    void forgetAttempts() throws IOException
    {
        if (files.list(directory).contains(ATTEMPTS))
        {
            files.delete(directory.resolve(ATTEMPTS));
            files.forceDirectory(directory);
        }
    }

    /**
     * The journal ends with this record. A later one that gets the number of a lost record is another one: neither
     * skipped, nor blamed for failed starts. So the first of these records must come after this call.
     */
    void dropAfter(final long sequence, final long timeNs) throws IOException
    {
        final Set<Long> all = read();
        if (all.removeIf(skip -> skip > sequence))
        {
            replace(NAME, all, timeNs);
        }
        if (attempts().sequence() > sequence)
        {
            forgetAttempts();
        }
    }

    private void replace(final String name, final Set<Long> words, final long timeNs) throws IOException
    {
        final int length = RecordDescriptor.recordLength(PAYLOAD);
        final ByteBuffer buffer = ByteBuffer.allocate(length * words.size());
        final ByteView view = new ByteView(buffer);
        int number = 0;
        for (final long word : words)
        {
            view.putLong(number * length + RecordDescriptor.HEADER_LENGTH, word);
            RecordDescriptor.seal(view, number * length, PAYLOAD, NO_SEGMENT, RecordDescriptor.SKIP, number + 1, timeNs,
                0, new CRC32C());
            number++;
        }
        final Path temporary = directory.resolve(name + ".tmp");
        files.delete(temporary);
        try
        {
            write(temporary, buffer);
            files.rename(temporary, directory.resolve(name));
        }
        catch (final IOException | RuntimeException ex)
        {
            Snapshots.deleteQuietly(files, temporary, ex);
            throw ex;
        }
        files.forceDirectory(directory);
    }

    private void write(final Path temporary, final ByteBuffer buffer) throws IOException
    {
        try (JournalFile file = files.create(temporary))
        {
            FileBytes.write(file, buffer, 0);
            file.force();
        }
    }
}
