package io.millrace.exchange.session;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Sockets of connections that have ended on our side. Closing one with unread bytes would reset it, and the client
 * could lose the last answers and the reason. So what still comes is discarded, until the client closes or a second is
 * over. The agent of order entry only.
 */
final class LeavingSockets
{
    /** At a time: each costs a descriptor. One more closes the oldest. */
    static final int CAPACITY = 64;
    /** Longer than a round trip to any client. */
    static final long STAY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Sockets in one call: some 10 microseconds of work. */
    private static final int MAX_READS = 8;
    private static final int DISCARDED_BYTES = 16 << 10;
    /** At the end of a stay: more than a client's system sends ahead by default. */
    private static final int LAST_READS = 16;

    /** Positions from first to end are in use, at their lowest bits; null for a socket that is closed already. */
    private final SocketChannel[] channels = new SocketChannel[CAPACITY];
    private final long[] untilNs = new long[CAPACITY];
    private final ByteBuffer discarded = ByteBuffer.allocateDirect(DISCARDED_BYTES);
    private long first;
    private long end;
    private long next;

    /** Takes a socket that does not block, and whose sending side is closed. */
    void add(final SocketChannel channel, final long nowNs)
    {
        if (end - first == CAPACITY)
        {
            closeFirst();
        }
        channels[index(end)] = channel;
        untilNs[index(end)] = nowNs + STAY_NS;
        end++;
    }

    /** Discards what has come, of a few sockets, and closes those that have ended or stayed too long. */
    void doWork(final long nowNs)
    {
        while (first < end && (channels[index(first)] == null || nowNs - untilNs[index(first)] >= 0))
        {
            closeFirst();
        }
        for (long reads = Math.min(MAX_READS, end - first); reads > 0; reads--)
        {
            next = next < first || next >= end ? first : next;
            discard(next++);
        }
    }

    /** Whether bytes have come. */
    private boolean discard(final long position)
    {
        final SocketChannel channel = channels[index(position)];
        int length = 0;
        try
        {
            length = channel == null ? 0 : channel.read(discarded.clear());
            if (length < 0)
            {
                close(position);
            }
        }
        catch (final IOException ex)
        {
            // Reset by the client: nothing can be lost any more.
            close(position);
        }
        return length > 0;
    }

    /** The agent may have had no time to read from it before. */
    private void closeFirst()
    {
        int reads = 0;
        while (reads < LAST_READS && discard(first))
        {
            reads++;
        }
        close(first++);
    }

    private void close(final long position)
    {
        CloseHelper.quietClose(channels[index(position)]);
        channels[index(position)] = null;
    }

    private static int index(final long position)
    {
        return (int)position & CAPACITY - 1;
    }

    /** Closes all. */
    void closeAll()
    {
        while (first < end)
        {
            closeFirst();
        }
    }
}
