package io.millrace.engine.book;

import java.util.List;

/**
 * How an order trades and what becomes of the rest, as the byte that commands carry.
 */
public final class OrderType
{
    /**
     * Good till cancelled: trades at the makers' prices while they are at least as good as its limit; the rest stays in
     * the book at the limit.
     */
    public static final byte GTC = 0;

    /**
     * Immediate or cancel: trades like GTC; the rest is rejected.
     */
    public static final byte IOC = 1;

    /**
     * IOC without a price limit. The price of the command is not looked at.
     */
    public static final byte MARKET = 2;

    /**
     * Fill or kill within a budget. The price of the command is the total budget, the sum of price times size: a bid is
     * filled completely for at most that, an ask for at least that, at whatever prices the book has; otherwise all of
     * it is rejected.
     */
    public static final byte FOK_BUDGET = 3;

    private static final List<String> NAMES = List.of("GTC", "IOC", "MARKET", "FOK_BUDGET");

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
        return type >= GTC && type <= FOK_BUDGET;
    }

    /**
     * Name of an order type, for people.
     *
     * @param type any byte.
     * @return "GTC" and so on, or "order type 7" for a byte that is none.
     */
    public static String name(final byte type)
    {
        return isValid(type) ? NAMES.get(type) : "order type " + type;
    }
}
