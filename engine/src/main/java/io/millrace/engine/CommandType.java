package io.millrace.engine;

import io.millrace.engine.book.BookCommand;

import java.util.List;

/**
 * What a command asks for, as the byte that commands carry. Zero is none: a command that nobody filled is refused. The
 * numbers never change.
 */
public final class CommandType
{
    /**
     * A new order.
     */
    public static final byte PLACE = BookCommand.PLACE;

    /**
     * Take an order out.
     */
    public static final byte CANCEL = BookCommand.CANCEL;

    /**
     * Make an order smaller; it keeps its place in the queue.
     */
    public static final byte REDUCE = BookCommand.REDUCE;

    /**
     * Give an order another price; it loses its place in the queue.
     */
    public static final byte MOVE = BookCommand.MOVE;

    /**
     * Give an order another price and size; it keeps its place when only its size falls.
     */
    public static final byte REPLACE = BookCommand.REPLACE;

    /**
     * Report the levels of a book.
     */
    public static final byte ORDER_BOOK_REQUEST = 6;

    /**
     * A new user.
     */
    public static final byte ADD_USER = 7;

    /**
     * Pay into a user's account, or out of it.
     */
    public static final byte BALANCE_ADJUSTMENT = 8;

    /**
     * Take a user that owns nothing out.
     */
    public static final byte SUSPEND_USER = 9;

    /**
     * Take a suspended user in again.
     */
    public static final byte RESUME_USER = 10;

    /**
     * A new symbol, with an empty book.
     */
    public static final byte ADD_SYMBOL = 11;

    /**
     * From now on a symbol takes nothing but CANCEL and REDUCE.
     */
    public static final byte HALT_SYMBOL = 12;

    /**
     * A halted symbol trades again.
     */
    public static final byte RESUME_SYMBOL = 13;

    /**
     * Take a symbol without orders and positions out.
     */
    public static final byte REMOVE_SYMBOL = 14;

    /**
     * Report a user's accounts, positions and open orders.
     */
    public static final byte USER_REPORT = 15;

    /**
     * Report the totals of each currency.
     */
    public static final byte TOTALS_REPORT = 16;

    /**
     * Report the hash of the state.
     */
    public static final byte STATE_HASH = 17;

    /**
     * The time is now so late: orders expire.
     */
    public static final byte TICK = 18;

    /**
     * Nothing; it is answered.
     */
    public static final byte NOP = 19;

    /**
     * Back to the state at the start. For tests.
     */
    public static final byte RESET = 20;

    private static final List<String> NAMES = List.of("PLACE", "CANCEL", "REDUCE", "MOVE", "REPLACE",
        "ORDER_BOOK_REQUEST", "ADD_USER", "BALANCE_ADJUSTMENT", "SUSPEND_USER", "RESUME_USER", "ADD_SYMBOL",
        "HALT_SYMBOL", "RESUME_SYMBOL", "REMOVE_SYMBOL", "USER_REPORT", "TOTALS_REPORT", "STATE_HASH", "TICK", "NOP",
        "RESET");

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
        return type >= PLACE && type <= RESET;
    }

    /**
     * Name of a command, for people.
     *
     * @param type any byte.
     * @return "PLACE" and so on, or "command 7" for a byte that is none.
     */
    public static String name(final byte type)
    {
        return isValid(type) ? NAMES.get(type - 1) : "command " + type;
    }
}
