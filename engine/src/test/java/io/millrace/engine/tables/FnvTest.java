package io.millrace.engine.tables;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class FnvTest
{
    private static final int NUMBERS = 10_000;

    /** As defined: one byte after the other. */
    private static long plain(final long hash, final long value)
    {
        long result = hash;
        for (final byte each : ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array())
        {
            result = (result ^ each & 0xff) * 0x100000001b3L;
        }
        return result;
    }

    @Test
    void shouldHashNumbersOfEveryLength()
    {
        final Random random = new Random(7);
        long hash = Fnv.OFFSET;
        for (int i = 0; i < NUMBERS; i++)
        {
            final long value = i < 0x300 ? i : random.nextLong() >> random.nextInt(Long.SIZE);
            for (final long each : new long[]{value, value & -0x100, ~value, -value, value & 0xFFFF_FFFFL})
            {
                assertEquals(plain(hash, each), Fnv.add(hash, each), () -> "seed 7, number " + each);
                hash = Fnv.add(hash, each);
            }
        }
    }
}
