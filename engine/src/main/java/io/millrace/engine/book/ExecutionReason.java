package io.millrace.engine.book;

import java.util.List;

/**
 * Why an order became smaller without a trade, or was rejected. The numbers never change.
 */
public final class ExecutionReason
{
    /** No reason: a rejected order, or part of it, found no counterparty. */
    public static final byte NONE = 0;

    /** A CANCEL of its user. */
    public static final byte CANCEL = 1;

    /** A REDUCE of its user. */
    public static final byte REDUCE = 2;

    /** A REPLACE of its user made the order smaller. */
    public static final byte REPLACE = 3;

    /** Its expiry was due. */
    public static final byte EXPIRY = 4;

    /** The prevention of a self-trade, see {@link SelfTradePolicy}. */
    public static final byte SELF_TRADE = 5;

    /** A mass cancel. */
    public static final byte MASS_CANCEL = 6;

    /** The order would trade outside the symbol's {@link PriceBand}. */
    public static final byte PRICE_BAND = 7;

    private static final List<String> NAMES =
        List.of("NONE", "CANCEL", "REDUCE", "REPLACE", "EXPIRY", "SELF_TRADE", "MASS_CANCEL", "PRICE_BAND");

    private ExecutionReason()
    {
    }

    /**
     * Whether a byte is a reason.
     *
     * @param reason any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte reason)
    {
        return reason >= NONE && reason <= PRICE_BAND;
    }

    /**
     * Name of a reason, for messages.
     *
     * @param reason any byte.
     * @return "CANCEL" and so on, or for example "reason 77" for an invalid byte.
     */
    public static String name(final byte reason)
    {
        return isValid(reason) ? NAMES.get(reason) : "reason " + reason;
    }
}
