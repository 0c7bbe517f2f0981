package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Gives the bytes of a snapshot's state, little-endian, in the order in which they were written. One thread. The
 * journal makes it for its own snapshots; {@link #from} is for state that lives in another log. Allocates a buffer of
 * 256 KiB once.
 */
public final class SnapshotInput
{
    private static final int BUFFER_LENGTH = 256 * 1024;

    /** Null: a channel. */
    private final JournalFile file;
    private final Path path;
    private final ReadableByteChannel channel;
    private final long end;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final ByteView view = new ByteView(buffer);
    private long next;
    private int at;
    private int loaded;

    SnapshotInput(final JournalFile file, final Path path, final long from, final long end)
    {
        this.file = file;
        this.path = path;
        channel = null;
        this.end = end;
        next = from;
    }

    private SnapshotInput(final ReadableByteChannel channel, final long lengthBytes)
    {
        file = null;
        path = null;
        this.channel = Objects.requireNonNull(channel, "channel");
        end = lengthBytes;
        if (lengthBytes < 0)
        {
            throw new IllegalArgumentException("lengthBytes " + lengthBytes + " is negative");
        }
    }

    /**
     * An input for one state that {@link SnapshotOutput#to} has written: pass it to {@link Snapshotable#readFrom}. It
     * does not check the bytes: compare their {@linkplain SnapshotOutput#checksum() checksum} before. After a failed
     * read the input is of no further use.
     *
     * @param channel     gives the bytes; blocks until it has some. Not closed, and read no further than the state.
     * @param lengthBytes length of the state, see {@link SnapshotOutput#lengthBytes}.
     * @return an input.
     * @throws IllegalArgumentException if the length is negative.
     */
    public static SnapshotInput from(final ReadableByteChannel channel, final long lengthBytes)
    {
        return new SnapshotInput(channel, lengthBytes);
    }

    /**
     * Read eight bytes.
     *
     * @return the number.
     * @throws IOException when fewer are left.
     */
    public long getLong() throws IOException
    {
        reserve(Long.BYTES);
        at += Long.BYTES;
        return view.getLong(at - Long.BYTES);
    }

    /**
     * Read four bytes.
     *
     * @return the number.
     * @throws IOException when fewer are left.
     */
    public int getInt() throws IOException
    {
        reserve(Integer.BYTES);
        at += Integer.BYTES;
        return view.getInt(at - Integer.BYTES);
    }

    /**
     * Read as many bytes as remain in a buffer.
     *
     * @param target is filled.
     * @throws IOException when fewer are left.
     */
    public void getBytes(final ByteBuffer target) throws IOException
    {
        while (target.hasRemaining())
        {
            reserve(1);
            final int length = Math.min(loaded - at, target.remaining());
            target.put(buffer.limit(at + length).position(at));
            at += length;
        }
    }

    /**
     * Number of remaining bytes.
     *
     * @return bytes.
     */
    public long remaining()
    {
        return end - next + loaded - at;
    }

    private void reserve(final int length) throws IOException
    {
        if (loaded - at >= length)
        {
            return;
        }
        if (remaining() < length)
        {
            throw new EOFException((path == null ? "" : path + ": ") + "the state has " + remaining() +
                " bytes left, " + length + " are wanted");
        }
        buffer.limit(loaded).position(at);
        buffer.compact();
        final int kept = buffer.position();
        final int more = (int)Math.min(BUFFER_LENGTH - kept, end - next);
        if (file != null)
        {
            FileBytes.fill(file, path, buffer, next, more);
        }
        else
        {
            fill(more);
        }
        next += more;
        at = 0;
        loaded = kept + more;
    }

    private void fill(final int length) throws IOException
    {
        buffer.limit(buffer.position() + length);
        while (buffer.hasRemaining())
        {
            final int read = channel.read(buffer);
            if (read == 0)
            {
                throw new IOException("the channel gave no byte of the snapshot: it must block");
            }
            if (read < 0)
            {
                throw new EOFException("the channel ends " + (end - next - length + buffer.remaining()) +
                    " bytes before the state");
            }
        }
    }
}
