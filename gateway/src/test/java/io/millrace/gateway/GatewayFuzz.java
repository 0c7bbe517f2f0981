package io.millrace.gateway;

import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.bbo.SerialLineCodec;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Target of a fuzzer: the first byte chooses a codec, the rest is a payload or a line. What a codec accepts, it must
 * write again, and read again with the same content.
 */
public final class GatewayFuzz
{
    private static final int LONGEST = 512;

    private GatewayFuzz()
    {
    }

    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length == 0)
        {
            return;
        }
        switch (data[0] & 3)
        {
            case 0:
                decode(new BboPacketCodec(PacketForm.PLAIN), data);
                break;
            case 1:
                decode(new BboPacketCodec(PacketForm.EXTENDED), data);
                break;
            case 2:
                decode(new BboPacketCodec(PacketForm.ANY), data);
                break;
            default:
                decode(new SerialLineCodec(), data);
                break;
        }
    }

    private static void decode(final EventCodec<BboEvent> codec, final byte[] data)
    {
        final BboEvent event = new BboEvent();
        if (codec.decode(new ByteView(data), 1, data.length - 1, event) != DecodeResult.OK)
        {
            return;
        }
        if (codec.maxLengthBytes() == 60 && event.session() == 0)
        {
            event.position(1, 1);
        }
        final ByteView written = new ByteView(new byte[LONGEST]);
        final int length = codec.encode(event, written, 3);
        final BboEvent again = new BboEvent();
        if (length <= 0 || codec.decode(written, 3, length, again) != DecodeResult.OK ||
            event.symbol() != again.symbol() || event.bidPrice() != again.bidPrice() ||
            event.bidShares() != again.bidShares() || event.askPrice() != again.askPrice() ||
            event.askShares() != again.askShares() || event.sequence() != again.sequence())
        {
            throw new AssertionError("an accepted input does not come back: length " + length);
        }
    }
}
