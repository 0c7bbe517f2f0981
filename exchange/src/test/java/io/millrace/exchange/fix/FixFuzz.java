package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXValue;
import io.millrace.exchange.StreamTarget;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Target of a fuzzer: the first byte chooses. 0: the bytes are messages for the decoder alone, which may read nothing
 * behind the end; 1: a stream of FIX to a whole exchange. Otherwise each line, up to a line feed, is a message that
 * gets its header and trailer: 2: with type, CompIDs and MsgSeqNum, too, behind a logon; 3: without a logon.
 */
public final class FixFuzz
{
    private static final byte[] LOGON = message("35=A\00134=1\00149=ANNA\00156=MILL\00198=0\001108=5\001141=Y\001" +
        "554=token-of-anna\001");
    private static final int MAX_OPEN_ORDERS = 8;

    private static StreamTarget target;

    private FixFuzz()
    {
    }

    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        switch (data[0] & 3)
        {
            case 0 -> decode(ByteBuffer.wrap(Arrays.copyOfRange(data, 1, data.length)));
            case 1 -> target().send(LOGON, data, 1, false);
            default -> target().send(LOGON, framed(data, (data[0] & 3) == 2), 0, (data[0] & 3) == 2);
        }
    }

    private static StreamTarget target()
    {
        target = target == null ? new StreamTarget(new SessionContext().client(new ClientAccount(1, "ANNA",
            "token-of-anna", Role.TRADER, ClientAccount.NO_RATE_LIMIT, MAX_OPEN_ORDERS)),
            new FixProtocol("MILL", StreamTarget.LISTINGS, false)) : target;
        return target;
    }

    private static byte[] framed(final byte[] data, final boolean hasHeader)
    {
        final StringBuilder all = new StringBuilder();
        int sequence = 1;
        for (final String line : new String(data, 1, data.length - 1, StandardCharsets.ISO_8859_1).split("\n"))
        {
            if (!line.isEmpty())
            {
                sequence++;
                all.append(new String(message(!hasHeader ? line : "35=" + line.charAt(0) +
                    "\00149=ANNA\00156=MILL\00134=" + sequence + "\001" + line.substring(1)),
                    StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] message(final String body)
    {
        return RawFix.message(body).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void decode(final ByteBuffer bytes)
    {
        final FixInput input = new FixInput(bytes);
        int at = 0;
        int length = input.next(at, bytes.capacity());
        while (length > 0)
        {
            final FIXMessage message = input.message();
            for (int field = 0; message != null && field < message.getFieldCount(); field++)
            {
                final FIXValue value = message.valueAt(field);
                check(FixNumbers.integer(value));
                check(FixNumbers.units(value));
                check(FixNumbers.whole(value));
            }
            at += length;
            length = input.next(at, bytes.capacity() - at);
        }
    }

    private static void check(final long number)
    {
        if (number < FixNumbers.NONE)
        {
            throw new AssertionError("number " + number);
        }
    }
}
