package io.millrace.examples;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.service.OrderCommand;

import java.io.PrintStream;

/**
 * Counts order commands by type. Used by the thread that reads them; printed after it has ended.
 */
final class CommandTally
{
    private static final byte[] ORDER_TYPES =
        {OrderType.GTC, OrderType.IOC, OrderType.MARKET, OrderType.FOK_BUDGET};

    private final long[] byCommand = new long[CommandType.MOVE + 1];
    private final long[] placedByType = new long[ORDER_TYPES.length];
    private long count;

    /** Counts a command. Returns true. */
    boolean count(final OrderCommand command)
    {
        count++;
        byCommand[command.commandType()]++;
        placedByType[command.orderType()] += command.commandType() == CommandType.PLACE ? 1 : 0;
        return true;
    }

    void print(final PrintStream out)
    {
        ExecutionTally.row(out, "commands", count);
        for (final byte type : ORDER_TYPES)
        {
            ExecutionTally.row(out, "  PLACE_ORDER " + OrderType.name(type), placedByType[type]);
        }
        for (byte type = CommandType.CANCEL; type <= CommandType.MOVE; type++)
        {
            ExecutionTally.row(out, "  " + CommandType.name(type) + "_ORDER", byCommand[type]);
        }
    }
}
