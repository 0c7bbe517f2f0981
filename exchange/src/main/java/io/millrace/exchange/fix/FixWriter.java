package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXTimestamp;
import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44Tags;
import io.millrace.exchange.session.Connection;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes FIX messages into the output of a connection: begin, fields, send. Allocates nothing after the constructor,
 * except for numbers that no long holds. The agent of order entry.
 */
final class FixWriter
{
    /** More than any of our messages: 30 fields of 10 to 20 bytes. */
    static final int MAX_LENGTH = 1_024;

    private static final int FIELDS = 48;
    private static final int FIELD_LENGTH = 128;
    private static final byte[] BEGIN = "8=FIX.4.4\0019=".getBytes(StandardCharsets.US_ASCII);
    private static final byte SOH = 1;

    private final FixProtocol protocol;
    private final Connection connection;
    private final FIXMessage message = new FIXMessage(FIELDS, FIELD_LENGTH);
    private final ByteBuffer body = ByteBuffer.allocate(MAX_LENGTH);
    private final FIXTimestamp time = new FIXTimestamp();
    private final StringBuilder text = new StringBuilder(FIELD_LENGTH);
    private String target = "";
    private long sendingMs;

    FixWriter(final FixProtocol protocol, final Connection connection)
    {
        this.protocol = protocol;
        this.connection = connection;
    }

    void target(final String compId)
    {
        target = compId;
    }

    /** Whether there is space for a number of messages. */
    boolean hasCapacity(final int messages)
    {
        return connection.reserve(messages * MAX_LENGTH) >= 0;
    }

    FixWriter begin(final char type, final long sequence)
    {
        message.reset();
        add(FIX44Tags.MsgType, type);
        text(FIX44Tags.SenderCompID, protocol.compId);
        text(FIX44Tags.TargetCompID, target);
        add(FIX44Tags.MsgSeqNum, sequence);
        sendingMs = protocol.clock.time();
        return time(FIX44Tags.SendingTime, sendingMs);
    }

    /** Sent before under the same number; not later than now, even if the clock has gone back. */
    FixWriter possDup(final long epochMs)
    {
        add(FIX44Tags.PossDupFlag, 'Y');
        return time(FIX44Tags.OrigSendingTime, Math.min(epochMs, sendingMs));
    }

    FixWriter time(final int tag, final long epochMs)
    {
        time.setEpochMilli(epochMs);
        message.addField(tag).setTimestampMillis(time);
        return this;
    }

    FixWriter add(final int tag, final char value)
    {
        message.addField(tag).setChar(value);
        return this;
    }

    FixWriter add(final int tag, final long value)
    {
        message.addField(tag).setInt(value);
        return this;
    }

    FixWriter text(final int tag, final CharSequence value)
    {
        message.addField(tag).setString(value);
        return this;
    }

    FixWriter copy(final int tag, final FIXValue value)
    {
        message.addField(tag).set(value);
        return this;
    }

    /** A price in units of 1/10,000. */
    FixWriter units(final int tag, final long units)
    {
        FixNumbers.units(message.addField(tag), units, text);
        return this;
    }

    /** A mean price in units of 1/10,000, which may exceed a long. */
    FixWriter units(final int tag, final double units)
    {
        return units < Long.MAX_VALUE ? units(tag, Math.round(units)) :
            text(tag, new BigDecimal(units).movePointLeft(FixNumbers.DECIMALS).toPlainString());
    }

    /** A price of so many steps. */
    FixWriter units(final int tag, final long steps, final long unitsPerStep)
    {
        return fits(steps, unitsPerStep) ? units(tag, steps * unitsPerStep) :
            text(tag, exact(steps, unitsPerStep, FixNumbers.DECIMALS));
    }

    /** A quantity of so many lots. */
    FixWriter shares(final int tag, final long lots, final long sharesPerLot)
    {
        return fits(lots, sharesPerLot) ? add(tag, lots * sharesPerLot) : text(tag, exact(lots, sharesPerLot, 0));
    }

    private static boolean fits(final long number, final long unit)
    {
        return Math.multiplyHigh(number, unit) == 0 && number * unit >= 0;
    }

    /** A product that no long holds: only an order by the binary protocol has such a price or size. */
    private static String exact(final long number, final long unit, final int decimals)
    {
        final BigInteger product = BigInteger.valueOf(number).multiply(BigInteger.valueOf(unit));
        return new BigDecimal(product, decimals).toPlainString();
    }

    /** Call only after {@link #hasCapacity}. */
    void send()
    {
        message.put(body.clear());
        final ByteBuffer out = connection.outputBuffer();
        final int from = connection.reserve(MAX_LENGTH);
        int at = from;
        for (final byte each : BEGIN)
        {
            out.put(at++, each);
        }
        at = digits(out, at, body.position(), body.position() < 100 ? 2 : body.position() < 1_000 ? 3 : 4);
        out.put(at++, SOH);
        out.put(at, body.array(), 0, body.position());
        at += body.position();
        int sum = 0;
        for (int i = from; i < at; i++)
        {
            sum += out.get(i);
        }
        out.put(at++, (byte)'1').put(at++, (byte)'0').put(at++, (byte)'=');
        at = digits(out, at, sum & 0xFF, 3);
        out.put(at++, SOH);
        connection.commit(at - from);
    }

    private static int digits(final ByteBuffer out, final int at, final int number, final int digits)
    {
        int rest = number;
        for (int i = digits - 1; i >= 0; i--)
        {
            out.put(at + i, (byte)('0' + rest % 10));
            rest /= 10;
        }
        return at + digits;
    }
}
