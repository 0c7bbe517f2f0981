package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.util.Objects;

import static io.millrace.gateway.bbo.BboPacketDescriptor.ASK_PRICE_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.ASK_SHARES_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.BID_PRICE_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.BID_SHARES_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.EXTENDED_LENGTH;
import static io.millrace.gateway.bbo.BboPacketDescriptor.HEADER_LENGTH;
import static io.millrace.gateway.bbo.BboPacketDescriptor.MAGIC;
import static io.millrace.gateway.bbo.BboPacketDescriptor.MAGIC_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.PLAIN_LENGTH;
import static io.millrace.gateway.bbo.BboPacketDescriptor.SEND_TIME_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.SEQUENCE_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.SESSION_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.SPREAD_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.SYMBOL_OFFSET;
import static io.millrace.gateway.bbo.BboPacketDescriptor.VERSION;
import static io.millrace.gateway.bbo.BboPacketDescriptor.VERSION_OFFSET;

/**
 * Reads and writes BBO packets; {@link BboPacketDescriptor} has the layout. The record of {@link #decode} is the whole
 * payload of a datagram: its last bytes are the packet. Stateless.
 */
public final class BboPacketCodec implements EventCodec<BboEvent>
{
    private final PacketForm form;

    /**
     * A codec.
     *
     * @param form which packets it reads. PLAIN also writes plain packets, the others write extended ones.
     */
    public BboPacketCodec(final PacketForm form)
    {
        this.form = Objects.requireNonNull(form, "form");
    }

    /**
     * {@inheritDoc}
     * There is no record for an event that {@link #decode} would refuse: one without a symbol, with a price above
     * 2,147,483,647, or, for an extended packet, without a session id.
     */
    @Override
    public int encode(final BboEvent event, final ByteView into, final int offset)
    {
        final int bidPrice = (int)event.bidPrice();
        final int askPrice = (int)event.askPrice();
        if (form != PacketForm.PLAIN && event.session() == 0 ||
            !Quotes.isPossible(event.symbol(), bidPrice, askPrice, askPrice - bidPrice))
        {
            return NO_RECORD;
        }
        final int length = maxLengthBytes();
        if (!into.contains(offset, length))
        {
            return INSUFFICIENT_CAPACITY;
        }
        if (form != PacketForm.PLAIN)
        {
            putInt(into, offset + MAGIC_OFFSET, MAGIC);
            putInt(into, offset + VERSION_OFFSET, VERSION << 16);
            putLong(into, offset + SESSION_OFFSET, event.session());
            putLong(into, offset + SEQUENCE_OFFSET, event.sequence());
            putLong(into, offset + SEND_TIME_OFFSET, event.sendTimeNs());
        }
        final int plain = offset + length - PLAIN_LENGTH;
        putInt(into, plain + SPREAD_OFFSET, askPrice - bidPrice);
        putInt(into, plain + ASK_SHARES_OFFSET, (int)event.askShares());
        putInt(into, plain + ASK_PRICE_OFFSET, askPrice);
        putInt(into, plain + BID_SHARES_OFFSET, (int)event.bidShares());
        putInt(into, plain + BID_PRICE_OFFSET, bidPrice);
        putLong(into, plain + SYMBOL_OFFSET, event.symbol());
        return length;
    }

    /**
     * {@inheritDoc}
     * A plain packet has session, sequence and send time 0. WRONG_TYPE: EXTENDED is asked for, and the magic number is
     * not there. WRONG_VALUE: no symbol, the session id 0 in an extended packet, a price with its highest bit set, or
     * a spread other than ask - bid although both sides have a price and the book is not crossed.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final BboEvent into)
    {
        if (!from.contains(offset, length))
        {
            return DecodeResult.OUT_OF_BOUNDS;
        }
        if (length < PLAIN_LENGTH)
        {
            return DecodeResult.TOO_SHORT;
        }
        final int plain = offset + length - PLAIN_LENGTH;
        if (form != PacketForm.PLAIN)
        {
            if (length >= EXTENDED_LENGTH && getInt(from, plain - HEADER_LENGTH + MAGIC_OFFSET) == MAGIC)
            {
                return decodeExtended(from, plain, into);
            }
            if (form == PacketForm.EXTENDED)
            {
                return length < EXTENDED_LENGTH ? DecodeResult.TOO_SHORT : DecodeResult.WRONG_TYPE;
            }
        }
        return decodePlain(from, plain, into);
    }

    private static DecodeResult decodeExtended(final ByteView from, final int plain, final BboEvent into)
    {
        final int header = plain - HEADER_LENGTH;
        final int version = getInt(from, header + VERSION_OFFSET);
        if (version != VERSION << 16)
        {
            return version >>> 16 != VERSION ? DecodeResult.WRONG_VERSION : DecodeResult.RESERVED_NOT_ZERO;
        }
        final long session = getLong(from, header + SESSION_OFFSET);
        final DecodeResult result = session == 0 ? DecodeResult.WRONG_VALUE : decodePlain(from, plain, into);
        into.position(session, getLong(from, header + SEQUENCE_OFFSET))
            .times(getLong(from, header + SEND_TIME_OFFSET), 0);
        return result;
    }

    private static DecodeResult decodePlain(final ByteView from, final int plain, final BboEvent into)
    {
        // Two fields in each load: a checked access costs more than a shift.
        final long spreadAndAskShares = getLong(from, plain + SPREAD_OFFSET);
        final long askPriceAndBidShares = getLong(from, plain + ASK_PRICE_OFFSET);
        final int bidPrice = getInt(from, plain + BID_PRICE_OFFSET);
        final long symbol = getLong(from, plain + SYMBOL_OFFSET);
        final int askPrice = (int)(askPriceAndBidShares >>> 32);
        if (!Quotes.isPossible(symbol, bidPrice, askPrice, (int)(spreadAndAskShares >>> 32)))
        {
            return DecodeResult.WRONG_VALUE;
        }
        into.quote(symbol, bidPrice, askPriceAndBidShares & BboEvent.MAX_VALUE,
            askPrice, spreadAndAskShares & BboEvent.MAX_VALUE);
        return DecodeResult.OK;
    }

    /** {@inheritDoc} 28 for PLAIN, otherwise 60. */
    @Override
    public int maxLengthBytes()
    {
        return form == PacketForm.PLAIN ? PLAIN_LENGTH : EXTENDED_LENGTH;
    }

    // The view is little-endian.

    private static int getInt(final ByteView from, final int offset)
    {
        return Integer.reverseBytes(from.getInt(offset));
    }

    private static long getLong(final ByteView from, final int offset)
    {
        return Long.reverseBytes(from.getLong(offset));
    }

    private static void putInt(final ByteView into, final int offset, final int value)
    {
        into.putInt(offset, Integer.reverseBytes(value));
    }

    private static void putLong(final ByteView into, final int offset, final long value)
    {
        into.putLong(offset, Long.reverseBytes(value));
    }
}
