package io.millrace.gateway.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * One connection of a {@link TcpSink}: bytes that wait for the socket, and the symbols whose latest event the client
 * has still to get. Reused for the next connection.
 */
final class TcpClient
{
    /** Of 4 KiB each, at the close: more than the client's system sends ahead by default. */
    private static final int MAX_LAST_READS = 64;

    private final ByteBuffer queue;
    private final long[] pendingSymbols;
    private SocketChannel channel;
    private SelectionKey key;
    private int pendingCount;
    private int cursor;
    private boolean blocked;
    private long progressNs;

    TcpClient(final int queueBytes, final int maxSymbols)
    {
        queue = ByteBuffer.allocateDirect(queueBytes);
        pendingSymbols = new long[(maxSymbols + 63) / 64];
    }

    void connected(final SocketChannel newChannel, final SelectionKey newKey)
    {
        channel = newChannel;
        key = newKey;
        queue.clear();
        blocked = false;
        cursor = 0;
        pendingCount = 0;
        Arrays.fill(pendingSymbols, 0);
    }

    SocketChannel channel()
    {
        return channel;
    }

    SelectionKey key()
    {
        return key;
    }

    boolean isPending(final int index)
    {
        return index >= 0 && (pendingSymbols[index >> 6] & 1L << index) != 0;
    }

    void setPending(final int index)
    {
        pendingSymbols[index >> 6] |= 1L << index;
        pendingCount++;
    }

    boolean hasPending()
    {
        return pendingCount > 0;
    }

    /** The next pending symbol after the one before, so that a low number has no advantage. Call if one is pending. */
    int nextPending()
    {
        int word = cursor >> 6;
        long bits = pendingSymbols[word] & -1L << cursor;
        while (bits == 0)
        {
            word = word + 1 == pendingSymbols.length ? 0 : word + 1;
            bits = pendingSymbols[word];
        }
        final int index = (word << 6) + Long.numberOfTrailingZeros(bits);
        cursor = index + 1 == pendingSymbols.length << 6 ? 0 : index + 1;
        return index;
    }

    void clearPending(final int index)
    {
        pendingSymbols[index >> 6] &= ~(1L << index);
        pendingCount--;
    }

    boolean hasCapacity(final int lengthBytes)
    {
        return queue.remaining() >= lengthBytes;
    }

    void append(final byte[] bytes, final int lengthBytes)
    {
        queue.put(bytes, 0, lengthBytes);
    }

    boolean hasBytes()
    {
        return queue.position() > 0;
    }

    /** Whether the socket took not all bytes, and has not reported capacity since. */
    boolean isBlocked()
    {
        return blocked;
    }

    void unblock()
    {
        blocked = false;
    }

    /** Write as much as the socket takes. */
    void write(final long nowNs) throws IOException
    {
        queue.flip();
        final int written;
        try
        {
            written = channel.write(queue);
        }
        finally
        {
            queue.compact();
        }
        final boolean rest = queue.position() > 0;
        if (written > 0 || !blocked)
        {
            progressNs = nowNs;
        }
        if (rest != ((key.interestOps() & SelectionKey.OP_WRITE) != 0))
        {
            key.interestOps(rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
        blocked = rest;
    }

    /** Discard what the client sent: at most one buffer. True if the connection has ended. */
    boolean isEnded(final ByteBuffer discarded)
    {
        discarded.clear();
        try
        {
            return channel.read(discarded) < 0;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** A close with unread bytes would reset the connection, and the client could lose the last events. */
    void discardAll(final ByteBuffer discarded)
    {
        int reads = 0;
        // What has come until now is enough.
        while (reads < MAX_LAST_READS && !isEnded(discarded) && discarded.position() > 0)
        {
            reads++;
        }
    }

    /** Nanoseconds since the socket took a byte, for a blocked client. */
    long stalledNs(final long nowNs)
    {
        return nowNs - progressNs;
    }
}
