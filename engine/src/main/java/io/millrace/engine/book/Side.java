package io.millrace.engine.book;

/**
 * The two sides of a book, as the byte that commands and events carry.
 */
public final class Side
{
    /**
     * A buyer.
     */
    public static final byte BID = 0;

    /**
     * A seller.
     */
    public static final byte ASK = 1;

    /**
     * Both sides. Only for mass cancels.
     */
    public static final byte BOTH = 2;

    private Side()
    {
    }

    /**
     * Whether a byte is a side.
     *
     * @param side any byte.
     * @return true for {@link #BID} and {@link #ASK}.
     */
    public static boolean isValid(final byte side)
    {
        return (side & ~1) == 0;
    }

    /** Returns a valid side byte; throws an IllegalArgumentException for any other byte. */
    static byte checked(final byte side)
    {
        if (!isValid(side))
        {
            throw new IllegalArgumentException("side " + side + " is neither BID (0) nor ASK (1)");
        }
        return side;
    }

    /**
     * Name of a side, for messages.
     * @param side any byte.
     * @return "BID", "ASK", or for example "side 7" for an invalid byte.
     */
    public static String name(final byte side)
    {
        return side == BID ? "BID" : side == ASK ? "ASK" : "side " + side;
    }
}
