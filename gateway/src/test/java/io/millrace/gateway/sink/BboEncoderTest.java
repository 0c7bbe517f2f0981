package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BboEncoderTest
{
    private static final long TIME_NS = 1_700_000_000_123_456_789L;

    private final BboEvent event = new BboEvent();

    private static String json(final BboEvent event, final boolean withSequence)
    {
        final BboEncoder encoder = new BboEncoder(withSequence);
        return new String(encoder.bytes(), 0, encoder.json(event), StandardCharsets.US_ASCII);
    }

    private static String numbers(final BboEvent event)
    {
        final String json = json(event, false);
        return json.substring(json.indexOf("\"spread\""));
    }

    @Test
    void shouldWriteTheDocumentedLine()
    {
        event.quote(Symbols.of("AAPL"), 1_495_000, 300, 1_520_000, 300).times(TIME_NS, 5).position(3, 42);
        final String line = "{\"type\":\"bbo\",\"symbol\":\"AAPL\",\"timestamp\":1700000000123456789," +
            "\"bid\":{\"price\":149.5000,\"shares\":300},\"ask\":{\"price\":152.0000,\"shares\":300}," +
            "\"spread\":{\"price\":2.5000,\"percent\":1.658}";
        assertEquals(line + "}", json(event, false));
        assertEquals(line + ",\"sequence\":42}", json(event, true));
    }

    @Test
    void shouldRoundThePercentToTheNearestAndAHalfAwayFromZero()
    {
        // 100,000 bid and 100,001 ask: 200,000 / 200,001 = 0.99999 thousandths of a percent.
        event.quote(Symbols.of("A"), 100_000, 1, 100_001, 1);
        assertEquals("\"spread\":{\"price\":0.0001,\"percent\":0.001}}", numbers(event));
        // 1 x 200,000 / 400,001 is below a half; 1 x 200,000 / 399,999 above; 2 x 200,000 / 160,000 is 2.5.
        assertEquals(0, BboEncoder.percentOfMid(event.quote(1, 200_000, 1, 200_001, 1)));
        assertEquals(1, BboEncoder.percentOfMid(event.quote(1, 199_999, 1, 200_000, 1)));
        assertEquals(3, BboEncoder.percentOfMid(event.quote(1, 79_999, 1, 80_001, 1)));
        assertEquals(-3, BboEncoder.percentOfMid(event.quote(1, 80_001, 1, 79_999, 1)));
        event.quote(Symbols.of("A"), 80_001, 1, 79_999, 1);
        assertEquals("\"spread\":{\"price\":-0.0002,\"percent\":-0.003}}", numbers(event));
    }

    @Test
    void shouldWriteNoSpreadWithoutBothSides()
    {
        assertEquals("\"spread\":{\"price\":0.0000,\"percent\":0.000}}", numbers(event.quote(1, 10_000, 5, 0, 0)));
        assertEquals("\"spread\":{\"price\":0.0000,\"percent\":0.000}}", numbers(event.quote(1, 0, 0, 10_000, 5)));
        assertEquals("{\"type\":\"bbo\",\"symbol\":\"\",\"timestamp\":0,\"bid\":{\"price\":0.0000,\"shares\":0}," +
            "\"ask\":{\"price\":0.0000,\"shares\":0},\"spread\":{\"price\":0.0000,\"percent\":0.000}}",
            json(event.quote(Symbols.NONE, 0, 0, 0, 0), false));
    }

    @Test
    void shouldEscapeWhatIsNoPlainCharacter()
    {
        event.quote(0x22_5C_0A_00_7F_FF_41_20L, 1, 1, 1, 1);
        final String json = json(event, false);
        assertTrue(json.startsWith(
            "{\"type\":\"bbo\",\"symbol\":\"\\u0022\\u005c\\u000a\\u0000\\u007f\\u00ffA\",\"timestamp\":0,"), json);
    }

    @Test
    void shouldFitTheGreatestValues()
    {
        final long max = 0xFFFF_FFFFL;
        event.quote(-1, max, max, max, max).times(Long.MIN_VALUE, 0).position(-1, -1);
        final String json = json(event, true);
        assertTrue(json.length() < BboEncoder.MAX_LENGTH - 1, "length " + json.length());
        assertTrue(json.contains("\"timestamp\":-9223372036854775808,\"bid\":{\"price\":429496.7295,"), json);
        assertTrue(json.endsWith(",\"sequence\":18446744073709551615}"), json);
        assertEquals(199_999, BboEncoder.percentOfMid(event.quote(1, 1, 1, 400_000, 1)));
        assertEquals(200_000, BboEncoder.percentOfMid(event.quote(1, 1, 1, max, 1)));
    }

    @Test
    void shouldAgreeWithTheJdksDecimals()
    {
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++)
        {
            final long bid = 1 + random.nextLong(1L << random.nextInt(1, 32));
            final long ask = 1 + random.nextLong(1L << random.nextInt(1, 32));
            event.quote(1, bid, 1, ask, 1);
            final BigDecimal spread = BigDecimal.valueOf(ask - bid, 4);
            final BigDecimal percent = BigDecimal.valueOf((ask - bid) * 200)
                .divide(BigDecimal.valueOf(ask + bid), 3, RoundingMode.HALF_UP);
            // A half away from zero is HALF_UP in the JDK. It writes a zero without a sign, as we do.
            assertEquals("\"spread\":{\"price\":" + spread.toPlainString() + ",\"percent\":" + percent.toPlainString() +
                "}}", numbers(event), "seed " + seed);
        }
    }

    @Test
    void shouldWriteTheDocumentedFrame()
    {
        event.quote(Symbols.of("AAPL"), 0xFFFF_FFFEL, 300, 1_520_000, 301).times(TIME_NS, 5).position(3, 42);
        final BboEncoder encoder = new BboEncoder(false);
        assertEquals(56, encoder.frame(event));
        final ByteBuffer frame = ByteBuffer.wrap(encoder.bytes());
        assertEquals(56, frame.getShort());
        assertEquals(1, frame.get());
        assertEquals(1, frame.get());
        assertEquals(0, frame.getInt());
        assertEquals(TIME_NS, frame.getLong());
        assertEquals(3, frame.getLong());
        assertEquals(42, frame.getLong());
        assertEquals(Symbols.of("AAPL"), frame.getLong());
        assertEquals(0xFFFF_FFFE, frame.getInt());
        assertEquals(300, frame.getInt());
        assertEquals(1_520_000, frame.getInt());
        assertEquals(301, frame.getInt());
        assertEquals(56, frame.position());
    }

    @Test
    void shouldConvertTheTimeOfReception()
    {
        final BboEncoder encoder = new BboEncoder(false);
        final long before = System.currentTimeMillis();
        final long timeNs = encoder.timestampNs(event.quote(1, 1, 1, 1, 1).times(0, System.nanoTime()));
        // A clock that is set while the test runs is not our business: an hour.
        assertTrue(Math.abs(timeNs / 1_000_000 - before) < 3_600_000, "time " + timeNs + ", clock " + before);
        assertEquals(0, encoder.timestampNs(event.quote(1, 1, 1, 1, 1)));
    }
}
