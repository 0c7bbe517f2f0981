package io.millrace.engine.codec;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What every codec does with its own records, and with bytes that are none: a code, never an exception, never a byte
 * outside of the record.
 *
 * @param <E> type of the events.
 */
abstract class EventCodecSuite<E>
{
    private static final int RANDOM_RECORDS = 1_000_000;
    private static final int MARGIN = 16;
    private static final byte UNTOUCHED = 0x5A;

    final EventCodec<E> codec;
    private final Supplier<E> events;

    EventCodecSuite(final EventCodec<E> codec, final Supplier<E> events)
    {
        this.codec = codec;
        this.events = events;
    }

    final E newEvent()
    {
        return events.get();
    }

    /** Every record of the codec, with numbers that are all different where they can be. */
    abstract List<E> samples();

    /** Everything that the event says and the codec carries. */
    abstract String text(E event);

    /** The first bytes of the codec's records. */
    abstract byte[] types();

    /** Whether decoding and encoding gives back the same bytes wherever decoding is OK. */
    boolean givesTheSameBytes(final E decoded)
    {
        return true;
    }

    /** Whether decoding and encoding may change a byte. */
    boolean isCounted(final int offset)
    {
        return false;
    }

    final byte[] bytesOf(final E event)
    {
        final byte[] bytes = new byte[codec.maxLengthBytes()];
        final int length = codec.encode(event, new ByteView(bytes), 0);
        assertTrue(length > 0, () -> "not encoded: " + text(event));
        return Arrays.copyOf(bytes, length);
    }

    @Test
    void shouldDecodeItsOwnEncoding()
    {
        for (final E sample : samples())
        {
            final byte[] bytes = bytesOf(sample);
            assertEquals(bytes.length, RecordType.lengthBytes(bytes[0]));
            final E event = newEvent();
            assertEquals(DecodeResult.OK, codec.decode(new ByteView(bytes), 0, bytes.length, event));
            assertEquals(text(sample), text(event));
        }
    }

    @Test
    void shouldClearTheEventsPreviousFields()
    {
        for (final E earlier : samples())
        {
            for (final E sample : samples())
            {
                final E event = newEvent();
                final byte[] before = bytesOf(earlier);
                codec.decode(new ByteView(before), 0, before.length, event);
                final byte[] bytes = bytesOf(sample);
                codec.decode(new ByteView(bytes), 0, bytes.length, event);
                assertEquals(text(sample), text(event));
            }
        }
    }

    @Test
    void shouldEncodeAndDecodeAtAnyOffsetAndChangeNoOtherBytes()
    {
        for (final E sample : samples())
        {
            final byte[] expected = bytesOf(sample);
            for (final ByteBuffer buffer : List.of(ByteBuffer.allocate(MARGIN * 2 + expected.length),
                ByteBuffer.allocateDirect(MARGIN * 2 + expected.length)))
            {
                for (int offset = 0; offset <= 2 * MARGIN; offset++)
                {
                    for (int i = 0; i < buffer.capacity(); i++)
                    {
                        buffer.put(i, UNTOUCHED);
                    }
                    final ByteView view = new ByteView(buffer);
                    assertEquals(expected.length, codec.encode(sample, view, offset));
                    for (int i = 0; i < buffer.capacity(); i++)
                    {
                        final boolean inside = i >= offset && i < offset + expected.length;
                        if (!inside || !isCounted(i - offset))
                        {
                            assertEquals(inside ? expected[i - offset] : UNTOUCHED, buffer.get(i), "byte " + i);
                        }
                    }
                    final E event = newEvent();
                    assertEquals(DecodeResult.OK, codec.decode(view, offset, expected.length, event));
                    assertEquals(text(sample), text(event));
                }
            }
        }
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryExtension()
    {
        for (final E sample : samples())
        {
            final byte[] bytes = Arrays.copyOf(bytesOf(sample), bytesOf(sample).length + MARGIN);
            final int length = bytes.length - MARGIN;
            for (int shorter = 0; shorter < length; shorter++)
            {
                assertEquals(DecodeResult.TOO_SHORT, codec.decode(new ByteView(bytes), 0, shorter, newEvent()));
                final byte[] cut = Arrays.copyOf(bytes, shorter);
                assertEquals(DecodeResult.TOO_SHORT, codec.decode(new ByteView(cut), 0, shorter, newEvent()));
                assertEquals(DecodeResult.OUT_OF_BOUNDS, codec.decode(new ByteView(cut), 0, length, newEvent()));
            }
            for (int longer = length + 1; longer <= bytes.length; longer++)
            {
                assertEquals(DecodeResult.TOO_LONG, codec.decode(new ByteView(bytes), 0, longer, newEvent()));
            }
        }
    }

    @Test
    void shouldRefuseBytesOutsideTheView()
    {
        final byte[] bytes = bytesOf(samples().get(0));
        final byte[] kept = bytes.clone();
        final ByteView view = new ByteView(bytes);
        for (final int offset : new int[] {-1, 1, bytes.length, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            assertEquals(DecodeResult.OUT_OF_BOUNDS, codec.decode(view, offset, bytes.length, newEvent()));
            assertEquals(EventCodec.INSUFFICIENT_CAPACITY, codec.encode(samples().get(0), view, offset));
        }
        for (final int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, bytes.length + 1})
        {
            assertEquals(DecodeResult.OUT_OF_BOUNDS, codec.decode(view, 0, length, newEvent()));
        }
        assertEquals(DecodeResult.TOO_SHORT, codec.decode(view, bytes.length, 0, newEvent()));
        assertArrayEquals(kept, bytes);
    }

    @Test
    void shouldEncodeNothingBeyondTheView()
    {
        for (final E sample : samples())
        {
            for (int capacity = 0; capacity < bytesOf(sample).length; capacity++)
            {
                final byte[] bytes = new byte[capacity];
                assertEquals(EventCodec.INSUFFICIENT_CAPACITY, codec.encode(sample, new ByteView(bytes), 0));
                assertArrayEquals(new byte[capacity], bytes);
            }
        }
    }

    @Test
    void shouldAnswerAllValuesOfEachByte()
    {
        for (final E sample : samples())
        {
            final byte[] bytes = bytesOf(sample);
            for (int offset = 0; offset < bytes.length; offset++)
            {
                final byte kept = bytes[offset];
                for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++)
                {
                    bytes[offset] = (byte)value;
                    final DecodeResult result = check(bytes, bytes.length);
                    assertTrue(offset != 0 || value == kept || result != DecodeResult.OK ||
                        RecordType.lengthBytes((byte)value) == bytes.length, "another type is not OK");
                }
                bytes[offset] = kept;
            }
        }
    }

    @Test
    void shouldRefuseEveryOtherRecordType()
    {
        final byte[] bytes = new byte[codec.maxLengthBytes()];
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++)
        {
            bytes[0] = (byte)type;
            final boolean own = new String(types(), java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(type) >= 0;
            final DecodeResult result = codec.decode(new ByteView(bytes), 0, bytes.length, newEvent());
            assertEquals(!own, result == DecodeResult.WRONG_TYPE, "type " + type);
        }
    }

    @Test
    void shouldAnswerRandomBytes()
    {
        random(RANDOM_RECORDS / 10);
    }

    @Test
    @Tag("faults")
    void shouldAnswerAMillionRandomRecords()
    {
        random(RANDOM_RECORDS);
    }

    private void random(final int count)
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + ": random records, -Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        final Map<DecodeResult, Integer> results = new EnumMap<>(DecodeResult.class);
        final List<byte[]> records = samples().stream().map(this::bytesOf).toList();
        for (int i = 0; i < count; i++)
        {
            final byte[] bytes;
            if ((i & 1) == 0)
            {
                bytes = new byte[random.nextInt(2 * codec.maxLengthBytes())];
                random.nextBytes(bytes);
                if (bytes.length > 0 && random.nextBoolean())
                {
                    bytes[0] = types()[random.nextInt(types().length)];
                }
            }
            else
            {
                bytes = records.get(random.nextInt(records.size())).clone();
                for (int change = random.nextInt(4); change > 0; change--)
                {
                    bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
                }
            }
            results.merge(check(bytes, bytes.length), 1, Integer::sum);
        }
        assertNotEquals(null, results.get(DecodeResult.OK), results::toString);
        assertNotEquals(null, results.get(DecodeResult.WRONG_TYPE), results::toString);
        assertNotEquals(null, results.get(DecodeResult.TOO_SHORT), results::toString);
        assertNotEquals(null, results.get(DecodeResult.TOO_LONG), results::toString);
        assertNotEquals(null, results.get(DecodeResult.RESERVED_NOT_ZERO), results::toString);
    }

    /** Decode; if that is OK, encode again, which gives the same bytes. */
    private DecodeResult check(final byte[] bytes, final int length)
    {
        final E event = newEvent();
        final DecodeResult result;
        try
        {
            result = codec.decode(new ByteView(bytes), 0, length, event);
        }
        catch (final RuntimeException ex)
        {
            throw new AssertionError("thrown for " + java.util.HexFormat.of().formatHex(bytes), ex);
        }
        if (result == DecodeResult.OK && givesTheSameBytes(event))
        {
            final byte[] again = bytesOf(event);
            for (int i = 0; i < again.length; i++)
            {
                if (isCounted(i))
                {
                    again[i] = bytes[i];
                }
            }
            assertArrayEquals(bytes, again);
        }
        return result;
    }
}
