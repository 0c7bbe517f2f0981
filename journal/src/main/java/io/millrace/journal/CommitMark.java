package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A small file with the sequence up to which every record was forced. It is written about once a second, never while an
 * event is handled, so it is a little late. The mark is a proof: records up to its sequence were committed, so if they
 * are missing or damaged, they are not a torn tail.
 * <p>
 * Two slots of 512 bytes, a sector each, are written alternately, so a torn write leaves the other slot intact.
 */
final class CommitMark
{
    static final String NAME = "committed.mark";
    static final String MAGIC = "MRCOMMIT";
    static final int VERSION = 1;
    static final int SLOT_LENGTH = 512;
    static final int SLOTS = 2;
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int CREATED_OFFSET = 16;
    static final int SEQUENCE_OFFSET = 24;
    static final int CHECKSUM_OFFSET = 32;

    private static final long MAGIC_WORD = new ByteView(MAGIC.getBytes(StandardCharsets.US_ASCII)).getLong(0);

    private final FileOps files;
    private final Path directory;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SLOTS * SLOT_LENGTH);
    private final ByteView view = new ByteView(buffer);
    private final CRC32C crc = new CRC32C();
    private JournalFile file;
    private long createdNs;
    private long sequence;
    private int lastSlot;

    CommitMark(final FileOps files, final Path directory)
    {
        this.files = files;
        this.directory = directory;
    }

    /**
     * Read the better slot.
     *
     * @return whether there is a good one.
     */
    boolean read() throws IOException
    {
        final Path path = directory.resolve(NAME);
        if (!files.list(directory).contains(NAME))
        {
            return false;
        }
        try (JournalFile present = files.open(path, false))
        {
            present.force();
            FileBytes.fill(present, path, buffer.clear(), 0, (int)Math.min(present.size(), buffer.capacity()));
        }
        for (int slot = 0; slot < SLOTS; slot++)
        {
            final int at = slot * SLOT_LENGTH;
            if (view.getLong(at + MAGIC_OFFSET) == MAGIC_WORD && view.getInt(at + CHECKSUM_OFFSET) == checksum(at))
            {
                if (view.getInt(at + VERSION_OFFSET) != VERSION)
                {
                    throw new JournalException(JournalException.Kind.WRONG_FORMAT, path + ": version " +
                        view.getInt(at + VERSION_OFFSET) + " is not " + VERSION + ", which this release reads");
                }
                if (view.getLong(at + SEQUENCE_OFFSET) > sequence)
                {
                    sequence = view.getLong(at + SEQUENCE_OFFSET);
                    createdNs = view.getLong(at + CREATED_OFFSET);
                    lastSlot = slot;
                }
            }
        }
        return sequence > 0;
    }

    /** Sequence of the last record that was certainly forced; 0 without a mark. */
    long sequence()
    {
        return sequence;
    }

    /** Creation time of the marked journal. */
    long createdNs()
    {
        return createdNs;
    }

    /** Sets the journal that it marks. Call before the first write. */
    void createdNs(final long created)
    {
        createdNs = created;
    }

    private int checksum(final int at)
    {
        crc.reset();
        view.updateChecksum(crc, at, CHECKSUM_OFFSET);
        return (int)crc.getValue();
    }

    /** Called by the keeper, of an open file. Does nothing if the sequence is marked already. */
    void write(final long committed) throws IOException
    {
        if (committed <= sequence)
        {
            return;
        }
        lastSlot = 1 - lastSlot;
        final int at = lastSlot * SLOT_LENGTH;
        view.putLong(at + MAGIC_OFFSET, MAGIC_WORD);
        view.putInt(at + VERSION_OFFSET, VERSION);
        view.putLong(at + CREATED_OFFSET, createdNs);
        view.putLong(at + SEQUENCE_OFFSET, committed);
        view.putInt(at + CHECKSUM_OFFSET, checksum(at));
        FileBytes.write(file, buffer.limit(at + SLOT_LENGTH).position(at), at);
        file.force();
        sequence = committed;
    }

    /**
     * Opens or creates the file, at the start: at the first write, others may have all file descriptors. After a
     * failure the keeper writes no more, but closes the file.
     */
    void open() throws IOException
    {
        final Path path = directory.resolve(NAME);
        if (files.list(directory).contains(NAME))
        {
            file = files.open(path, true);
            return;
        }
        file = files.create(path);
        FileBytes.write(file, ByteBuffer.allocate(SLOTS * SLOT_LENGTH), 0);
        file.force();
        files.forceDirectory(directory);
    }

    void close() throws IOException
    {
        if (file != null)
        {
            file.close();
        }
    }
}
