package io.millrace.gateway.bbo;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class BboPacketCodecTest
{
    private final BboPacketCodec plain = new BboPacketCodec(PacketForm.PLAIN);
    private final BboPacketCodec extended = new BboPacketCodec(PacketForm.EXTENDED);
    private final BboPacketCodec any = new BboPacketCodec(PacketForm.ANY);
    private final BboEvent event = new BboEvent();

    private DecodeResult decode(final BboPacketCodec codec, final byte[] payload)
    {
        return codec.decode(new ByteView(payload), 0, payload.length, event);
    }

    private static byte[] padded(final byte[] packet, final int length)
    {
        final byte[] payload = new byte[length];
        System.arraycopy(packet, 0, payload, length - packet.length, packet.length);
        return payload;
    }

    private void assertExample()
    {
        assertEquals("AAPL", Symbols.text(event.symbol()));
        assertEquals(1_495_000, event.bidPrice());
        assertEquals(300, event.bidShares());
        assertEquals(1_520_000, event.askPrice());
        assertEquals(300, event.askShares());
        assertEquals(25_000, event.spread());
    }

    @Test
    void shouldReadTheExampleOfTheFeedWhateverComesBeforeIt()
    {
        for (final int length : new int[]{28, 29, 60, 256, 2_048})
        {
            assertEquals(DecodeResult.OK, decode(plain, padded(Samples.plainPacket(), length)));
            assertExample();
            assertEquals(DecodeResult.OK, decode(any, padded(Samples.plainPacket(), length)));
            assertExample();
            assertEquals(0, event.session());
        }
    }

    @Test
    void shouldReadAnExtendedPacket()
    {
        for (final int length : new int[]{60, 61, 256})
        {
            assertEquals(DecodeResult.OK, decode(any, padded(Samples.extendedPacket(), length)));
            assertExample();
            assertEquals(Samples.SESSION, event.session());
            assertEquals(42, event.sequence());
            assertEquals(1_700_000_000_000_000_000L, event.sendTimeNs());
            assertEquals(DecodeResult.OK, decode(extended, padded(Samples.extendedPacket(), length)));
            assertEquals(42, event.sequence());
            assertEquals(DecodeResult.OK, decode(plain, padded(Samples.extendedPacket(), length)));
            assertExample();
            assertEquals(0, event.session());
        }
    }

    @Test
    void shouldWriteWhatOthersWrite()
    {
        final byte[] bytes = new byte[60];
        event.quote(Symbols.of("AAPL"), 1_495_000, 300, 1_520_000, 300).position(Samples.SESSION, 42)
            .times(1_700_000_000_000_000_000L, 0);
        assertEquals(60, extended.encode(event, new ByteView(bytes), 0));
        assertArrayEquals(Samples.extendedPacket(), bytes);
        assertEquals(28, plain.encode(event, new ByteView(bytes), 3));
        assertArrayEquals(Samples.plainPacket(), Arrays.copyOfRange(bytes, 3, 31));
    }

    @Test
    void u1ShouldRefuseEachTruncation()
    {
        for (int length = 0; length < 28; length++)
        {
            assertEquals(DecodeResult.TOO_SHORT, decode(plain, new byte[length]));
            assertEquals(DecodeResult.TOO_SHORT, decode(any, Arrays.copyOf(Samples.plainPacket(), length)));
        }
        for (int length = 0; length < 60; length++)
        {
            assertEquals(DecodeResult.TOO_SHORT, decode(extended, Arrays.copyOf(Samples.extendedPacket(), length)));
        }
        final ByteView view = new ByteView(Samples.plainPacket());
        for (final int[] range : new int[][]{{-1, 28}, {0, 29}, {1, 28}, {0, -1}, {29, 0}, {Integer.MAX_VALUE, 28}})
        {
            assertEquals(DecodeResult.OUT_OF_BOUNDS, plain.decode(view, range[0], range[1], event));
        }
    }

    @Test
    void u1ShouldRefuseAWrongMagicVersionReservedByteAndSession()
    {
        for (int i = 0; i < 16; i++)
        {
            final byte[] packet = Samples.extendedPacket();
            packet[i] ^= 0x40;
            final DecodeResult expected = i < 4 ? DecodeResult.WRONG_TYPE : i < 6 ? DecodeResult.WRONG_VERSION :
                i < 8 ? DecodeResult.RESERVED_NOT_ZERO : DecodeResult.OK;
            assertEquals(expected, decode(extended, packet), "byte " + i);
        }
        final byte[] noSession = Samples.extendedPacket();
        Arrays.fill(noSession, 8, 16, (byte)0);
        assertEquals(DecodeResult.WRONG_VALUE, decode(any, noSession));
    }

    @Test
    void u1ShouldRefuseAWrongSymbolANegativePriceAndASpreadThatDoesNotFit()
    {
        final int[][] changes =
            {{0, 0x01}, {3, 0x01}, {8, 0x80}, {16, 0x80}, {20, 0x80}, {27, 0x20}, {24, 0x7F ^ 0x20}};
        for (final int[] change : changes)
        {
            final byte[] packet = Samples.plainPacket();
            packet[change[0]] ^= (byte)change[1];
            assertEquals(DecodeResult.WRONG_VALUE, decode(plain, packet), Arrays.toString(change));
        }
    }

    @Test
    void shouldNotLookAtTheSpreadOfACrossedOrOneSidedBook()
    {
        final byte[] crossed = Samples.plainPacket();
        crossed[9] = 0x10;
        assertEquals(DecodeResult.OK, decode(plain, crossed));
        final byte[] noAsk = Samples.plainPacket();
        Arrays.fill(noAsk, 4, 12, (byte)0);
        assertEquals(DecodeResult.OK, decode(plain, noAsk));
        assertEquals(0, event.askPrice());
    }

    @Test
    void shouldNotWriteWhatItWouldRefuse()
    {
        final ByteView view = new ByteView(new byte[100]);
        assertEquals(EventCodec.NO_RECORD, plain.encode(event.quote(Symbols.NONE, 1, 1, 2, 1), view, 0));
        event.quote(Symbols.of("A"), 0x8000_0000L, 1, 0, 0).position(1, 1);
        assertEquals(EventCodec.NO_RECORD, extended.encode(event, view, 0));
        event.quote(Symbols.of("A"), 1, 1, 2, 1);
        assertEquals(EventCodec.NO_RECORD, extended.encode(event, view, 0));
        assertEquals(28, plain.encode(event, view, 72));
        assertEquals(EventCodec.INSUFFICIENT_CAPACITY, plain.encode(event, view, 73));
        assertEquals(EventCodec.INSUFFICIENT_CAPACITY, plain.encode(event, view, -1));
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
            Samples.randomEvent(random, written).position(random.nextLong() | 1, random.nextLong())
                .times(random.nextLong(), 0);
            final int offset = random.nextInt(41);
            final String message = "-Dmillrace.seed=" + seed + " event " + i;
            assertEquals(60, extended.encode(written, view, offset), message);
            assertEquals(DecodeResult.OK, any.decode(view, 0, offset + 60, event), message);
            assertSame(written, event, message);
            assertEquals(written.session(), event.session(), message);
            assertEquals(written.sequence(), event.sequence(), message);
            assertEquals(written.sendTimeNs(), event.sendTimeNs(), message);
        }
    }

    static void assertSame(final BboEvent expected, final BboEvent actual, final String message)
    {
        assertEquals(expected.symbol(), actual.symbol(), message);
        assertEquals(expected.bidPrice(), actual.bidPrice(), message);
        assertEquals(expected.bidShares(), actual.bidShares(), message);
        assertEquals(expected.askPrice(), actual.askPrice(), message);
        assertEquals(expected.askShares(), actual.askShares(), message);
    }
}
