package io.millrace.benchmarks.flow;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

/**
 * Gives recorded commands to an order book, and makes the words of commands. Stateless.
 */
public final class BookCommands
{
    /**
     * Word of a cancel of the benchmark phase.
     */
    public static final int CANCEL = word("CANCEL_ORDER", "", "");

    /**
     * Word of a reduction of the benchmark phase.
     */
    public static final int REDUCE = word("REDUCE_ORDER", "", "");

    /**
     * Word of a move of the benchmark phase.
     */
    public static final int MOVE = word("MOVE_ORDER", "", "");

    private static final int BID_INDEX = CommandWord.ACTIONS.indexOf("BID");

    // By the index in CommandWord.COMMANDS.
    private static final byte[] COMMANDS =
        {CommandType.PLACE, CommandType.CANCEL, CommandType.MOVE, CommandType.REDUCE};

    // By the index in CommandWord.ORDER_TYPES. FOK and IOC_BUDGET are none of the book's types: no recording has them.
    private static final byte NO_TYPE = -1;
    private static final byte[] TYPES =
        {NO_TYPE, OrderType.GTC, OrderType.IOC, NO_TYPE, NO_TYPE, OrderType.FOK_BUDGET, NO_TYPE, NO_TYPE};

    private BookCommands()
    {
    }

    /**
     * Word of a new order of the benchmark phase.
     *
     * @param bid  its side.
     * @param type its name in {@link CommandWord#ORDER_TYPES}.
     * @return the word.
     */
    public static int place(final boolean bid, final String type)
    {
        return word("PLACE_ORDER", bid ? "BID" : "ASK", type);
    }

    private static int word(final String command, final String action, final String type)
    {
        return CommandWord.of(CommandWord.PHASES.indexOf('B'), CommandWord.COMMANDS.indexOf(command),
            CommandWord.ACTIONS.indexOf(action), CommandWord.ORDER_TYPES.indexOf(type));
    }

    /**
     * Word of a command.
     *
     * @param phase   index in {@link CommandWord#PHASES}.
     * @param command PLACE, CANCEL, MOVE or REDUCE.
     * @return the word.
     * @throws IllegalArgumentException when the recordings know no such order type.
     */
    static int word(final int phase, final CommandFields command)
    {
        final int index = indexOf(COMMANDS, command.commandType());
        if (command.commandType() != CommandType.PLACE)
        {
            return CommandWord.of(phase, index, 0, 0);
        }
        final int type = indexOf(TYPES, command.orderType());
        if (type < 0)
        {
            throw new IllegalArgumentException("order type " + OrderType.name(command.orderType()) +
                " is not one that all contenders have");
        }
        return CommandWord.of(
            phase, index, command.side() == Side.BID ? BID_INDEX : CommandWord.ACTIONS.indexOf("ASK"), type);
    }

    private static int indexOf(final byte[] values, final byte value)
    {
        for (int i = 0; i < values.length; i++)
        {
            if (values[i] == value)
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * The type of a command.
     *
     * @param word a packed word.
     * @return as {@link CommandType} has it.
     */
    public static byte commandType(final int word)
    {
        return COMMANDS[CommandWord.command(word)];
    }

    /**
     * The type of a new order.
     *
     * @param word a packed word.
     * @return as {@link OrderType} has it; -1, which the book refuses, for a type that it does not know.
     */
    public static byte orderType(final int word)
    {
        return TYPES[CommandWord.orderType(word)];
    }

    /**
     * The side of a new order.
     *
     * @param word a packed word.
     * @return as {@link Side} has it; ASK for a command that has none.
     */
    public static byte side(final int word)
    {
        return CommandWord.action(word) == BID_INDEX ? Side.BID : Side.ASK;
    }

    /**
     * Execute a recorded command on a book. As numbers, and not as an object: measured code of the same JVM gives
     * commands of one class to the book, as an application does, and the compiler then reads them without a test.
     *
     * @param commands the commands.
     * @param index    of the command.
     * @param book     executes it.
     * @return the result of the book.
     */
    public static CommandResult apply(final CommandColumns commands, final int index, final OrderBook book)
    {
        final int word = commands.word(index);
        return book.execute(commandType(word), orderType(word), side(word), SelfTradePolicy.ALLOW,
            commands.orderId(index), commands.uid(index), commands.price(index), commands.size(index),
            commands.reserveBidPrice(index), 0);
    }

    /**
     * Begin a command: its type, and of a new order type, side and policy.
     *
     * @param command to be filled; its parameter is 0 already.
     * @param word    the packed word.
     * @return the command.
     */
    public static BookCommand fill(final BookCommand command, final int word)
    {
        return command.commandType(commandType(word)).orderType(orderType(word)).side(side(word));
    }
}
