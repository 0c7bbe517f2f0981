package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

/**
 * One recorded command as a book reads it. Reused for each command. What a recording does not have as a book reads it
 * is made beforehand, as the rival's commands are. One thread.
 */
final class RecordedFields implements CommandFields
{
    private final CommandColumns commands;
    // Kind of command, order type and side in a byte each.
    private final int[] kinds;
    private final long[] reservePrices;
    private int kind;
    private long orderId;
    private long uid;
    private long price;
    private long size;
    private long reservePrice;

    /**
     * @param minBidReserve least reserve price of bids with a limit; 0 for the recorded one.
     */
    RecordedFields(final CommandColumns commands, final long minBidReserve)
    {
        this.commands = commands;
        kinds = new int[commands.count()];
        reservePrices = new long[commands.count()];
        for (int i = 0; i < kinds.length; i++)
        {
            final int word = commands.word(i);
            kinds[i] = kind(word);
            final boolean isBid = BookCommands.commandType(word) == BookCommand.PLACE &&
                BookCommands.side(word) == Side.BID && BookCommands.orderType(word) != OrderType.FOK_BUDGET;
            reservePrices[i] = Math.max(commands.reserveBidPrice(i), isBid ? minBidReserve : 0);
        }
    }

    /** Kind of command, order type and side of a recorded word, in a byte each. */
    static int kind(final int word)
    {
        return BookCommands.commandType(word) | (BookCommands.orderType(word) & 0xFF) << 8 |
            BookCommands.side(word) << 16;
    }

    RecordedFields at(final int index)
    {
        kind = kinds[index];
        orderId = commands.orderId(index);
        uid = commands.uid(index);
        price = commands.price(index);
        size = commands.size(index);
        reservePrice = reservePrices[index];
        return this;
    }

    @Override
    public byte commandType()
    {
        return (byte)kind;
    }

    @Override
    public byte orderType()
    {
        return (byte)(kind >> 8);
    }

    @Override
    public byte side()
    {
        return (byte)(kind >> 16);
    }

    @Override
    public byte selfTradePolicy()
    {
        return SelfTradePolicy.ALLOW;
    }

    @Override
    public long orderId()
    {
        return orderId;
    }

    @Override
    public long uid()
    {
        return uid;
    }

    @Override
    public long price()
    {
        return price;
    }

    @Override
    public long size()
    {
        return size;
    }

    @Override
    public long reservePrice()
    {
        return reservePrice;
    }

    @Override
    public long parameter()
    {
        return 0;
    }
}
