package io.millrace.exchange.soup;

import io.millrace.pool.Range;

import java.nio.ByteBuffer;

/**
 * View of the first SoupBinTCP packet in received bytes: see {@link SoupDescriptor}. Copies and allocates nothing. One
 * thread.
 */
public final class SoupPacket
{
    /** Result of {@link #wrap}: the rest of the packet is missing. */
    public static final int INCOMPLETE = 0;
    /** Result of {@link #wrap}: no packet begins here; close the connection. */
    public static final int MALFORMED = -1;
    /** Result of {@link #sequence}: not a number. */
    public static final long NO_NUMBER = -1;

    private final int maxPayloadLength;
    private ByteBuffer buffer;
    private int offset;
    private int length;

    /**
     * A view of nothing.
     *
     * @param maxPayloadLength longest payload to accept, 0 to {@value SoupDescriptor#MAX_PAYLOAD_LENGTH}. A longer
     *                         one is malformed as soon as its length arrives.
     * @throws IllegalArgumentException if it is out of range.
     */
    public SoupPacket(final int maxPayloadLength)
    {
        this.maxPayloadLength = Range.check("payload length", maxPayloadLength, 0, SoupDescriptor.MAX_PAYLOAD_LENGTH);
    }

    /**
     * View the packet that begins at an offset. Fields are readable only after a positive result.
     *
     * @param newBuffer big-endian.
     * @param newOffset of the packet.
     * @param end       offset behind the last received byte.
     * @return length of the packet in bytes, {@link #INCOMPLETE} or {@link #MALFORMED}.
     */
    public int wrap(final ByteBuffer newBuffer, final int newOffset, final int end)
    {
        if (end - newOffset < SoupDescriptor.TYPE_OFFSET)
        {
            return INCOMPLETE;
        }
        final int behindLength = newBuffer.getShort(newOffset + SoupDescriptor.LENGTH_OFFSET) & 0xFFFF;
        if (behindLength < Byte.BYTES || behindLength - Byte.BYTES > maxPayloadLength)
        {
            return MALFORMED;
        }
        if (end - newOffset - SoupDescriptor.TYPE_OFFSET < behindLength)
        {
            return INCOMPLETE;
        }
        buffer = newBuffer;
        offset = newOffset;
        length = SoupDescriptor.TYPE_OFFSET + behindLength;
        return length;
    }

    /** @return the type letter. */
    public byte type()
    {
        return buffer.get(offset + SoupDescriptor.TYPE_OFFSET);
    }

    /** @return where the payload begins in the buffer. */
    public int payloadOffset()
    {
        return offset + SoupDescriptor.PAYLOAD_OFFSET;
    }

    /** @return bytes of the payload; may be 0. */
    public int payloadLength()
    {
        return length - SoupDescriptor.HEADER_LENGTH;
    }

    /** @return whether this is a login request of the right length; only then its fields are readable. */
    public boolean isLoginRequest()
    {
        return type() == SoupDescriptor.LOGIN_REQUEST && length == SoupDescriptor.LOGIN_REQUEST_LENGTH;
    }

    /**
     * Whether a field has these bytes. Looks at each of them, so the time does not depend on the place of the first
     * difference.
     *
     * @param at     offset of the field in the packet, such as {@link SoupDescriptor#TOKEN_OFFSET}.
     * @param wanted all bytes of the field, padded as on the wire.
     * @return whether all bytes are equal.
     */
    public boolean equal(final int at, final byte[] wanted)
    {
        int difference = 0;
        for (int i = 0; i < wanted.length; i++)
        {
            difference |= buffer.get(offset + at + i) ^ wanted[i];
        }
        return difference == 0;
    }

    /**
     * A sequence in ASCII: spaces, digits, spaces.
     *
     * @param at offset of the field in the packet, such as {@link SoupDescriptor#REQUESTED_SEQUENCE_OFFSET}.
     * @return the number, 0 if there are only spaces, or {@link #NO_NUMBER} if it is none or exceeds 2^63 - 1.
     */
    public long sequence(final int at)
    {
        int i = skip(at, 0);
        long number = 0;
        for (; i < SoupDescriptor.SEQUENCE_LENGTH && buffer.get(offset + at + i) != ' '; i++)
        {
            final int digit = buffer.get(offset + at + i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10)
            {
                return NO_NUMBER;
            }
            number = number * 10 + digit;
        }
        return skip(at, i) == SoupDescriptor.SEQUENCE_LENGTH ? number : NO_NUMBER;
    }

    private int skip(final int at, final int from)
    {
        int i = from;
        while (i < SoupDescriptor.SEQUENCE_LENGTH && buffer.get(offset + at + i) == ' ')
        {
            i++;
        }
        return i;
    }
}
