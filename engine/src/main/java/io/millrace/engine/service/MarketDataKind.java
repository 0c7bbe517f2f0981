package io.millrace.engine.service;

import java.util.List;

/**
 * Kinds of a {@link MarketDataEvent}.
 */
public final class MarketDataKind
{
    /**
     * An order joined the end of the queue at its price.
     */
    public static final byte ORDER_ADDED = 0;

    /**
     * An order became smaller and keeps its place.
     */
    public static final byte ORDER_REDUCED = 1;

    /**
     * An order left its queue.
     */
    public static final byte ORDER_REMOVED = 2;

    /**
     * The size or the number of orders of a price level changed.
     */
    public static final byte LEVEL_CHANGED = 3;

    /**
     * Two orders traded.
     */
    public static final byte TRADE = 4;

    /**
     * The symbol was halted or resumed.
     */
    public static final byte STATUS = 5;

    private static final List<String> NAMES =
        List.of("ORDER_ADDED", "ORDER_REDUCED", "ORDER_REMOVED", "LEVEL_CHANGED", "TRADE", "STATUS");

    private MarketDataKind()
    {
    }

    /**
     * Whether a byte is a kind.
     *
     * @param kind any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte kind)
    {
        return kind >= ORDER_ADDED && kind <= STATUS;
    }

    /**
     * Name of a kind, for messages.
     * @param kind any byte.
     * @return "ORDER_ADDED" and so on, or for example "kind 7" for an invalid byte.
     */
    public static String name(final byte kind)
    {
        return isValid(kind) ? NAMES.get(kind) : "kind " + kind;
    }
}
