package io.millrace.gateway.mold;

import java.nio.ByteBuffer;

/**
 * View of a MoldUDP64 packet in a big-endian buffer, and an iterator over its messages: see {@link MoldDescriptor}.
 * Copies nothing and allocates nothing. One thread.
 */
public final class MoldPacket
{
    private ByteBuffer buffer;
    private int offset;
    private int end;
    private int count;
    /** Messages that {@link #next()} has passed. */
    private int index;
    private int at;
    private int messageOffset;
    private int messageLength;

    /** A view of nothing; it has no message. */
    public MoldPacket()
    {
    }

    /**
     * View a packet and check that its messages fill it exactly. If they do not, the packet has no message.
     *
     * @param newBuffer big-endian.
     * @param newOffset of the packet.
     * @param length    of the packet, at least 0; all of its bytes are in the buffer.
     * @return false if the packet is malformed.
     */
    public boolean wrap(final ByteBuffer newBuffer, final int newOffset, final int length)
    {
        buffer = newBuffer;
        offset = newOffset;
        end = newOffset + length;
        count = 0;
        index = 0;
        at = newOffset + MoldDescriptor.HEADER_LENGTH;
        if (length < MoldDescriptor.HEADER_LENGTH)
        {
            return false;
        }
        final int messages = newBuffer.getShort(newOffset + MoldDescriptor.COUNT_OFFSET) & 0xFFFF;
        if (messages == MoldDescriptor.END_OF_SESSION)
        {
            return at == end;
        }
        if (!isExact(messages))
        {
            return false;
        }
        count = messages;
        return true;
    }

    private boolean isExact(final int messages)
    {
        int position = at;
        for (int i = 0; i < messages; i++)
        {
            if (end - position < MoldDescriptor.MESSAGE_LENGTH_BYTES)
            {
                return false;
            }
            position += MoldDescriptor.MESSAGE_LENGTH_BYTES + (buffer.getShort(position) & 0xFFFF);
        }
        return position == end;
    }

    /** @return the buffer that has the packet. */
    public ByteBuffer buffer()
    {
        return buffer;
    }

    /** @return first eight bytes of the session name, the first character in the highest byte. */
    public long sessionHigh()
    {
        return buffer.getLong(offset + MoldDescriptor.SESSION_OFFSET);
    }

    /** @return last two bytes of the session name. */
    public short sessionLow()
    {
        return buffer.getShort(offset + MoldDescriptor.SESSION_OFFSET + Long.BYTES);
    }

    /** @return sequence of the first message; of a heartbeat or the end of a session, of the next message. */
    public long sequence()
    {
        return buffer.getLong(offset + MoldDescriptor.SEQUENCE_OFFSET);
    }

    /** @return whether {@link #sequence()} is 1 or more, and all messages of a packet have a number. */
    public boolean hasPossibleSequence()
    {
        final long sequence = sequence();
        return sequence >= 1 && sequence <= Long.MAX_VALUE - MoldDescriptor.MAX_COUNT;
    }

    /** @return number of messages; 0 for a heartbeat, for the end of a session, and for a malformed packet. */
    public int count()
    {
        return count;
    }

    /** @return whether the packet ends the session. */
    public boolean isEndOfSession()
    {
        return (buffer.getShort(offset + MoldDescriptor.COUNT_OFFSET) & 0xFFFF) == MoldDescriptor.END_OF_SESSION;
    }

    /** @return whether {@link #next()} has a message to go to. */
    public boolean hasNext()
    {
        return index < count;
    }

    /** Go to the next message. Call only after {@link #hasNext()} was true. */
    public void next()
    {
        messageLength = buffer.getShort(at) & 0xFFFF;
        messageOffset = at + MoldDescriptor.MESSAGE_LENGTH_BYTES;
        at = messageOffset + messageLength;
        index++;
    }

    /** @return where the current message begins in the buffer. */
    public int messageOffset()
    {
        return messageOffset;
    }

    /** @return bytes of the current message; may be 0. */
    public int messageLength()
    {
        return messageLength;
    }
}
