package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Takes the bytes of a snapshot, little-endian, and writes them in pieces. One thread.
 */
public final class SnapshotOutput
{
    private static final int BUFFER_LENGTH = 256 * 1024;

    private final JournalFile file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final ByteView view = new ByteView(buffer);
    private final CRC32C crc = new CRC32C();
    private int pending;
    private long written;

    SnapshotOutput(final JournalFile file)
    {
        this.file = file;
    }

    /**
     * Write eight bytes.
     *
     * @param value the number.
     * @throws IOException when the file cannot be written.
     */
    public void putLong(final long value) throws IOException
    {
        reserve(Long.BYTES);
        view.putLong(pending, value);
        pending += Long.BYTES;
    }

    /**
     * Write four bytes.
     *
     * @param value the number.
     * @throws IOException when the file cannot be written.
     */
    public void putInt(final int value) throws IOException
    {
        reserve(Integer.BYTES);
        view.putInt(pending, value);
        pending += Integer.BYTES;
    }

    /**
     * Write any number of bytes.
     *
     * @param source its remaining bytes; none remain afterwards.
     * @throws IOException when the file cannot be written.
     */
    public void putBytes(final ByteBuffer source) throws IOException
    {
        final int end = source.limit();
        while (source.hasRemaining())
        {
            reserve(1);
            final int length = Math.min(BUFFER_LENGTH - pending, source.remaining());
            buffer.limit(BUFFER_LENGTH).position(pending);
            buffer.put(source.limit(source.position() + length));
            source.limit(end);
            pending += length;
        }
    }

    /** Bytes so far. */
    long length()
    {
        return written + pending;
    }

    /** Of all bytes so far. */
    int checksum() throws IOException
    {
        flush();
        return (int)crc.getValue();
    }

    private void reserve(final int length) throws IOException
    {
        if (BUFFER_LENGTH - pending < length)
        {
            flush();
        }
    }

    void flush() throws IOException
    {
        view.updateChecksum(crc, 0, pending);
        FileBytes.write(file, buffer.limit(pending).position(0), written);
        written += pending;
        pending = 0;
    }
}
