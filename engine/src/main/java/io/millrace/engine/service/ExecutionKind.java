package io.millrace.engine.service;

import java.util.List;

/**
 * Kinds of an {@link ExecutionEvent}. The hash of the executions ({@code docs/order-types.md}) uses the first three.
 * The numbers never change.
 */
public final class ExecutionKind
{
    /**
     * Two orders traded.
     */
    public static final byte TRADE = 0;

    /**
     * An order, or a part of it, was rejected: it did not trade and does not rest.
     */
    public static final byte REJECT = 1;

    /**
     * An order became smaller: by a CANCEL or REDUCE, by the prevention of a self-trade, or because it expired.
     */
    public static final byte REDUCE = 2;

    /**
     * Result of a command: its last event.
     */
    public static final byte RESULT = 3;

    /**
     * A stop order triggered and enters the book.
     */
    public static final byte TRIGGER = 4;

    /**
     * Row of a report: a level of a book.
     */
    public static final byte LEVEL = 5;

    /**
     * Row of a report: an account of a user.
     */
    public static final byte ACCOUNT = 6;

    /**
     * Row of a report: a position of a user.
     */
    public static final byte POSITION = 7;

    /**
     * Row of a report: an open order of a user.
     */
    public static final byte ORDER = 8;

    /**
     * Row of a report: the totals of a currency.
     */
    public static final byte TOTAL = 9;

    /**
     * Row of a report: the hash of the state.
     */
    public static final byte HASH = 10;

    /**
     * Row of a report: the open interest of a future.
     */
    public static final byte OPEN_INTEREST = 11;

    private static final List<String> NAMES = List.of("TRADE", "REJECT", "REDUCE", "RESULT", "TRIGGER", "LEVEL",
        "ACCOUNT", "POSITION", "ORDER", "TOTAL", "HASH", "OPEN_INTEREST");

    private ExecutionKind()
    {
    }

    /**
     * Number of kinds.
     *
     * @return the kinds are 0 to this number - 1.
     */
    static int count()
    {
        return NAMES.size();
    }

    /**
     * Whether a byte is a kind.
     *
     * @param kind any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte kind)
    {
        return kind >= TRADE && kind <= OPEN_INTEREST;
    }

    /**
     * Name of a kind, for messages.
     * @param kind any byte.
     * @return "TRADE" and so on, or for example "kind 17" for an invalid byte.
     */
    public static String name(final byte kind)
    {
        return isValid(kind) ? NAMES.get(kind) : "kind " + kind;
    }
}
