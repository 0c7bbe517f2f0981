package io.millrace.engine.tables;

import java.util.Arrays;

/**
 * Rows of longs that grow, for a copy of a state. Allocates only when it grows. One thread.
 */
public final class LongRows
{
    private static final int LEAST = 16;

    private final int width;
    private long[] words = new long[0];
    private int count;

    /**
     * No rows.
     *
     * @param width longs of a row, 1 or more.
     */
    public LongRows(final int width)
    {
        this.width = width;
    }

    /**
     * Longs of a row.
     *
     * @return as given.
     */
    public int width()
    {
        return width;
    }

    /**
     * Number of rows.
     *
     * @return 0 or more.
     */
    public int count()
    {
        return count;
    }

    /**
     * Sets the number of rows. New rows contain any numbers.
     *
     * @param rows 0 or more.
     */
    public void count(final int rows)
    {
        final int needed = Math.multiplyExact(rows, width);
        if (needed > words.length)
        {
            final long grown = Math.max((long)LEAST * width, words.length * 2L);
            words = Arrays.copyOf(words, (int)Math.max(needed, Math.min(grown, Integer.MAX_VALUE / 2)));
        }
        count = rows;
    }

    /**
     * Adds a row with any numbers.
     *
     * @return its number.
     */
    public int add()
    {
        count(count + 1);
        return count - 1;
    }

    /**
     * Reads a long.
     *
     * @param row    0 to the count - 1.
     * @param column 0 to the width - 1.
     * @return its value.
     */
    public long get(final int row, final int column)
    {
        return words[row * width + column];
    }

    /**
     * Writes a long.
     *
     * @param row    0 to the count - 1.
     * @param column 0 to the width - 1.
     * @param value  its new value.
     */
    public void set(final int row, final int column, final long value)
    {
        words[row * width + column] = value;
    }
}
