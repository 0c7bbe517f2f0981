package io.millrace.engine.book;

import java.util.List;

/**
 * Types of an order, as the byte that commands contain. The type determines how the order trades and whether its rest
 * stays in the book.
 */
public final class OrderType
{
    /**
     * Good till cancelled: trades at the makers' prices while they are at least as good as its limit. The rest stays in
     * the book at the limit.
     */
    public static final byte GTC = 0;

    /**
     * Immediate or cancel: trades like GTC; the rest is rejected.
     */
    public static final byte IOC = 1;

    /** IOC without a price limit. Ignores the price of the command. */
    public static final byte MARKET = 2;

    /**
     * Fill or kill within a budget. The price of the command is the total budget, the sum of price times size. A bid is
     * filled completely for at most the budget, an ask for at least the budget, at any prices of the book. Otherwise
     * the whole order is rejected.
     */
    public static final byte FOK_BUDGET = 3;

    /** Fill or kill: filled completely at prices no worse than its limit; otherwise the whole order is rejected. */
    public static final byte FOK = 4;

    /**
     * IOC within a budget. The price of a bid is its total budget, the sum of price times size. The bid has no limit
     * per level: it stops before the first fill that would exceed the budget. An ask is an IOC: its price is a limit.
     */
    public static final byte IOC_BUDGET = 5;

    /** GTC that is refused if it would trade when it is placed or moved. */
    public static final byte POST_ONLY = 6;

    /**
     * Rests untriggered until the last trade reaches its stop price, then enters as MARKET. The parameter is the stop
     * price. Ignores the price of the command.
     */
    public static final byte STOP = 7;

    /**
     * Rests untriggered like STOP, then enters as GTC at its limit. The parameter is the stop price.
     */
    public static final byte STOP_LIMIT = 8;

    /**
     * GTC that shows one slice of its size at a time. The parameter is the display size. When the visible slice is
     * filled, the next one goes to the end of the queue.
     */
    public static final byte ICEBERG = 9;

    /**
     * Good till date: GTC that is removed at its expiry. The parameter is the expiry in nanoseconds, on the clock of
     * the commands' times.
     */
    public static final byte GTD = 10;

    /** Greatest number of slices of an iceberg: a taker of its whole size has as many trades. */
    public static final int MAX_SLICES = 1_000;

    private static final List<String> NAMES = List.of("GTC", "IOC", "MARKET", "FOK_BUDGET", "FOK", "IOC_BUDGET",
        "POST_ONLY", "STOP", "STOP_LIMIT", "ICEBERG", "GTD");

    private OrderType()
    {
    }

    /**
     * Whether a byte is an order type.
     *
     * @param type any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte type)
    {
        return type >= GTC && type <= GTD;
    }

    /**
     * Whether the price of an order is a budget, the sum of price times size, instead of a limit.
     * @param type any byte.
     * @param side see {@link Side}.
     * @return true for FOK_BUDGET and a bid of IOC_BUDGET.
     */
    public static boolean hasBudget(final byte type, final byte side)
    {
        return type == FOK_BUDGET || type == IOC_BUDGET && side == Side.BID;
    }

    /**
     * Whether an order ignores the price of its command.
     * @param type any byte.
     * @return true for MARKET and STOP.
     */
    public static boolean isMarket(final byte type)
    {
        return type == MARKET || type == STOP;
    }

    /**
     * Whether an order waits until the last trade reaches its stop price.
     * @param type any byte.
     * @return true for STOP and STOP_LIMIT.
     */
    public static boolean isStop(final byte type)
    {
        return type == STOP || type == STOP_LIMIT;
    }

    /**
     * Whether the rest of an order stays in the book, or the order waits in the book untriggered.
     * @param type any byte.
     * @return true for GTC, POST_ONLY, STOP, STOP_LIMIT, ICEBERG and GTD.
     */
    public static boolean rests(final byte type)
    {
        return type == GTC || type >= POST_ONLY && type <= GTD;
    }

    /**
     * Name of an order type, for messages.
     * @param type any byte.
     * @return "GTC" and so on, or for example "order type 77" for an invalid byte.
     */
    public static String name(final byte type)
    {
        return isValid(type) ? NAMES.get(type) : "order type " + type;
    }
}
