package io.millrace.exchange.ouch;

import io.millrace.gateway.Symbols;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** OUCH messages: golden bytes, all truncations, random bytes. */
class OuchCodecTest
{
    private static final long GOLD = Symbols.of("GOLD");
    private static final String GOLD_HEX = "474f4c4420202020";
    private static final String NO_ID = "20".repeat(14);
    private static final String ENTER = "4f" + "00000007" + "42" + "00000064" + GOLD_HEX + "000000000016e360" + "30" +
        "59" + "4f" + "4e" + "4e" + NO_ID + "0000";
    private static final String REPLACE = "55" + "00000007" + "fffffffe" + "00000032" + "000000000016e361" + "33" +
        "59" + "4e" + NO_ID + "0000";
    private static final String CANCEL = "58" + "00000007" + "00000000";
    private static final String MODIFY = "4d" + "00000007" + "53" + "0000000a";
    private static final String MASS_CANCEL = "43" + "00000009" + "20202020" + GOLD_HEX;
    private static final List<String> REQUESTS = List.of(ENTER, REPLACE, CANCEL, CANCEL + "0000", MODIFY,
        MODIFY + "0000", MASS_CANCEL, MASS_CANCEL + "0000", ENTER.substring(0, 90) + "00020101");
    private static final String TIME = "0000000000000005";
    private static final long EPOCH_NS = 86_400_000_000_000L * 19_000 + 5;

    private final OuchRequest request = new OuchRequest();
    private final ByteBuffer buffer = ByteBuffer.allocate(OuchDescriptor.MAX_ANSWER_LENGTH);
    private final OuchEncoder encoder = new OuchEncoder().wrap(buffer, 0, EPOCH_NS);

    private void read(final String hex)
    {
        assertTrue(request.wrap(ByteBuffer.wrap(HexFormat.of().parseHex(hex)), 0, hex.length() / 2), hex);
    }

    private String text(final int length)
    {
        return HexFormat.of().formatHex(buffer.array(), 0, length);
    }

    @Test
    void shouldReadGoldenBytes()
    {
        read(ENTER);
        assertEquals("O 7 B 100 1500000 0 Y N N 0", (char)request.type() + " " + request.ref() + " " +
            (char)request.side() + " " + request.quantity() + " " + request.price() + " " +
            (char)request.timeInForce() + " " + (char)request.display() + " " + (char)request.sweep() + " " +
            (char)request.crossType() + " " + request.appendageLength());
        assertEquals(GOLD, request.symbol());
        read(REPLACE);
        assertEquals("U 7 4294967294 50 1500001 3 Y N", (char)request.type() + " " + request.ref() + " " +
            request.newRef() + " " + request.quantity() + " " + request.price() + " " + (char)request.timeInForce() +
            " " + (char)request.display() + " " + (char)request.sweep());
        read(CANCEL);
        assertEquals("X 7 0", (char)request.type() + " " + request.ref() + " " + request.quantity());
        read(MODIFY);
        assertEquals("M 7 S 10", (char)request.type() + " " + request.ref() + " " + (char)request.side() + " " +
            request.quantity());
        read(MASS_CANCEL);
        assertEquals(9, request.ref());
        assertEquals(GOLD, request.symbol());
        read(REQUESTS.get(8));
        assertEquals(2, request.appendageLength());
    }

    @Test
    void shouldWriteGoldenBytes()
    {
        final String order = "42" + "00000064" + GOLD_HEX + "000000000016e360" + "30" + "59" + "000000000000000b" +
            "4f" + "4e" + "4e" + "4c" + NO_ID + "0000";
        assertEquals("41" + TIME + "00000007" + order,
            text(encoder.accepted(7, OuchDescriptor.BUY, 100, GOLD, 1_500_000, 11)));
        assertEquals("55" + TIME + "00000007" + "fffffffe" + order,
            text(encoder.replaced(7, 0xFFFF_FFFEL, OuchDescriptor.BUY, 100, GOLD, 1_500_000, 11)));
        assertEquals("43" + TIME + "00000007" + "0000000a" + "55",
            text(encoder.canceled(7, 10, OuchDescriptor.BY_USER)));
        assertEquals("45" + TIME + "00000007" + "0000000a" + "000000000016e360" + "52" + "0000000000000003" + "0000",
            text(encoder.executed(7, 10, 1_500_000, OuchDescriptor.REMOVED, 3)));
        assertEquals("4a" + TIME + "00000007" + "0081" + NO_ID, text(encoder.rejected(7, 129)));
        assertEquals("49" + TIME + "00000007", text(encoder.cancelReject(7)));
        assertEquals("4d" + TIME + "00000007" + "53" + "0000000a",
            text(encoder.modified(7, OuchDescriptor.SELL, 10)));
        assertEquals("58" + TIME + "00000009" + "20202020" + GOLD_HEX + "0000", text(encoder.massCanceled(9, GOLD)));
        assertEquals("53" + TIME + "53", text(encoder.systemEvent((byte)'S')));
    }

    @Test
    void shouldRefuseEachWrongLength()
    {
        for (final String hex : REQUESTS)
        {
            final ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex + "00000000"));
            for (int length = 0; length <= bytes.capacity(); length++)
            {
                final String part = hex.substring(0, Math.min(hex.length(), 2 * length));
                assertEquals(length == hex.length() / 2 || REQUESTS.contains(part) && part.length() == 2 * length ||
                    length == hex.length() / 2 + 2 && REQUESTS.contains(hex + "0000"),
                    request.wrap(bytes, 0, length), hex + " " + length);
            }
        }
        final ByteBuffer other = ByteBuffer.allocate(64);
        for (int type = 0; type < 256; type++)
        {
            other.put(0, (byte)type);
            assertEquals("OUXMC".indexOf(type) >= 0, request.wrap(other, 0, 47) || request.wrap(other, 0, 40) ||
                request.wrap(other, 0, 9) || request.wrap(other, 0, 10) || request.wrap(other, 0, 17));
        }
    }

    @Test
    void shouldNeitherThrowNorAllocateForRandomBytes() throws Exception
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("-Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        final byte[] bytes = new byte[64];
        final ByteBuffer input = ByteBuffer.wrap(bytes);
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                random.nextBytes(bytes);
                bytes[0] = (byte)"OUXMC".charAt(random.nextInt(5));
                bytes[38] = 0;
                bytes[45] = 0;
                final int length = random.nextInt(65);
                if (request.wrap(input, 0, length) && request.appendageLength() > length)
                {
                    throw new AssertionError("appendage of " + request.appendageLength());
                }
                encoder.accepted(request.ref(), (byte)'B', i, GOLD, request.price(), i);
                encoder.executed(i, i, i, (byte)'A', i);
                encoder.rejected(i, i);
            }
        });
        assertFalse(request.wrap(input, 0, 0));
    }
}
