package io.millrace.gateway.mold;

import io.millrace.pool.Range;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes MoldUDP64 packets of one session: see {@link MoldDescriptor}. Allocates nothing after the constructor. One
 * thread.
 */
public final class MoldPacketEncoder
{
    private final ByteBuffer buffer;
    private long sessionHigh;
    private short sessionLow;
    private int length;
    private int count;

    /**
     * An encoder with a packet without messages.
     *
     * @param session   1 to 10 printable ASCII characters.
     * @param maxLength bytes of the longest packet, {@value MoldDescriptor#HEADER_LENGTH} to
     *                  {@value MoldDescriptor#MAX_PACKET_LENGTH}.
     * @throws IllegalArgumentException if one is out of range.
     */
    public MoldPacketEncoder(final String session, final int maxLength)
    {
        final ByteBuffer name = ByteBuffer.wrap(session(session));
        Range.check("packet length", maxLength, MoldDescriptor.HEADER_LENGTH, MoldDescriptor.MAX_PACKET_LENGTH);
        buffer = ByteBuffer.allocateDirect(maxLength);
        session(name.getLong(0), name.getShort(Long.BYTES));
        begin(1);
    }

    /**
     * A session name as it is on the wire.
     *
     * @param name 1 to 10 printable ASCII characters.
     * @return ten bytes, padded right with spaces.
     * @throws IllegalArgumentException if it is longer or empty, or has another character.
     */
    public static byte[] session(final String name)
    {
        if (name.isEmpty() || name.length() > MoldDescriptor.SESSION_LENGTH ||
            name.chars().anyMatch(c -> c < 33 || c > 126))
        {
            throw new IllegalArgumentException("session \"" + name + "\" is not 1.." + MoldDescriptor.SESSION_LENGTH +
                " characters in 33..126");
        }
        final byte[] bytes = new byte[MoldDescriptor.SESSION_LENGTH];
        Arrays.fill(bytes, (byte)' ');
        System.arraycopy(name.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, name.length());
        return bytes;
    }

    /** Session of the next packets, as {@link MoldPacket} reads it. */
    void session(final long high, final short low)
    {
        sessionHigh = high;
        sessionLow = low;
    }

    /**
     * Begin a packet; it is a heartbeat as long as no message is put.
     *
     * @param sequence of its first message.
     * @return this.
     */
    public MoldPacketEncoder begin(final long sequence)
    {
        buffer.clear();
        buffer.putLong(MoldDescriptor.SESSION_OFFSET, sessionHigh);
        buffer.putShort(MoldDescriptor.SESSION_OFFSET + Long.BYTES, sessionLow);
        buffer.putLong(MoldDescriptor.SEQUENCE_OFFSET, sequence);
        length = MoldDescriptor.HEADER_LENGTH;
        setCount(0);
        return this;
    }

    private void setCount(final int newCount)
    {
        count = newCount;
        buffer.putShort(MoldDescriptor.COUNT_OFFSET, (short)newCount);
    }

    /**
     * Put a message behind the others.
     *
     * @param from   has the message.
     * @param offset of the message.
     * @param bytes  of the message, 0 to 65,535.
     * @return false if it does not fit; nothing is changed then.
     */
    public boolean put(final ByteBuffer from, final int offset, final int bytes)
    {
        if (bytes > buffer.capacity() - length - MoldDescriptor.MESSAGE_LENGTH_BYTES ||
            count == MoldDescriptor.MAX_COUNT)
        {
            return false;
        }
        buffer.putShort(length, (short)bytes);
        buffer.put(length + MoldDescriptor.MESSAGE_LENGTH_BYTES, from, offset, bytes);
        length += MoldDescriptor.MESSAGE_LENGTH_BYTES + bytes;
        setCount(count + 1);
        return true;
    }

    /**
     * The packet that ends the session.
     *
     * @param sequence of the message that would be the next one.
     * @return this.
     */
    public MoldPacketEncoder endOfSession(final long sequence)
    {
        return begin(sequence).withCount(MoldDescriptor.END_OF_SESSION);
    }

    /**
     * A request for messages.
     *
     * @param sequence of the first one.
     * @param messages number of messages, 1 to {@value MoldDescriptor#MAX_COUNT}.
     * @return this.
     */
    public MoldPacketEncoder request(final long sequence, final int messages)
    {
        return begin(sequence).withCount(messages);
    }

    private MoldPacketEncoder withCount(final int newCount)
    {
        setCount(newCount);
        return this;
    }

    /** @return number of messages in the packet. */
    public int count()
    {
        return count;
    }

    /** @return bytes of the packet. */
    public int length()
    {
        return length;
    }

    /** @return the packet, to be written: from position 0 to its limit. Always the same object. */
    public ByteBuffer packet()
    {
        return buffer.limit(length).position(0);
    }
}
