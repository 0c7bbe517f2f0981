package io.millrace.server.replay;

import java.util.Locale;

/**
 * One row of a recorded file: a view of the bytes between the separators. Parses on demand and allocates only
 * exceptions.
 * <p>
 * Arguments count columns from 0, messages count columns and lines from 1. Fields are the bytes of the file: quotes,
 * escapes and white space are kept. Use a row only on the thread that polls the source, in {@link RowDecoder#decode}.
 */
public final class CsvRow
{
    /** Digits after the decimal point of a second with nanoseconds. */
    private static final int NS_DECIMALS = 9;
    /** A long can represent any number of 18 digits. */
    private static final int MAX_DECIMALS = 18;
    /** Characters of a wrong field that a message quotes; the field may be as long as the buffer. */
    private static final int MAX_SHOWN = 60;

    private final String file;
    private final byte[] buffer;
    /** End of each field, from the start of the line; the next field starts one byte later. */
    private final int[] ends;
    private int start;
    private int columns;
    private long lineNumber;
    private long dueNs;

    CsvRow(final String file, final byte[] buffer, final int[] ends)
    {
        this.file = file;
        this.buffer = buffer;
        this.ends = ends;
    }

    void wrap(final int lineStart, final int columnCount, final long line)
    {
        start = lineStart;
        columns = columnCount;
        lineNumber = line;
        dueNs = 0;
    }

    void dueNs(final long timeNs)
    {
        dueNs = timeNs;
    }

    /**
     * Number of columns.
     *
     * @return at least 1.
     */
    public int columns()
    {
        return columns;
    }

    /**
     * Number of the line in the file.
     *
     * @return number of the line from 1, including the header.
     */
    public long lineNumber()
    {
        return lineNumber;
    }

    /**
     * Due time of this row, in nanoseconds of the source's clock. Latencies start at this time, even when the row is
     * published later.
     *
     * @return the time; 0 when the file is replayed at full speed.
     */
    public long dueNs()
    {
        return dueNs;
    }

    /**
     * A whole number, such as {@code -42}.
     *
     * @param column from 0.
     * @return the number.
     * @throws MalformedRowException when the field is not such a number or exceeds a long.
     */
    public long longAt(final int column)
    {
        return parse(column, 0, false);
    }

    /**
     * A whole number that fits an int.
     *
     * @param column from 0.
     * @return the number.
     * @throws MalformedRowException when the field is not such a number or exceeds an int.
     */
    public int intAt(final int column)
    {
        final long value = parse(column, 0, false);
        if (value != (int)value)
        {
            throw malformed(column, "is beyond an int");
        }
        return (int)value;
    }

    /**
     * A time in seconds, such as {@code 34200.004241176}, which is 34,200,004,241,176. Digits beyond the nanosecond
     * are dropped: recorders that compute in floating point write some.
     *
     * @param column from 0.
     * @return the time in nanoseconds.
     * @throws MalformedRowException when the field is not such a number or exceeds a long.
     */
    public long timeNsAt(final int column)
    {
        return parse(column, NS_DECIMALS, true);
    }

    /**
     * A decimal number as a fixed-point number: {@code 58.53} with 4 decimals is 585,300. No digit is dropped or
     * rounded.
     *
     * @param column   from 0.
     * @param decimals digits after the point in the result, 0 to 18.
     * @return the number times ten to the power of {@code decimals}.
     * @throws MalformedRowException when the field is not such a number, has more decimals or exceeds a long.
     */
    public long decimalAt(final int column, final int decimals)
    {
        if (decimals < 0 || decimals > MAX_DECIMALS)
        {
            throw new IllegalArgumentException("decimals " + decimals + " is not in 0.." + MAX_DECIMALS);
        }
        return parse(column, decimals, false);
    }

    private long parse(final int column, final int decimals, final boolean truncates)
    {
        final byte[] bytes = buffer;
        final int end = endOf(column);
        int at = startOf(column);
        final boolean negative = at < end && bytes[at] == '-';
        if (negative)
        {
            at++;
        }
        // The sum is negative, because a long has one more negative number than positive ones.
        long value = 0;
        int digits = 0;
        int missing = decimals;
        boolean afterPoint = false;
        for (; at < end; at++)
        {
            final int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9)
            {
                digits++;
                if (!afterPoint || missing > 0)
                {
                    value = append(column, value, digit);
                    missing -= afterPoint ? 1 : 0;
                }
                else if (!truncates)
                {
                    throw malformed(column, "has more than " + decimals + " digits after the point");
                }
            }
            else if (bytes[at] == '.' && !afterPoint && decimals > 0)
            {
                afterPoint = true;
            }
            else
            {
                break;
            }
        }
        if (at < end || digits == 0)
        {
            throw malformed(column, decimals == 0 ? "is not a whole number" : "is not a decimal number");
        }
        for (; missing > 0; missing--)
        {
            value = append(column, value, 0);
        }
        if (!negative && value == Long.MIN_VALUE)
        {
            throw malformed(column, "is beyond a long");
        }
        return negative ? value : -value;
    }

    private long append(final int column, final long value, final int digit)
    {
        if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit)
        {
            throw malformed(column, "is beyond a long");
        }
        return value * 10 - digit;
    }

    /**
     * A field of one byte, such as {@code B}.
     *
     * @param column from 0.
     * @return the byte.
     * @throws MalformedRowException when the field does not have exactly one byte.
     */
    public byte byteAt(final int column)
    {
        if (lengthAt(column) != 1)
        {
            throw malformed(column, "is not one byte");
        }
        return buffer[startOf(column)];
    }

    /**
     * A byte of a field.
     *
     * @param column from 0.
     * @param index  from 0 to below {@link #lengthAt}.
     * @return the byte.
     * @throws MalformedRowException when the field is shorter.
     */
    public byte byteAt(final int column, final int index)
    {
        if (index < 0 || index >= lengthAt(column))
        {
            throw malformed(column, "has no byte " + index);
        }
        return buffer[startOf(column) + index];
    }

    /**
     * Length of a field.
     *
     * @param column from 0.
     * @return number of bytes, 0 for an empty field.
     */
    public int lengthAt(final int column)
    {
        return endOf(column) - startOf(column);
    }

    /**
     * Whether a field equals this text; case matters.
     *
     * @param column from 0.
     * @param text   of ASCII characters.
     * @return true when they are equal.
     */
    public boolean equals(final int column, final String text)
    {
        final int length = lengthAt(column);
        if (length != text.length())
        {
            return false;
        }
        final int from = startOf(column);
        for (int i = 0; i < length; i++)
        {
            if (buffer[from + i] != text.charAt(i))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A field as a string. Allocates, so use it for messages and rare rows only.
     *
     * @param column from 0.
     * @return the text; bytes that are not printable ASCII as {@code \xNN}.
     */
    public String textAt(final int column)
    {
        return text(startOf(column), endOf(column), Integer.MAX_VALUE);
    }

    /**
     * Create the exception that a decoder throws for an invalid field.
     *
     * @param column from 0.
     * @param what   the reason, which follows the text of the field, such as {@code is not a side}.
     * @return the exception.
     */
    public MalformedRowException malformed(final int column, final String what)
    {
        return new MalformedRowException(place() + "column " + (column + 1) + " '" +
            text(startOf(column), endOf(column), MAX_SHOWN) + "' " + what, null);
    }

    MalformedRowException malformedLine(final int lengthBytes, final String what, final Throwable cause)
    {
        return new MalformedRowException(
            place() + what + ": '" + text(start, start + lengthBytes, MAX_SHOWN) + "'", cause);
    }

    MalformedRowException undecodable(final RuntimeException cause)
    {
        return malformedLine(ends[columns - 1], "the decoder failed, " + cause, cause);
    }

    String place()
    {
        return file + ":" + lineNumber + ": ";
    }

    private String text(final int from, final int to, final int maxLength)
    {
        final int length = Math.min(to - from, maxLength);
        final StringBuilder text = new StringBuilder(length + 3);
        for (int i = from; i < from + length; i++)
        {
            final int c = buffer[i] & 0xff;
            if (c >= ' ' && c <= '~')
            {
                text.append((char)c);
            }
            else
            {
                text.append(String.format(Locale.ROOT, "\\x%02x", c));
            }
        }
        return length < to - from ? text.append("...").toString() : text.toString();
    }

    private int startOf(final int column)
    {
        return column == 0 ? start : endOf(column - 1) + 1;
    }

    private int endOf(final int column)
    {
        if (column < 0 || column >= columns)
        {
            throw new IndexOutOfBoundsException("column index " + column + " is not in 0.." + (columns - 1));
        }
        return start + ends[column];
    }
}
