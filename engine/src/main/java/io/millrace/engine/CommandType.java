package io.millrace.engine;

import io.millrace.engine.book.BookCommand;

import java.util.List;

/**
 * Types of a command. 0 is the type of an empty command, which is refused. The numbers never change.
 */
public final class CommandType
{
    /**
     * Places a new order.
     */
    public static final byte PLACE = BookCommand.PLACE;

    /**
     * Cancels an order.
     */
    public static final byte CANCEL = BookCommand.CANCEL;

    /**
     * Reduces the size of an order, which keeps its place in the queue.
     */
    public static final byte REDUCE = BookCommand.REDUCE;

    /**
     * Moves an order to another price; it loses its place in the queue.
     */
    public static final byte MOVE = BookCommand.MOVE;

    /**
     * Changes price and size of an order; it keeps its place when only its size decreases.
     */
    public static final byte REPLACE = BookCommand.REPLACE;

    /**
     * Requests the levels of a book.
     */
    public static final byte ORDER_BOOK_REQUEST = 6;

    /**
     * Adds a user.
     */
    public static final byte ADD_USER = 7;

    /**
     * Deposits into a user's account, or withdraws from it.
     */
    public static final byte BALANCE_ADJUSTMENT = 8;

    /**
     * Suspends a user without funds, positions and orders.
     */
    public static final byte SUSPEND_USER = 9;

    /**
     * Resumes a suspended user.
     */
    public static final byte RESUME_USER = 10;

    /**
     * Adds a symbol with an empty book.
     */
    public static final byte ADD_SYMBOL = 11;

    /**
     * Halts a symbol: it accepts CANCEL and REDUCE only.
     */
    public static final byte HALT_SYMBOL = 12;

    /**
     * Resumes trading of a halted symbol.
     */
    public static final byte RESUME_SYMBOL = 13;

    /**
     * Removes a symbol without orders and positions.
     */
    public static final byte REMOVE_SYMBOL = 14;

    /**
     * Requests a user's accounts, positions and open orders.
     */
    public static final byte USER_REPORT = 15;

    /**
     * Requests the totals of each currency.
     */
    public static final byte TOTALS_REPORT = 16;

    /**
     * Requests the hash of the state.
     */
    public static final byte STATE_HASH = 17;

    /**
     * Sets the time and expires due orders.
     */
    public static final byte TICK = 18;

    /**
     * Does nothing; returns a RESULT.
     */
    public static final byte NOP = 19;

    /**
     * Restores the initial state. For tests.
     */
    public static final byte RESET = 20;

    /**
     * Changes price and open size of an order; otherwise as REPLACE.
     */
    public static final byte REPLACE_OPEN = BookCommand.REPLACE_OPEN;

    /**
     * Cancels the orders of a user in a symbol.
     */
    public static final byte MASS_CANCEL = 22;

    /**
     * Cancels the orders of a user in all symbols.
     */
    public static final byte MASS_CANCEL_USER = 23;

    /**
     * Cancels the orders of all users in a symbol.
     */
    public static final byte MASS_CANCEL_SYMBOL = 24;

    /**
     * Requests an order of a user.
     */
    public static final byte ORDER_STATUS = 25;

    /**
     * Requests the open orders of a user in a symbol.
     */
    public static final byte OPEN_ORDERS = 26;

    private static final List<String> NAMES = List.of("PLACE", "CANCEL", "REDUCE", "MOVE", "REPLACE",
        "ORDER_BOOK_REQUEST", "ADD_USER", "BALANCE_ADJUSTMENT", "SUSPEND_USER", "RESUME_USER", "ADD_SYMBOL",
        "HALT_SYMBOL", "RESUME_SYMBOL", "REMOVE_SYMBOL", "USER_REPORT", "TOTALS_REPORT", "STATE_HASH", "TICK", "NOP",
        "RESET", "REPLACE_OPEN", "MASS_CANCEL", "MASS_CANCEL_USER", "MASS_CANCEL_SYMBOL", "ORDER_STATUS",
        "OPEN_ORDERS");

    private CommandType()
    {
    }

    /**
     * Whether a byte is a command.
     *
     * @param type any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte type)
    {
        return type >= PLACE && type <= OPEN_ORDERS;
    }

    /**
     * Name of a command, for messages.
     * @param type any byte.
     * @return "PLACE" and so on, or for example "command 77" for an invalid byte.
     */
    public static String name(final byte type)
    {
        return isValid(type) ? NAMES.get(type - 1) : "command " + type;
    }
}
