package io.millrace.server.lines;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A small file with the place up to which every line was handled. Two slots of 512 bytes, a sector each, are written in
 * turn and forced, so a torn write leaves the other one intact.
 * <pre>
 *   offset size
 *        0    8  magic MRTAILPO
 *        8    4  version, 1
 *       12    4  headLength: bytes of the tailed file that the head's checksum covers, 0 to 256
 *       16    8  generation, from 1; the greater one of the two slots is valid
 *       24    8  offset in the tailed file
 *       32    4  checksum of the head
 *       36    4  length of the key in bytes, 0 to 256
 *       40    n  key of the tailed file, UTF-8
 *      508    4  CRC32C of the 508 bytes before
 * </pre>
 */
final class TailPosition implements AutoCloseable
{
    private static final long MAGIC =
        new ByteView("MRTAILPO".getBytes(StandardCharsets.US_ASCII)).getLong(0);
    private static final int VERSION = 1;
    private static final int SLOT_LENGTH = 512;
    private static final int CHECKSUM_OFFSET = 508;
    private static final int KEY_OFFSET = 40;
    private static final int MAX_KEY_BYTES = 256;

    String key = "";
    long offset;
    int headLength;
    int headChecksum;

    private final Path path;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SLOT_LENGTH);
    private final ByteView view = new ByteView(buffer);
    private final CRC32C crc = new CRC32C();
    private FileChannel channel;
    private long generation;

    TailPosition(final Path path)
    {
        this.path = path;
    }

    /** Opens or creates the file; returns whether it has a position. */
    boolean open() throws IOException
    {
        generation = 0;
        channel = FileChannel.open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        final boolean isNew = channel.size() == 0;
        readSlot(0);
        readSlot(SLOT_LENGTH);
        if (generation == 0 && channel.size() > 2 * SLOT_LENGTH)
        {
            throw new IOException(path + " is no position of a tailed file");
        }
        if (isNew)
        {
            try (FileChannel folder =
                FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ))
            {
                folder.force(true);
            }
        }
        return generation > 0;
    }

    private void readSlot(final int at) throws IOException
    {
        buffer.clear();
        int bytes = 0;
        while (buffer.hasRemaining() && bytes >= 0)
        {
            bytes = channel.read(buffer, at + buffer.position());
        }
        if (buffer.hasRemaining() || view.getLong(0) != MAGIC || view.getInt(CHECKSUM_OFFSET) != checksum())
        {
            return;
        }
        if (view.getInt(8) != VERSION)
        {
            throw new IOException(path + ": version " + view.getInt(8) + " is not " + VERSION);
        }
        if (view.getLong(16) > generation)
        {
            generation = view.getLong(16);
            headLength = view.getInt(12);
            offset = view.getLong(24);
            headChecksum = view.getInt(32);
            final byte[] text = new byte[view.getInt(36)];
            buffer.clear().position(KEY_OFFSET);
            buffer.get(text);
            key = new String(text, StandardCharsets.UTF_8);
        }
    }

    private int checksum()
    {
        crc.reset();
        view.updateChecksum(crc, 0, CHECKSUM_OFFSET);
        return (int)crc.getValue();
    }

    /** Writes and forces the position; allocates nothing. */
    void write(final byte[] keyBytes) throws IOException
    {
        final long next = generation + 1;
        for (int i = 0; i < SLOT_LENGTH; i += Long.BYTES)
        {
            view.putLong(i, 0);
        }
        view.putLong(0, MAGIC);
        view.putInt(8, VERSION);
        view.putInt(12, headLength);
        view.putLong(16, next);
        view.putLong(24, offset);
        view.putInt(32, headChecksum);
        final int length = Math.min(keyBytes.length, MAX_KEY_BYTES);
        view.putInt(36, length);
        buffer.clear().position(KEY_OFFSET);
        buffer.put(keyBytes, 0, length);
        view.putInt(CHECKSUM_OFFSET, checksum());
        final long at = (next & 1) * SLOT_LENGTH;
        buffer.clear();
        while (buffer.hasRemaining())
        {
            channel.write(buffer, at + buffer.position());
        }
        channel.force(false);
        generation = next;
    }

    @Override
    public void close() throws IOException
    {
        if (channel != null)
        {
            channel.close();
            channel = null;
        }
    }
}
