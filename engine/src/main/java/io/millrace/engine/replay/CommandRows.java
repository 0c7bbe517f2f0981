package io.millrace.engine.replay;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.replay.CsvRow;
import io.millrace.server.replay.RowDecoder;

/**
 * Decodes recorded order commands, one in each row. The first row is the header of one of two layouts:
 * <pre>
 *  {@link #ofOneSymbol}   {@value #ONE_SYMBOL}
 *  {@link #ofAllSymbols}  {@value #ALL_SYMBOLS}
 * </pre>
 * <ul>
 * <li>{@code seq}: number of the row, from 0;</li>
 * <li>{@code phase}: one letter, see {@link #phase}; the commands do not carry it;</li>
 * <li>{@code cmd}: PLACE_ORDER, CANCEL_ORDER, REDUCE_ORDER or MOVE_ORDER; with all symbols also ADD_USER,
 * BALANCE_ADJUSTMENT, SUSPEND_USER or RESUME_USER;</li>
 * <li>{@code price}: limit, budget or new limit; of BALANCE_ADJUSTMENT the amount; of CANCEL_ORDER the price of the
 * order, which the engine ignores and other books need;</li>
 * <li>{@code size}: of REDUCE_ORDER, by how many lots;</li>
 * <li>{@code action}, BID or ASK, and {@code orderType}, GTC, IOC, MARKET or FOK_BUDGET: of PLACE_ORDER.</li>
 * </ul>
 * A field may be empty when its command does not use it. Any number is accepted: the engine refuses a wrong one with a
 * result code. The commands have no time. Allocates nothing for a valid row. Used by the thread that reads the file.
 */
public final class CommandRows implements RowDecoder<OrderCommand>
{
    /**
     * Header of a file with the orders of one symbol.
     */
    public static final String ONE_SYMBOL = "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice";

    /**
     * Header of a file with several symbols and users.
     */
    public static final String ALL_SYMBOLS = "seq,cmd,symbol,orderId_or_txId,uid,price_or_newPrice_or_amount," +
        "size_or_reduceBy,action,orderType,reserveBidPrice,currency";

    private static final int SEQ = 0;
    private static final int PHASE = 1;
    private static final int SYMBOL = 2;
    private static final int ORDER_ID = 3;
    private static final int UID = 4;
    private static final int PRICE = 5;
    private static final int SIZE = 6;
    private static final int ACTION = 7;
    private static final int ORDER_TYPE = 8;
    private static final int RESERVE = 9;
    private static final int CURRENCY = 10;

    private static final byte[] TYPES = {CommandType.PLACE, CommandType.CANCEL, CommandType.REDUCE, CommandType.MOVE,
        CommandType.ADD_USER, CommandType.BALANCE_ADJUSTMENT, CommandType.SUSPEND_USER, CommandType.RESUME_USER};
    private static final String[] ORDERS = {"PLACE_ORDER", "CANCEL_ORDER", "REDUCE_ORDER", "MOVE_ORDER"};
    private static final String[] ORDERS_AND_USERS = {"PLACE_ORDER", "CANCEL_ORDER", "REDUCE_ORDER", "MOVE_ORDER",
        "ADD_USER", "BALANCE_ADJUSTMENT", "SUSPEND_USER", "RESUME_USER"};
    private static final String[] SIDES = {"BID", "ASK"};
    private static final String[] ORDER_TYPES = {"GTC", "IOC", "MARKET", "FOK_BUDGET"};

    private final String header;
    private final String[] columns;
    private final String[] commands;
    private final int commandColumn;
    private final boolean hasSymbols;
    private final int symbol;
    private boolean hasHeader;
    private char phase;
    private long count;

    private CommandRows(final String header, final String[] commands, final boolean hasSymbols, final int symbol)
    {
        this.header = header;
        this.commands = commands;
        this.hasSymbols = hasSymbols;
        this.symbol = symbol;
        columns = header.split(",");
        commandColumn = hasSymbols ? 1 : 2;
    }

    /**
     * A decoder of the layout {@link #ONE_SYMBOL}.
     *
     * @param symbol symbol of all commands.
     * @return a decoder for one file.
     */
    public static CommandRows ofOneSymbol(final int symbol)
    {
        return new CommandRows(ONE_SYMBOL, ORDERS, false, symbol);
    }

    /**
     * A decoder of the layout {@link #ALL_SYMBOLS}.
     *
     * @return a decoder for one file.
     */
    public static CommandRows ofAllSymbols()
    {
        return new CommandRows(ALL_SYMBOLS, ORDERS_AND_USERS, true, 0);
    }

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
        fill(row, command, TYPES[indexOf(commands, row, commandColumn)]);
        phase = hasSymbols || row.lengthAt(PHASE) == 0 ? ' ' : (char)row.byteAt(PHASE, 0);
        count++;
        return true;
    }

    private void fill(final CsvRow row, final OrderCommand command, final byte type)
    {
        final long uid = row.longAt(UID);
        switch (type)
        {
            case CommandType.PLACE:
                command.set(type, (byte)indexOf(ORDER_TYPES, row, ORDER_TYPE), (byte)indexOf(SIDES, row, ACTION),
                    symbolOf(row), row.longAt(ORDER_ID), uid, row.longAt(PRICE), row.longAt(SIZE),
                    optional(row, RESERVE), 0);
                break;
            case CommandType.CANCEL:
                command.set(type, OrderType.GTC, Side.BID, symbolOf(row), row.longAt(ORDER_ID), uid,
                    optional(row, PRICE), 0, 0, 0);
                break;
            case CommandType.REDUCE:
                command.reduce(symbolOf(row), row.longAt(ORDER_ID), uid, row.longAt(SIZE));
                break;
            case CommandType.MOVE:
                command.move(symbolOf(row), row.longAt(ORDER_ID), uid, row.longAt(PRICE));
                break;
            case CommandType.BALANCE_ADJUSTMENT:
                command.adjustBalance(uid, row.intAt(CURRENCY), row.longAt(PRICE), row.longAt(ORDER_ID));
                break;
            default:
                command.set(type, OrderType.GTC, Side.BID, 0, 0, uid, 0, 0, 0, 0);
                break;
        }
    }

    private int symbolOf(final CsvRow row)
    {
        return hasSymbols ? row.intAt(SYMBOL) : symbol;
    }

    private static long optional(final CsvRow row, final int column)
    {
        return row.lengthAt(column) == 0 ? 0 : row.longAt(column);
    }

    private void checkHeader(final CsvRow row)
    {
        for (int i = 0; i < Math.min(row.columns(), columns.length); i++)
        {
            if (!row.equals(i, columns[i]))
            {
                throw row.malformed(i, "is not '" + columns[i] + "': the first line must be " + header);
            }
        }
        if (row.columns() != columns.length)
        {
            final boolean tooMany = row.columns() > columns.length;
            throw row.malformed(tooMany ? columns.length : row.columns() - 1,
                (tooMany ? "is one too many" : "is the last") + ": the first line must be " + header);
        }
    }

    private static int indexOf(final String[] names, final CsvRow row, final int column)
    {
        for (int i = 0; i < names.length; i++)
        {
            if (row.equals(column, names[i]))
            {
                return i;
            }
        }
        throw row.malformed(column, "is not one of " + String.join(" ", names));
    }

    /**
     * Whether the file has a header. Call after all rows are read.
     * @return false for an empty file.
     */
    public boolean hasHeader()
    {
        return hasHeader;
    }

    /**
     * Phase of the command decoded last.
     *
     * @return first letter of the column; a space when the column is empty or missing. In the recordings of the
     *         benchmarks F marks commands that fill the book, B timed ones.
     */
    public char phase()
    {
        return phase;
    }

    /**
     * Number of the decoded commands.
     *
     * @return from 0.
     */
    public long count()
    {
        return count;
    }
}
