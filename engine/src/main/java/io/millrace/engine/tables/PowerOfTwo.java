package io.millrace.engine.tables;

/**
 * Sizes of tables whose slot is selected by a mask. Stateless; any thread.
 */
public final class PowerOfTwo
{
    private PowerOfTwo()
    {
    }

    /**
     * The least power of two at or above a number.
     *
     * @param value 1 to 2^30.
     * @return the value itself, or the next power of two.
     */
    public static int atLeast(final int value)
    {
        return Math.max(1, Integer.highestOneBit(value - 1) << 1);
    }
}
