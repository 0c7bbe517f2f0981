package io.millrace.gateway.sink;

import io.millrace.gateway.Symbols;

import java.nio.charset.StandardCharsets;

/**
 * Writes numbers and text into a byte array, without an allocation. The capacity is fixed: choose the greatest length
 * of a record.
 */
final class AsciiWriter
{
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final byte[] MIN_LONG = ascii("-9223372036854775808");

    private final byte[] bytes;
    private int length;

    AsciiWriter(final int capacityBytes)
    {
        bytes = new byte[capacityBytes];
    }

    static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] bytes()
    {
        return bytes;
    }

    int length()
    {
        return length;
    }

    AsciiWriter clear()
    {
        length = 0;
        return this;
    }

    AsciiWriter text(final byte[] text)
    {
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
        return this;
    }

    AsciiWriter character(final char character)
    {
        bytes[length++] = (byte)character;
        return this;
    }

    /** A signed number: 1 to 20 characters. */
    AsciiWriter number(final long value)
    {
        if (value == Long.MIN_VALUE)
        {
            return text(MIN_LONG);
        }
        if (value < 0)
        {
            character('-');
        }
        return digits(Math.abs(value), 1, 0);
    }

    /** An unsigned number: 1 to 20 characters. */
    AsciiWriter unsigned(final long value)
    {
        if (value >= 0)
        {
            return digits(value, 1, 0);
        }
        final long tenth = Long.divideUnsigned(value, 10);
        return digits(tenth, 1, 0).character((char)('0' + (value - tenth * 10)));
    }

    /**
     * A fixed-point number with a digit before the point, and all its places: 1,495,000 with 4 places is 149.5000.
     *
     * @param value  more than the smallest long.
     * @param places 1 to 18.
     */
    AsciiWriter decimal(final long value, final int places)
    {
        if (value < 0)
        {
            character('-');
        }
        return digits(Math.abs(value), places + 1, places);
    }

    /** At least {@code min} digits, a point before the last {@code places} of them. */
    private AsciiWriter digits(final long value, final int min, final int places)
    {
        int count = 1;
        for (long rest = value / 10; rest != 0; rest /= 10)
        {
            count++;
        }
        count = Math.max(count, min);
        long rest = value;
        final int end = length + count + (places > 0 ? 1 : 0);
        int at = end;
        for (int i = 0; i < count; i++)
        {
            if (places > 0 && i == places)
            {
                bytes[--at] = '.';
            }
            final long tenth = rest / 10;
            bytes[--at] = (byte)('0' + (rest - tenth * 10));
            rest = tenth;
        }
        length = end;
        return this;
    }

    /** A symbol inside of a JSON text: up to 48 characters, because the wire may carry any byte. */
    AsciiWriter jsonSymbol(final long symbol)
    {
        final int count = Symbols.length(symbol);
        for (int i = 0; i < count; i++)
        {
            final int c = Symbols.charAt(symbol, i) & 0xFF;
            if (c >= 32 && c < 127 && c != '"' && c != '\\')
            {
                character((char)c);
            }
            else
            {
                character('\\').character('u').character('0').character('0');
                bytes[length++] = HEX[c >>> 4];
                bytes[length++] = HEX[c & 15];
            }
        }
        return this;
    }

    /**
     * A symbol as plain text: up to 8 characters.
     *
     * @param forbidden printable characters that are replaced too.
     */
    AsciiWriter plainSymbol(final long symbol, final byte[] forbidden)
    {
        final int count = Symbols.length(symbol);
        for (int i = 0; i < count; i++)
        {
            final byte c = Symbols.charAt(symbol, i);
            character(c > 32 && c < 127 && !contains(forbidden, c) ? (char)c : '?');
        }
        return this;
    }

    private static boolean contains(final byte[] some, final byte one)
    {
        for (final byte each : some)
        {
            if (each == one)
            {
                return true;
            }
        }
        return false;
    }
}
