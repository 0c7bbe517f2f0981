package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads and writes the line of the serial feed, byte by byte and without a String. Stateless.
 * <pre>
 *  0    5       13     20      28  32      40        50      58  62      70        80      88
 *  [BBO:AAPL    ]Bid:0x0016CFD8 (0x00000064) | Ask:0x0016D99C (0x000000C8) | Spr:0x000009C4
 *       symbol         bid price   bid shares        ask price   ask shares        spread
 *
 *  [BBO:NODATA  ]       the whole book is empty: an event without symbol and data
 * </pre>
 * Numbers are eight hexadecimal digits; the spread of a crossed book is negative, as two's complement. A line ends with
 * a line feed; a carriage return before it is dropped. {@link #decode} takes the line with or without its end.
 */
public final class SerialLineCodec implements EventCodec<BboEvent>
{
    /** Length of a line with data, without its end. */
    public static final int LINE_LENGTH = 88;
    /** Length of the line of an empty book, without its end. */
    public static final int NO_DATA_LENGTH = 14;

    private static final int SYMBOL_OFFSET = 5;
    private static final int BID_PRICE_OFFSET = 20;
    private static final int BID_SHARES_OFFSET = 32;
    private static final int ASK_PRICE_OFFSET = 50;
    private static final int ASK_SHARES_OFFSET = 62;
    private static final int SPREAD_OFFSET = 80;

    private static final byte[] LINE =
        ascii("[BBO:        ]Bid:0x         (0x        ) | Ask:0x         (0x        ) | Spr:0x        ");
    private static final byte[] NO_DATA = ascii("[BBO:NODATA  ]");
    /** The bytes of a line that are in each: the offset of the first, and after it that of the byte after the last. */
    private static final int[] FIXED = {0, 5, 13, 20, 28, 32, 40, 50, 58, 62, 70, 80};

    private static final byte[] HEX_DIGITS = ascii("0123456789ABCDEF");
    /** Value of a hexadecimal digit by its byte, otherwise -1. */
    private static final byte[] HEX_VALUES = new byte[256];

    static
    {
        Arrays.fill(HEX_VALUES, (byte)-1);
        for (int i = 0; i < 16; i++)
        {
            HEX_VALUES[HEX_DIGITS[i]] = (byte)i;
            HEX_VALUES[Character.toLowerCase(HEX_DIGITS[i])] = (byte)i;
        }
    }

    /** A codec. */
    public SerialLineCodec()
    {
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * {@inheritDoc}
     * The line has its line feed. Session, sequence and times are not on it. There is no record for an event that
     * {@link #decode} would refuse.
     */
    @Override
    public int encode(final BboEvent event, final ByteView into, final int offset)
    {
        final boolean empty = event.symbol() == Symbols.NONE && !event.hasData();
        final int bidPrice = (int)event.bidPrice();
        final int askPrice = (int)event.askPrice();
        if (!empty && !Quotes.isPossible(event.symbol(), bidPrice, askPrice, askPrice - bidPrice))
        {
            return NO_RECORD;
        }
        final byte[] line = empty ? NO_DATA : LINE;
        if (!into.contains(offset, line.length + 1))
        {
            return INSUFFICIENT_CAPACITY;
        }
        for (int i = 0; i < line.length; i++)
        {
            into.putByte(offset + i, line[i]);
        }
        into.putByte(offset + line.length, (byte)'\n');
        if (!empty)
        {
            into.putLong(offset + SYMBOL_OFFSET, Long.reverseBytes(event.symbol()));
            putHex(into, offset + BID_PRICE_OFFSET, bidPrice);
            putHex(into, offset + BID_SHARES_OFFSET, (int)event.bidShares());
            putHex(into, offset + ASK_PRICE_OFFSET, askPrice);
            putHex(into, offset + ASK_SHARES_OFFSET, (int)event.askShares());
            putHex(into, offset + SPREAD_OFFSET, askPrice - bidPrice);
        }
        return line.length + 1;
    }

    /**
     * {@inheritDoc}
     * WRONG_TYPE: a byte differs that is the same in each line. WRONG_VALUE: a digit is not hexadecimal, or see {@link
     * BboPacketCodec#decode}.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final BboEvent into)
    {
        if (!from.contains(offset, length))
        {
            return DecodeResult.OUT_OF_BOUNDS;
        }
        final int lineLength = withoutEnd(from, offset, length);
        if (lineLength == NO_DATA_LENGTH && isSame(from, offset, NO_DATA, 0, NO_DATA_LENGTH))
        {
            into.quote(Symbols.NONE, 0, 0, 0, 0);
            return DecodeResult.OK;
        }
        if (lineLength != LINE_LENGTH)
        {
            return lineLength < LINE_LENGTH ? DecodeResult.TOO_SHORT : DecodeResult.TOO_LONG;
        }
        for (int i = 0; i < FIXED.length; i += 2)
        {
            if (!isSame(from, offset, LINE, FIXED[i], FIXED[i + 1]))
            {
                return DecodeResult.WRONG_TYPE;
            }
        }
        return decodeFields(from, offset, into);
    }

    private static DecodeResult decodeFields(final ByteView from, final int offset, final BboEvent into)
    {
        final long symbol = Long.reverseBytes(from.getLong(offset + SYMBOL_OFFSET));
        final long bidPrice = hex(from, offset + BID_PRICE_OFFSET);
        final long bidShares = hex(from, offset + BID_SHARES_OFFSET);
        final long askPrice = hex(from, offset + ASK_PRICE_OFFSET);
        final long askShares = hex(from, offset + ASK_SHARES_OFFSET);
        final long spread = hex(from, offset + SPREAD_OFFSET);
        if ((bidPrice | bidShares | askPrice | askShares | spread) < 0 ||
            !Quotes.isPossible(symbol, (int)bidPrice, (int)askPrice, (int)spread))
        {
            return DecodeResult.WRONG_VALUE;
        }
        into.quote(symbol, bidPrice, bidShares, askPrice, askShares);
        return DecodeResult.OK;
    }

    /** {@inheritDoc} A line with data and its line feed. */
    @Override
    public int maxLengthBytes()
    {
        return LINE_LENGTH + 1;
    }

    private static int withoutEnd(final ByteView from, final int offset, final int length)
    {
        int lineLength = length;
        if (lineLength > 0 && from.getByte(offset + lineLength - 1) == '\n')
        {
            lineLength--;
        }
        if (lineLength > 0 && from.getByte(offset + lineLength - 1) == '\r')
        {
            lineLength--;
        }
        return lineLength;
    }

    private static boolean isSame(
        final ByteView from, final int offset, final byte[] expected, final int begin, final int end)
    {
        for (int i = begin; i < end; i++)
        {
            if (from.getByte(offset + i) != expected[i])
            {
                return false;
            }
        }
        return true;
    }

    /** Eight digits; negative if one is none. */
    private static long hex(final ByteView from, final int offset)
    {
        long value = 0;
        int wrong = 0;
        for (int i = 0; i < 8; i++)
        {
            final int digit = HEX_VALUES[from.getByte(offset + i) & 0xFF];
            wrong |= digit;
            value = value << 4 | digit & 0xF;
        }
        return wrong < 0 ? -1 : value;
    }

    private static void putHex(final ByteView into, final int offset, final int value)
    {
        for (int i = 0; i < 8; i++)
        {
            into.putByte(offset + i, HEX_DIGITS[value >>> 28 - 4 * i & 0xF]);
        }
    }
}
