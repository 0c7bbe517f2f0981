package io.millrace.server.lines;

import io.millrace.pool.ByteView;

/** Checks bytes against UTF-8 as RFC 3629 has it: shortest form, no surrogates, nothing above U+10FFFF. */
final class Utf8
{
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8()
    {
    }

    static boolean isValid(final ByteView bytes, final int offset, final int length)
    {
        final int end = offset + length;
        int at = offset;
        while (at < end)
        {
            if (end - at >= Long.BYTES && (bytes.getLong(at) & HIGH_BITS) == 0)
            {
                at += Long.BYTES;
                continue;
            }
            final int first = bytes.getByte(at) & 0xFF;
            final int more = following(first);
            if (more < 0 || more >= end - at || more > 0 && !isSecond(first, bytes.getByte(at + 1) & 0xFF))
            {
                return false;
            }
            for (int i = 2; i <= more; i++)
            {
                if ((bytes.getByte(at + i) & 0xC0) != 0x80)
                {
                    return false;
                }
            }
            at += more + 1;
        }
        return true;
    }

    /** Number of bytes after the first one; -1 if it is no first byte. */
    private static int following(final int first)
    {
        if (first < 0x80)
        {
            return 0;
        }
        if (first < 0xC2 || first > 0xF4)
        {
            return -1;
        }
        return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    }

    private static boolean isSecond(final int first, final int second)
    {
        switch (first)
        {
            case 0xE0:
                return second >= 0xA0 && second <= 0xBF;
            case 0xED:
                return second >= 0x80 && second <= 0x9F;
            case 0xF0:
                return second >= 0x90 && second <= 0xBF;
            case 0xF4:
                return second >= 0x80 && second <= 0x8F;
            default:
                return (second & 0xC0) == 0x80;
        }
    }
}
