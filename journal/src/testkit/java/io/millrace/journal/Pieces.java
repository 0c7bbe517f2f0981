package io.millrace.journal;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel over a buffer that takes and gives a few bytes at a time, as a socket does. One thread. */
public final class Pieces implements WritableByteChannel, ReadableByteChannel
{
    private final ByteBuffer bytes;
    private final int most;

    /**
     * @param bytes written at its position; flip it before the channel is read.
     * @param most  at most so many bytes at a time; 0 for a channel that neither takes nor gives any.
     */
    public Pieces(final ByteBuffer bytes, final int most)
    {
        this.bytes = bytes;
        this.most = most;
    }

    @Override
    public int write(final ByteBuffer source)
    {
        return move(source, bytes);
    }

    @Override
    public int read(final ByteBuffer target)
    {
        return bytes.hasRemaining() ? move(bytes, target) : -1;
    }

    private int move(final ByteBuffer from, final ByteBuffer to)
    {
        final int length = Math.min(most, Math.min(from.remaining(), to.remaining()));
        final int limit = from.limit();
        to.put(from.limit(from.position() + length));
        from.limit(limit);
        return length;
    }

    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public void close()
    {
        throw new IllegalStateException("its owner closes it");
    }
}
