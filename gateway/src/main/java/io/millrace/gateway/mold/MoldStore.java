package io.millrace.gateway.mold;

import io.millrace.pool.Range;

import java.nio.ByteBuffer;

/**
 * The last messages of a session, for retransmission. Bounded in messages and bytes: a new message displaces the oldest
 * ones. Allocates nothing after the constructor. One thread.
 */
public final class MoldStore
{
    private final ByteBuffer bytes;
    /** Where a message begins, by its sequence modulo the capacity; counted from the first message ever. */
    private final long[] positions;
    private final int[] lengths;
    private final int mask;
    private long oldest = 1;
    private long next = 1;
    private long end;

    /**
     * An empty store.
     *
     * @param messages    greatest number of messages, a power of two in 1..2^24.
     * @param lengthBytes bytes of all of them, 1 to 2^30.
     * @throws IllegalArgumentException if one is out of range.
     */
    public MoldStore(final int messages, final int lengthBytes)
    {
        Range.check("stored messages", messages, 1, 1 << 24);
        if (Integer.bitCount(messages) != 1)
        {
            throw new IllegalArgumentException("stored messages " + messages + " is not a power of two");
        }
        bytes = ByteBuffer.allocateDirect(Range.check("stored bytes", lengthBytes, 1, 1 << 30));
        positions = new long[messages];
        lengths = new int[messages];
        mask = messages - 1;
    }

    /**
     * Keep a message.
     *
     * @param from   has it.
     * @param offset of it.
     * @param length of it; more than the store holds displaces all, and the message itself is not kept.
     * @return its sequence.
     */
    public long put(final ByteBuffer from, final int offset, final int length)
    {
        // A message is in one piece: the rest of the buffer stays unused.
        final int at = (int)(end % bytes.capacity());
        final long begin = length > bytes.capacity() - at ? end + bytes.capacity() - at : end;
        while (oldest < next && (next - oldest > mask || begin + length - positions[index(oldest)] > bytes.capacity()))
        {
            oldest++;
        }
        if (length > bytes.capacity())
        {
            oldest = next + 1;
            return next++;
        }
        bytes.put((int)(begin % bytes.capacity()), from, offset, length);
        positions[index(next)] = begin;
        lengths[index(next)] = length;
        end = begin + length;
        return next++;
    }

    private int index(final long sequence)
    {
        return (int)sequence & mask;
    }

    /** @return sequence of the oldest message that is kept; that of the next message if none is. */
    public long oldest()
    {
        return oldest;
    }

    /** @return sequence of the next message. */
    public long next()
    {
        return next;
    }

    /**
     * Fill a packet with messages.
     *
     * @param sequence of the first one, {@link #oldest()} to {@link #next()} - 1.
     * @param count    greatest number of messages.
     * @param into     receives as many as fit.
     * @return the packet.
     */
    MoldPacketEncoder fill(final long sequence, final int count, final MoldPacketEncoder into)
    {
        into.begin(sequence);
        long at = sequence;
        while (at < next && at - sequence < count &&
            into.put(bytes, (int)(positions[index(at)] % bytes.capacity()), lengths[index(at)]))
        {
            at++;
        }
        return into;
    }
}
