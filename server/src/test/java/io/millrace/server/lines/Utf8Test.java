package io.millrace.server.lines;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.fail;

class Utf8Test
{
    private static final byte[] THIRD = {0x41, (byte)0x80, (byte)0xBF, (byte)0xC0};
    private static final byte[] FOURTH = {(byte)0x80, (byte)0xC0};

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final byte[] bytes = new byte[16];
    private final ByteView view = new ByteView(bytes);
    private final ByteBuffer in = ByteBuffer.wrap(bytes);
    private final CharBuffer out = CharBuffer.allocate(bytes.length);

    private void check(final int offset, final int length)
    {
        in.clear().limit(offset + length).position(offset);
        final CoderResult result = decoder.reset().decode(in, out.clear(), true);
        final boolean expected = !result.isError();
        if (Utf8.isValid(view, offset, length) != expected)
        {
            fail(length + " bytes from " + offset + " of " + Arrays.toString(bytes));
        }
    }

    /** All pairs of bytes, with characters of four bytes around their limits; at the end of a line and inside of it. */
    @Test
    void shouldAgreeWithTheDecoderOfTheJdk()
    {
        for (int pair = 0; pair < 1 << 16; pair++)
        {
            bytes[3] = (byte)(pair >>> 8);
            bytes[4] = (byte)pair;
            check(3, 1);
            check(3, 2);
            for (final byte third : THIRD)
            {
                bytes[5] = third;
                check(3, 3);
                for (final byte fourth : FOURTH)
                {
                    bytes[6] = fourth;
                    check(3, 4);
                    check(3, 12);
                }
            }
        }
    }
}
