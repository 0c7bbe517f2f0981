package io.millrace.exchange.soup;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes SoupBinTCP packets into a big-endian buffer: see {@link SoupDescriptor}. Allocates nothing, except
 * {@link #padRight} and {@link #padLeft}. Has no state; any thread.
 */
public final class SoupEncoder
{
    private SoupEncoder()
    {
    }

    /**
     * The header of a packet; write the payload behind it.
     *
     * @param buffer        big-endian.
     * @param offset        of the packet.
     * @param type          see {@link SoupDescriptor}.
     * @param payloadLength 0 to {@value SoupDescriptor#MAX_PAYLOAD_LENGTH}.
     * @return bytes of header and payload.
     */
    public static int header(final ByteBuffer buffer, final int offset, final byte type, final int payloadLength)
    {
        buffer.putShort(offset + SoupDescriptor.LENGTH_OFFSET, (short)(payloadLength + Byte.BYTES));
        buffer.put(offset + SoupDescriptor.TYPE_OFFSET, type);
        return SoupDescriptor.HEADER_LENGTH + payloadLength;
    }

    /**
     * A packet without payload, such as a heartbeat.
     *
     * @param buffer big-endian.
     * @param offset of the packet.
     * @param type   see {@link SoupDescriptor}.
     * @return bytes written.
     */
    public static int empty(final ByteBuffer buffer, final int offset, final byte type)
    {
        return header(buffer, offset, type, 0);
    }

    /**
     * Login accepted.
     *
     * @param buffer   big-endian.
     * @param offset   of the packet.
     * @param session  ten bytes, see {@link #padLeft}.
     * @param sequence of the next message, at least 1.
     * @return bytes written.
     */
    public static int loginAccepted(
        final ByteBuffer buffer, final int offset, final byte[] session, final long sequence)
    {
        buffer.put(offset + SoupDescriptor.ACCEPTED_SESSION_OFFSET, session, 0, SoupDescriptor.SESSION_LENGTH);
        sequence(buffer, offset + SoupDescriptor.ACCEPTED_SEQUENCE_OFFSET, sequence);
        return header(buffer, offset, SoupDescriptor.LOGIN_ACCEPTED,
            SoupDescriptor.LOGIN_ACCEPTED_LENGTH - SoupDescriptor.HEADER_LENGTH);
    }

    /**
     * Login rejected.
     *
     * @param buffer big-endian.
     * @param offset of the packet.
     * @param reason see {@link SoupDescriptor}.
     * @return bytes written.
     */
    public static int loginRejected(final ByteBuffer buffer, final int offset, final byte reason)
    {
        buffer.put(offset + SoupDescriptor.REASON_OFFSET, reason);
        return header(buffer, offset, SoupDescriptor.LOGIN_REJECTED, Byte.BYTES);
    }

    /**
     * Login request, for clients.
     *
     * @param buffer   big-endian.
     * @param offset   of the packet.
     * @param user     six bytes, see {@link #padRight}.
     * @param token    ten bytes, see {@link #padRight}.
     * @param session  ten bytes, see {@link #padLeft}; spaces for any.
     * @param sequence next wanted message; 0 for the newest.
     * @return bytes written.
     */
    public static int loginRequest(
        final ByteBuffer buffer,
        final int offset,
        final byte[] user,
        final byte[] token,
        final byte[] session,
        final long sequence)
    {
        buffer.put(offset + SoupDescriptor.USER_OFFSET, user, 0, SoupDescriptor.USER_LENGTH);
        buffer.put(offset + SoupDescriptor.TOKEN_OFFSET, token, 0, SoupDescriptor.TOKEN_LENGTH);
        buffer.put(offset + SoupDescriptor.REQUESTED_SESSION_OFFSET, session, 0, SoupDescriptor.SESSION_LENGTH);
        sequence(buffer, offset + SoupDescriptor.REQUESTED_SEQUENCE_OFFSET, sequence);
        return header(buffer, offset, SoupDescriptor.LOGIN_REQUEST,
            SoupDescriptor.LOGIN_REQUEST_LENGTH - SoupDescriptor.HEADER_LENGTH);
    }

    /**
     * A sequence as ASCII digits behind spaces.
     *
     * @param buffer   any.
     * @param offset   of the field of {@value SoupDescriptor#SEQUENCE_LENGTH} bytes.
     * @param sequence 0 or more.
     */
    public static void sequence(final ByteBuffer buffer, final int offset, final long sequence)
    {
        long rest = sequence;
        for (int i = SoupDescriptor.SEQUENCE_LENGTH - 1; i >= 0; i--)
        {
            final boolean isDigit = rest > 0 || i == SoupDescriptor.SEQUENCE_LENGTH - 1;
            buffer.put(offset + i, (byte)(isDigit ? '0' + rest % 10 : ' '));
            rest /= 10;
        }
    }

    /**
     * A text with spaces behind it.
     *
     * @param text   printable ASCII characters.
     * @param length of the field.
     * @return a new array.
     * @throws IllegalArgumentException if the text is longer than its field or has another character.
     */
    public static byte[] padRight(final String text, final int length)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte)' ');
        System.arraycopy(checked(text, length), 0, bytes, 0, text.length());
        return bytes;
    }

    /**
     * A text with spaces before it.
     *
     * @param text   printable ASCII characters.
     * @param length of the field.
     * @return a new array.
     * @throws IllegalArgumentException if the text is longer than its field or has another character.
     */
    public static byte[] padLeft(final String text, final int length)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte)' ');
        System.arraycopy(checked(text, length), 0, bytes, length - text.length(), text.length());
        return bytes;
    }

    private static byte[] checked(final String text, final int length)
    {
        if (text.length() > length || text.chars().anyMatch(c -> c < 33 || c > 126))
        {
            // Not the text: it may be a token.
            throw new IllegalArgumentException("a text of " + text.length() + " characters is not 0.." + length +
                " characters in 33..126");
        }
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
