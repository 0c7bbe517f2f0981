package io.millrace.engine;

import java.util.List;

/**
 * What a command asks for, as the byte that commands carry. Zero is none: a command that nobody filled is refused.
 */
public final class CommandType
{
    /**
     * A new order.
     */
    public static final byte PLACE = 1;

    /**
     * Take an order out.
     */
    public static final byte CANCEL = 2;

    /**
     * Make an order smaller; it keeps its place in the queue.
     */
    public static final byte REDUCE = 3;

    /**
     * Give an order another price; it loses its place in the queue.
     */
    public static final byte MOVE = 4;

    private static final List<String> NAMES = List.of("PLACE", "CANCEL", "REDUCE", "MOVE");

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
        return type >= PLACE && type <= MOVE;
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
