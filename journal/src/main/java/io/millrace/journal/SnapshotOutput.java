package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Takes the bytes of a snapshot, little-endian, and writes them in pieces. One thread. The journal makes it for its own
 * snapshots; {@link #to} is for state that lives in another log. Allocates a buffer of 256 KiB once.
 */
public final class SnapshotOutput
{
    private static final int BUFFER_LENGTH = 256 * 1024;

    /** Null: a channel. */
    private final JournalFile file;
    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final ByteView view = new ByteView(buffer);
    private final CRC32C crc = new CRC32C();
    private int pending;
    private long written;

    SnapshotOutput(final JournalFile file)
    {
        this.file = file;
        channel = null;
    }

    private SnapshotOutput(final WritableByteChannel channel)
    {
        file = null;
        this.channel = Objects.requireNonNull(channel, "channel");
    }

    /**
     * An output for one state that is kept elsewhere than in a journal, such as in the snapshot of a cluster: pass it
     * to {@link Snapshotable#writeTo}, then call {@link #flush}. Keep {@link #lengthBytes} and {@link #checksum} with
     * the bytes.
     *
     * @param channel takes the bytes in pieces of at most 256 KiB. It may take a part of a piece, but not nothing: it
     *                blocks. Not closed.
     * @return an output.
     */
    public static SnapshotOutput to(final WritableByteChannel channel)
    {
        return new SnapshotOutput(channel);
    }

    /**
     * Write eight bytes.
     *
     * @param value the number.
     * @throws IOException as {@link #flush}.
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
     * @throws IOException as {@link #flush}.
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
     * @throws IOException as {@link #flush}.
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

    /**
     * Number of bytes so far, with those that are not written yet.
     *
     * @return bytes.
     */
    public long lengthBytes()
    {
        return written + pending;
    }

    /**
     * CRC32C of all bytes so far. Writes those that are not written yet.
     *
     * @return the checksum.
     * @throws IOException as {@link #flush}.
     */
    public int checksum() throws IOException
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

    /**
     * Writes the bytes that are not written yet. A journal does it itself.
     *
     * @throws IOException when they cannot be written. The output is then of no further use.
     */
    public void flush() throws IOException
    {
        view.updateChecksum(crc, 0, pending);
        buffer.limit(pending).position(0);
        if (file != null)
        {
            FileBytes.write(file, buffer, written);
        }
        else
        {
            writeToChannel();
        }
        written += pending;
        pending = 0;
    }

    private void writeToChannel() throws IOException
    {
        while (buffer.hasRemaining())
        {
            if (channel.write(buffer) <= 0)
            {
                throw new IOException("the channel took no byte of the snapshot: it must block");
            }
        }
    }
}
