package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class SerialLineCodecTest
{
    static final String LINE =
        "[BBO:AAPL    ]Bid:0x0016CFD8 (0x00000064) | Ask:0x0016D99C (0x000000C8) | Spr:0x000009C4";
    /** The example of the feed's documentation: its book is crossed. */
    private static final String CROSSED =
        "[BBO:AAPL    ]Bid:0x0016E360 (0x00000064) | Ask:0x0016D99C (0x000000C8) | Spr:0x00001388";
    static final String NO_DATA = "[BBO:NODATA  ]";

    private final SerialLineCodec codec = new SerialLineCodec();
    private final BboEvent event = new BboEvent();

    private DecodeResult decode(final String line)
    {
        final byte[] bytes = Samples.line(line);
        return codec.decode(new ByteView(bytes), 0, bytes.length, event);
    }

    @Test
    void shouldReadALineWithAndWithoutItsEnd()
    {
        for (final String end : new String[]{"", "\n", "\r", "\r\n"})
        {
            assertEquals(DecodeResult.OK, decode(LINE + end));
            assertEquals("AAPL", Symbols.text(event.symbol()));
            assertEquals(1_495_000, event.bidPrice());
            assertEquals(100, event.bidShares());
            assertEquals(1_497_500, event.askPrice());
            assertEquals(200, event.askShares());
        }
        assertEquals(DecodeResult.OK, decode(LINE.replace("16CFD8", "16cfd8")));
    }

    @Test
    void shouldReadTheExampleOfTheFeed()
    {
        assertEquals(DecodeResult.OK, decode(CROSSED));
        assertEquals(1_500_000, event.bidPrice());
        assertEquals(1_497_500, event.askPrice());
    }

    @Test
    void shouldReadAnEmptyBook()
    {
        event.quote(1, 2, 3, 4, 5);
        assertEquals(DecodeResult.OK, decode(NO_DATA + "\r\n"));
        assertEquals(Symbols.NONE, event.symbol());
        assertFalse(event.hasData());
    }

    @Test
    void u1ShouldRefuseEachTruncationAndEachLongerLine()
    {
        for (int length = 0; length < LINE.length(); length++)
        {
            assertEquals(DecodeResult.TOO_SHORT, decode(LINE.substring(0, length)));
        }
        assertEquals(DecodeResult.TOO_LONG, decode(LINE + " "));
        assertEquals(DecodeResult.TOO_LONG, decode(LINE + "\n\n"));
        assertEquals(DecodeResult.TOO_SHORT, decode(NO_DATA + " "));
        assertEquals(DecodeResult.OUT_OF_BOUNDS, codec.decode(new ByteView(new byte[88]), 1, 88, event));
    }

    @Test
    void u1ShouldRefuseAnotherByteWhereverItIsNoData()
    {
        for (int i = 0; i < LINE.length(); i++)
        {
            for (final char c : new char[]{'\0', '~', '\u00ff', 'g'})
            {
                final DecodeResult result = decode(LINE.substring(0, i) + c + LINE.substring(i + 1));
                final boolean inSymbol = i >= 5 && i < 9 && c > 32 && c < 127 || i == 9 && c > 32 && c < 127;
                if (!inSymbol)
                {
                    assertNotEquals(DecodeResult.OK, result, i + " " + (int)c);
                }
            }
        }
        assertEquals(DecodeResult.WRONG_VALUE, decode(LINE.replace("AAPL    ", "        ")));
        assertEquals(DecodeResult.WRONG_VALUE, decode(LINE.replace("0016CFD8", "8016CFD8")));
        assertEquals(DecodeResult.WRONG_VALUE, decode(LINE.replace("000009C4", "000009C5")));
        assertEquals(DecodeResult.WRONG_TYPE, decode(LINE.replace("Ask", "ask")));
    }

    @Test
    void shouldWriteTheSameLine()
    {
        final byte[] bytes = new byte[89];
        event.quote(Symbols.of("AAPL"), 1_495_000, 100, 1_497_500, 200);
        assertEquals(89, codec.encode(event, new ByteView(bytes), 0));
        assertEquals(LINE + "\n", new String(bytes, StandardCharsets.ISO_8859_1));
        assertEquals(15, codec.encode(event.quote(Symbols.NONE, 0, 0, 0, 0), new ByteView(bytes), 0));
        assertEquals(NO_DATA + "\n", new String(bytes, 0, 15, StandardCharsets.ISO_8859_1));
        assertEquals(EventCodec.NO_RECORD,
            codec.encode(event.quote(Symbols.NONE, 1, 0, 0, 0), new ByteView(bytes), 0));
        assertEquals(EventCodec.INSUFFICIENT_CAPACITY,
            codec.encode(event.quote(Symbols.of("A"), 1, 1, 2, 1), new ByteView(bytes), 1));
    }

    @Test
    void shouldReadWhatItWrote()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        final BboEvent written = new BboEvent();
        final ByteView view = new ByteView(new byte[100]);
        for (int i = 0; i < 20_000; i++)
        {
            Samples.randomEvent(random, written);
            final int offset = random.nextInt(12);
            final String message = "-Dmillrace.seed=" + seed + " event " + i;
            assertEquals(89, codec.encode(written, view, offset), message);
            assertEquals(DecodeResult.OK, codec.decode(view, offset, 88 + i % 2, event), message);
            BboPacketCodecTest.assertSame(written, event, message);
        }
    }
}
