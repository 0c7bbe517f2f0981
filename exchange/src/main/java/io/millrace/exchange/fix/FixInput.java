package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXConfig;
import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXMessageParser;
import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44Tags;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Finds the messages in the input of a connection. Checks begin and length before the parser of Philadelphia reads a
 * message. The agent of order entry.
 */
final class FixInput
{
    /** No message that we can serve begins here. */
    static final int MALFORMED = -1;

    private static final int MAX_BODY = 4_096;
    private static final int FIELDS = 64;
    private static final int FIELD_LENGTH = 128;
    private static final int TRAILER_LENGTH = 7;
    private static final byte[] BEGIN = "8=FIX.4.4\0019=".getBytes(StandardCharsets.US_ASCII);
    private static final byte SOH = 1;
    /** Tags below 64 of which a message may have one only, a bit each: those that we read. */
    private static final long SINGLE = bits(7, 11, 16, 34, 35, 36, 38, 40, 41, 43, 44, 49, 52, 54, 55, 56, 59);

    /** Logon, logout, heartbeat, test, resend, reject, reset; new order, cancel, replace, status, mass cancel. */
    private static final String READ_TYPES = "A501234DFGHq";

    private final ByteBuffer input;
    private final FIXMessageParser parser;
    private FIXMessage message;

    FixInput(final ByteBuffer buffer)
    {
        input = buffer.duplicate();
        parser = new FIXMessageParser(FIXConfig.newBuilder().setMaxFieldCount(FIELDS).setFieldCapacity(FIELD_LENGTH)
            .setCheckSumEnabled(true).build(), parsed -> message = parsed);
    }

    private static long bits(final int... tags)
    {
        long bits = 0;
        for (final int tag : tags)
        {
            bits |= 1L << tag;
        }
        return bits;
    }

    /**
     * First tag that is there twice, so that the message does not say which of two values it means; 0 for none.
     * Messages of types that we do not read may repeat them in groups.
     */
    static int repeatedTag(final FIXMessage message, final char type)
    {
        long seen = 0;
        for (int i = READ_TYPES.indexOf(type) < 0 ? message.getFieldCount() : 0; i < message.getFieldCount(); i++)
        {
            final int tag = message.tagAt(i);
            final long bit = tag == FIX44Tags.MassCancelRequestType ? 1 : tag == FixTags.GAP_FILL ? 2 :
                tag > 0 && tag < Long.SIZE ? 1L << tag & SINGLE : 0;
            if ((seen & bit) != 0)
            {
                return tag;
            }
            seen |= bit;
        }
        return 0;
    }

    /** Whether a field is there and says Y. */
    static boolean isYes(final FIXMessage message, final int tag)
    {
        final FIXValue flag = message.valueOf(tag);
        return flag != null && flag.contentEquals('Y');
    }

    /** Length of the first message; 0 if it is not complete; MALFORMED. */
    int next(final int offset, final int length)
    {
        // The parser narrows the limit to one message.
        input.clear();
        message = null;
        final int total = total(offset, length);
        if (total <= 0 || total > length)
        {
            return Math.min(total, 0);
        }
        try
        {
            parser.parse(input.limit(offset + total).position(offset));
        }
        catch (final IOException | RuntimeException ex)
        {
            // Too many or too long fields, or a tag that is no number.
            return MALFORMED;
        }
        return total;
    }

    /** The message; null if there is none, or its checksum is wrong. */
    FIXMessage message()
    {
        return message;
    }

    /** Length of the message that begins here; 0 if that is not known yet, -1 if none begins here. */
    private int total(final int offset, final int length)
    {
        for (int i = 0; i < Math.min(length, BEGIN.length); i++)
        {
            if (input.get(offset + i) != BEGIN[i])
            {
                return -1;
            }
        }
        int body = 0;
        for (int i = BEGIN.length; i < length; i++)
        {
            final byte digit = input.get(offset + i);
            if (digit == SOH && i > BEGIN.length)
            {
                return i + 1 + body + TRAILER_LENGTH;
            }
            body = body * 10 + digit - '0';
            if (digit < '0' || digit > '9' || body > MAX_BODY)
            {
                return -1;
            }
        }
        return 0;
    }
}
