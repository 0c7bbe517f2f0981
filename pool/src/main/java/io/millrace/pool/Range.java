package io.millrace.pool;

/**
 * Checks numbers against their allowed range.
 */
public final class Range
{
    private Range()
    {
    }

    /**
     * Check a number.
     *
     * @param what  name of the number in the message.
     * @param value the number.
     * @param min   the least allowed one.
     * @param max   the greatest allowed one.
     * @return the number.
     * @throws IllegalArgumentException if it is outside; the message names number and range.
     */
    public static long check(final String what, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(what + " " + value + " is not in " + min + ".." + max);
        }
        return value;
    }

    /**
     * Check an {@code int}: the same.
     *
     * @param what  name of the number in the message.
     * @param value the number.
     * @param min   the least allowed one.
     * @param max   the greatest allowed one.
     * @return the number.
     * @throws IllegalArgumentException if it is outside; the message names number and range.
     */
    public static int check(final String what, final int value, final int min, final int max)
    {
        check(what, (long)value, min, max);
        return value;
    }
}
