package io.millrace.exchange.soup;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** SoupBinTCP packets: golden bytes, all truncations, every split of a stream, random bytes. */
class SoupCodecTest
{
    private static final byte[] USER = SoupEncoder.padRight("TRADER", SoupDescriptor.USER_LENGTH);
    private static final byte[] TOKEN = SoupEncoder.padRight("secret", SoupDescriptor.TOKEN_LENGTH);
    private static final byte[] SESSION = SoupEncoder.padLeft("DAY1", SoupDescriptor.SESSION_LENGTH);
    private static final String LOGIN = "002f4c" + "545241444552" + "73656372657420202020" + "20202020202044415931" +
        "2020202020202020202020202020202020203432";
    private static final String ACCEPTED = "001f41" + "20202020202044415931" +
        "2020202020202020202020202020202020202031";

    private final ByteBuffer buffer = ByteBuffer.allocate(256);
    private final SoupPacket packet = new SoupPacket(64);

    private static String text(final ByteBuffer from, final int length)
    {
        return HexFormat.of().formatHex(from.array(), 0, length);
    }

    private static ByteBuffer bytes(final String hex)
    {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void shouldWriteGoldenBytes()
    {
        assertEquals(LOGIN, text(buffer, SoupEncoder.loginRequest(buffer, 0, USER, TOKEN, SESSION, 42)));
        assertEquals(ACCEPTED, text(buffer, SoupEncoder.loginAccepted(buffer, 0, SESSION, 1)));
        assertEquals("00024a41",
            text(buffer, SoupEncoder.loginRejected(buffer, 0, SoupDescriptor.NOT_AUTHORIZED)));
        assertEquals("000148", text(buffer, SoupEncoder.empty(buffer, 0, SoupDescriptor.SERVER_HEARTBEAT)));
        SoupEncoder.sequence(buffer, 0, 0);
        assertEquals("20".repeat(19) + "30", text(buffer, 20));
        SoupEncoder.sequence(buffer, 0, Long.MAX_VALUE);
        assertEquals(" 9223372036854775807", new String(buffer.array(), 0, 20, StandardCharsets.US_ASCII));
    }

    @Test
    void shouldReadGoldenBytes()
    {
        final ByteBuffer login = bytes(LOGIN);
        assertEquals(SoupDescriptor.LOGIN_REQUEST_LENGTH, packet.wrap(login, 0, login.capacity()));
        assertTrue(packet.isLoginRequest());
        assertTrue(packet.equal(SoupDescriptor.USER_OFFSET, USER));
        assertTrue(packet.equal(SoupDescriptor.TOKEN_OFFSET, TOKEN));
        assertTrue(packet.equal(SoupDescriptor.REQUESTED_SESSION_OFFSET, SESSION));
        assertFalse(packet.equal(SoupDescriptor.USER_OFFSET, SoupEncoder.padRight("TRADE", 6)));
        assertEquals(42, packet.sequence(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET));
        assertEquals(46, packet.payloadLength());
        packet.wrap(login.put(SoupDescriptor.TYPE_OFFSET, SoupDescriptor.UNSEQUENCED_DATA), 0, login.capacity());
        assertFalse(packet.isLoginRequest());
        // Its fields would be the bytes of the next packet.
        assertEquals(3, packet.wrap(bytes("00014c"), 0, 3));
        assertFalse(packet.isLoginRequest());
    }

    @Test
    void shouldReadSequencesOrSayThatTheyAreNone()
    {
        assertEquals(0, sequence(""));
        assertEquals(7, sequence("  7  "));
        assertEquals(Long.MAX_VALUE, sequence("9223372036854775807"));
        assertEquals(Long.MAX_VALUE, sequence("09223372036854775807"));
        assertEquals(SoupPacket.NO_NUMBER, sequence("9223372036854775808"));
        assertEquals(SoupPacket.NO_NUMBER, sequence("99999999999999999999"));
        assertEquals(SoupPacket.NO_NUMBER, sequence("1 2"));
        assertEquals(SoupPacket.NO_NUMBER, sequence("-1"));
        assertEquals(SoupPacket.NO_NUMBER, sequence("1a"));
    }

    private long sequence(final String text)
    {
        final ByteBuffer login = bytes(LOGIN);
        login.put(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET,
            String.format("%-20s", text).getBytes(StandardCharsets.US_ASCII));
        packet.wrap(login, 0, login.capacity());
        return packet.sequence(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET);
    }

    @Test
    void shouldWaitForEachTruncatedPacket()
    {
        final ByteBuffer login = bytes(LOGIN);
        for (int end = 0; end < login.capacity(); end++)
        {
            assertEquals(SoupPacket.INCOMPLETE, packet.wrap(login, 0, end), "bytes: " + end);
        }
    }

    @Test
    void shouldRefuseWrongLengthsAtOnce()
    {
        assertEquals(SoupPacket.MALFORMED, packet.wrap(bytes("0000"), 0, 2));
        assertEquals(64 + 3, packet.wrap(ByteBuffer.allocate(67).putShort(0, (short)65), 0, 67));
        assertEquals(SoupPacket.MALFORMED, packet.wrap(bytes("0042"), 0, 2));
        assertEquals(SoupPacket.MALFORMED, packet.wrap(bytes("ffff"), 0, 2));
    }

    @Test
    void shouldReadEverySplitOfAStream()
    {
        final String stream = LOGIN + "000152" + "000555deadbeef" + "00014f" + ACCEPTED;
        final byte[] all = HexFormat.of().parseHex(stream);
        for (int first = 0; first <= all.length; first++)
        {
            for (int second = first; second <= all.length; second++)
            {
                assertEquals("L46 R0 U4 O0 A30 ", read(all, first, second));
            }
        }
    }

    private String read(final byte[] all, final int... ends)
    {
        final StringBuilder seen = new StringBuilder();
        final ByteBuffer input = ByteBuffer.wrap(all);
        int at = 0;
        for (int part = 0; part <= ends.length; part++)
        {
            final int end = part == ends.length ? all.length : ends[part];
            int length = packet.wrap(input, at, end);
            while (length > 0)
            {
                seen.append((char)packet.type()).append(packet.payloadLength()).append(' ');
                at += length;
                assertTrue(at <= end, "a packet of which only a part was there");
                length = packet.wrap(input, at, end);
            }
            assertEquals(SoupPacket.INCOMPLETE, length);
        }
        return seen.toString();
    }

    @Test
    void shouldNeitherThrowNorReadBehindTheEndOfRandomBytes() throws Exception
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("-Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        final byte[] bytes = new byte[80];
        final ByteBuffer input = ByteBuffer.wrap(bytes);
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                random.nextBytes(bytes);
                bytes[0] = 0;
                bytes[1] &= 63;
                final int end = random.nextInt(81);
                final int length = packet.wrap(input, 0, end);
                if (length > end || length > 0 && packet.isLoginRequest() &&
                    packet.sequence(SoupDescriptor.REQUESTED_SEQUENCE_OFFSET) < SoupPacket.NO_NUMBER)
                {
                    throw new AssertionError("length " + length + " of " + end);
                }
            }
        });
    }

    @Test
    void shouldRefuseTextsThatDoNotFit()
    {
        final List<String> messages = new ArrayList<>();
        for (final String text : List.of("elevenchars", "with space", "umläut"))
        {
            messages.add(assertThrows(IllegalArgumentException.class,
                () -> SoupEncoder.padRight(text, SoupDescriptor.TOKEN_LENGTH)).getMessage());
        }
        assertEquals(List.of("a text of 11 characters is not 0..10 characters in 33..126",
            "a text of 10 characters is not 0..10 characters in 33..126",
            "a text of 6 characters is not 0..10 characters in 33..126"), messages);
        assertArrayEquals(new byte[] {' ', 'A'}, SoupEncoder.padLeft("A", 2));
        assertArrayEquals(new byte[] {'!', '~', ' '}, SoupEncoder.padRight("!~", 3));
        assertArrayEquals(new byte[] {'A', 'B'}, SoupEncoder.padRight("AB", 2));
        assertThrows(IllegalArgumentException.class, () -> new SoupPacket(-1));
        assertThrows(IllegalArgumentException.class, () -> new SoupPacket(65_535));
    }
}
