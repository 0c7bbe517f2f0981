package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXValue;

/** Reads and writes numbers of FIX fields without floating point. Allocates nothing. */
final class FixNumbers
{
    /** The field is missing, or no number in range. */
    static final long NONE = -1;

    /** Decimals of a price: units of 1/10,000. */
    static final int DECIMALS = 4;
    private static final long UNITS = 10_000;

    private FixNumbers()
    {
    }

    /** A number of digits only, 0 to 2^63 - 1. */
    static long integer(final FIXValue value)
    {
        return integer(value, NONE);
    }

    /** The same, with another result when the field is missing. */
    static long integer(final FIXValue value, final long missing)
    {
        return value == null ? missing : digits(value, 0, value.length(), 0);
    }

    private static long digits(final FIXValue value, final int from, final int to, final long before)
    {
        long number = before;
        for (int i = from; i < to; i++)
        {
            final int digit = value.byteAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10)
            {
                return NONE;
            }
            number = number * 10 + digit;
        }
        return from == to ? NONE : number;
    }

    /** A decimal number without sign, in units of 1/10,000; further decimals must be zeros. */
    static long units(final FIXValue value)
    {
        if (value == null)
        {
            return NONE;
        }
        int point = 0;
        while (point < value.length() && value.byteAt(point) != '.')
        {
            point++;
        }
        int end = value.length();
        while (end - point - 1 > DECIMALS && value.byteAt(end - 1) == '0')
        {
            end--;
        }
        long number = digits(value, 0, point, 0);
        final int decimals = Math.max(0, end - point - 1);
        if (number == NONE || decimals > DECIMALS)
        {
            return NONE;
        }
        number = decimals == 0 ? number : digits(value, point + 1, end, number);
        for (int i = decimals; i < DECIMALS && number != NONE; i++)
        {
            number = number > Long.MAX_VALUE / 10 ? NONE : number * 10;
        }
        return number;
    }

    /** A whole number of a field that may have decimals, such as a quantity; they must be zeros. */
    static long whole(final FIXValue value)
    {
        final long units = units(value);
        return units == NONE || units % UNITS != 0 ? NONE : units / UNITS;
    }

    /** Writes units of 1/10,000 with four decimals. */
    static void units(final FIXValue value, final long units, final StringBuilder text)
    {
        text.setLength(0);
        text.append(units / UNITS).append('.');
        final long decimals = units % UNITS;
        for (long unit = UNITS / 10; unit > 0; unit /= 10)
        {
            text.append((char)('0' + decimals / unit % 10));
        }
        value.setString(text);
    }
}
