package io.millrace.exchange.ouch;

import io.millrace.exchange.StreamTarget;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.exchange.soup.SoupDescriptor;
import io.millrace.exchange.soup.SoupPacket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Target of a fuzzer: the first byte chooses. 0: the bytes are packets for the decoders alone, which may read nothing
 * behind the end; otherwise a stream of SoupBinTCP with OUCH to a whole exchange, behind a login if the byte is even.
 */
public final class OuchFuzz
{
    private static final byte[] LOGIN =
        ("\0/LANNA  tokenANNA " + " ".repeat(SoupDescriptor.SESSION_LENGTH) + "0                   ")
        .getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_OPEN_ORDERS = 8;

    private static StreamTarget target;

    private OuchFuzz()
    {
    }

    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        if (data[0] == 0)
        {
            decode(ByteBuffer.wrap(Arrays.copyOfRange(data, 1, data.length)));
        }
        else
        {
            target = target == null ? new StreamTarget(new SessionContext().client(new ClientAccount(1, "ANNA",
                "tokenANNA", Role.TRADER, ClientAccount.NO_RATE_LIMIT, MAX_OPEN_ORDERS)),
                new OuchProtocol("S1", StreamTarget.LISTINGS, false)) : target;
            target.send(LOGIN, data, 1, (data[0] & 1) == 0);
        }
    }

    private static void decode(final ByteBuffer bytes)
    {
        final SoupPacket packet = new SoupPacket(OuchDescriptor.MAX_REQUEST_LENGTH);
        final OuchRequest request = new OuchRequest();
        int at = 0;
        int length = packet.wrap(bytes, at, bytes.capacity());
        while (length > 0)
        {
            if (packet.isLoginRequest())
            {
                final long sequence = packet.sequence(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET);
                check(sequence >= SoupPacket.NO_NUMBER, "sequence " + sequence);
            }
            if (packet.type() == SoupDescriptor.UNSEQUENCED_DATA &&
                request.wrap(bytes, packet.payloadOffset(), packet.payloadLength()))
            {
                read(request);
            }
            at += length;
            length = packet.wrap(bytes, at, bytes.capacity());
        }
    }

    private static void read(final OuchRequest request)
    {
        final long ref = request.ref();
        check(ref >= 0 && ref < 1L << Integer.SIZE, "ref " + ref);
        switch (request.type())
        {
            case OuchDescriptor.ENTER -> request.symbol();
            case OuchDescriptor.REPLACE -> check(request.newRef() >= 0, "new ref " + request.newRef());
            case OuchDescriptor.MODIFY -> request.side();
            case OuchDescriptor.MASS_CANCEL -> request.symbol();
            default -> check(request.type() == OuchDescriptor.CANCEL, "type " + request.type());
        }
        if (request.type() != OuchDescriptor.MASS_CANCEL)
        {
            check(request.quantity() >= 0, "quantity " + request.quantity());
        }
        if (request.type() == OuchDescriptor.ENTER || request.type() == OuchDescriptor.REPLACE)
        {
            // Any numbers: only the reads must not fail.
            request.price();
            request.timeInForce();
            request.display();
            request.sweep();
        }
    }

    private static void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
