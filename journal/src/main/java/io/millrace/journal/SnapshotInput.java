package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Gives the bytes of a snapshot's state, little-endian, in the order in which they were written. One thread.
 */
public final class SnapshotInput
{
    private static final int BUFFER_LENGTH = 256 * 1024;

    private final JournalFile file;
    private final Path path;
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
        this.end = end;
        next = from;
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
            throw new EOFException(path + ": the state has " + remaining() + " bytes left, " + length + " are wanted");
        }
        buffer.limit(loaded).position(at);
        buffer.compact();
        final int kept = buffer.position();
        final int more = (int)Math.min(BUFFER_LENGTH - kept, end - next);
        FileBytes.fill(file, path, buffer, next, more);
        next += more;
        at = 0;
        loaded = kept + more;
    }
}
