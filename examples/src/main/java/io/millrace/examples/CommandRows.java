package io.millrace.examples;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.replay.CsvRow;
import io.millrace.server.replay.RowDecoder;

import java.io.PrintStream;

/**
 * Turns the rows of a file of order commands into commands, and counts them. The first line is the header
 * {@value #HEADER}. Column {@code seq} counts the rows from 0; {@code phase} may be anything; {@code cmd} is {@code
 * PLACE_ORDER}, {@code CANCEL_ORDER}, {@code REDUCE_ORDER} or {@code MOVE_ORDER}; {@code price} is the limit, the
 * budget or the new limit, {@code size} also by how much to reduce; {@code action}, {@code BID} or {@code ASK}, and
 * {@code orderType} are looked at for {@code PLACE_ORDER} only. What is a number but none that the book takes becomes
 * a command all the same: the book answers it with a code.
 */
final class CommandRows implements RowDecoder<OrderCommand>
{
    static final String HEADER = "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice";
    /** The files name no symbol. */
    static final int SYMBOL = 1;

    private static final int SEQ = 0;
    private static final int CMD = 2;
    private static final int ORDER_ID = 3;
    private static final int UID = 4;
    private static final int PRICE = 5;
    private static final int SIZE = 6;
    private static final int ACTION = 7;
    private static final int ORDER_TYPE = 8;
    private static final int RESERVE = 9;

    private static final String[] COLUMNS = HEADER.split(",");
    private static final String[] COMMANDS = {"", "PLACE_ORDER", "CANCEL_ORDER", "REDUCE_ORDER", "MOVE_ORDER"};
    private static final String[] SIDES = {"BID", "ASK"};
    private static final String[] ORDER_TYPES = {"GTC", "IOC", "MARKET", "FOK_BUDGET"};

    private final long[] countByCommand = new long[COMMANDS.length];
    private final long[] placedByType = new long[ORDER_TYPES.length];
    private boolean hasHeader;
    private long count;

    @Override
    public boolean decode(final CsvRow row, final OrderCommand command)
    {
        if (!hasHeader)
        {
            checkHeader(row);
            hasHeader = true;
            return false;
        }
        if (row.longAt(SEQ) != count)
        {
            throw row.malformed(SEQ, "is not the number of the row, which is " + count);
        }
        final byte type = oneOf(COMMANDS, row, CMD);
        final boolean place = type == CommandType.PLACE;
        final byte side = place ? oneOf(SIDES, row, ACTION) : Side.BID;
        final byte orderType = place ? oneOf(ORDER_TYPES, row, ORDER_TYPE) : OrderType.GTC;
        command.set(type, orderType, side, SYMBOL, row.longAt(ORDER_ID), row.longAt(UID), row.longAt(PRICE),
            row.longAt(SIZE), row.longAt(RESERVE), 0);
        count++;
        countByCommand[type]++;
        placedByType[orderType] += place ? 1 : 0;
        return true;
    }

    private static void checkHeader(final CsvRow row)
    {
        for (int i = 0; i < Math.min(row.columns(), COLUMNS.length); i++)
        {
            if (!row.equals(i, COLUMNS[i]))
            {
                throw row.malformed(i, "is not '" + COLUMNS[i] + "': the first line must be " + HEADER +
                    " (streams with several symbols, users and balances cannot be replayed here)");
            }
        }
        if (row.columns() != COLUMNS.length)
        {
            final boolean tooMany = row.columns() > COLUMNS.length;
            throw row.malformed(tooMany ? COLUMNS.length : row.columns() - 1,
                (tooMany ? "is one too many" : "is the last") + ": the first line must be " + HEADER);
        }
    }

    private static byte oneOf(final String[] names, final CsvRow row, final int column)
    {
        for (byte i = 0; i < names.length; i++)
        {
            if (row.lengthAt(column) > 0 && row.equals(column, names[i]))
            {
                return i;
            }
        }
        throw row.malformed(column, "is not one of " + String.join(" ", names).strip());
    }

    /** Whether there was a first line. When nothing reads the file any more. */
    boolean haveHeader()
    {
        return hasHeader;
    }

    void print(final PrintStream out)
    {
        ExecutionTally.row(out, "commands", count);
        for (int i = 0; i < ORDER_TYPES.length; i++)
        {
            ExecutionTally.row(out, "  PLACE_ORDER " + ORDER_TYPES[i], placedByType[i]);
        }
        for (int i = CommandType.CANCEL; i < COMMANDS.length; i++)
        {
            ExecutionTally.row(out, "  " + COMMANDS[i], countByCommand[i]);
        }
    }
}
