package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

/**
 * One recorded command as a book reads it. Reused for each command: a field is read from its column when it is asked
 * for, as the bare book's are. What a recording does not have as a book reads it is made beforehand, as the rival's
 * commands are. One thread.
 */
final class RecordedFields implements CommandFields
{
    private final CommandColumns commands;
    // Kind of command, order type and side in a byte each.
    private final int[] kinds;
    private final long[] reservePrices;
    private int index;

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

    RecordedFields at(final int newIndex)
    {
        index = newIndex;
        return this;
    }

    @Override
    public byte commandType()
    {
        return (byte)kinds[index];
    }

    @Override
    public byte orderType()
    {
        return (byte)(kinds[index] >> 8);
    }

    @Override
    public byte side()
    {
        return (byte)(kinds[index] >> 16);
    }

    @Override
    public byte selfTradePolicy()
    {
        return SelfTradePolicy.ALLOW;
    }

    @Override
    public long orderId()
    {
        return commands.orderId(index);
    }

    @Override
    public long uid()
    {
        return commands.uid(index);
    }

    @Override
    public long price()
    {
        return commands.price(index);
    }

    @Override
    public long size()
    {
        return commands.size(index);
    }

    @Override
    public long reservePrice()
    {
        return reservePrices[index];
    }

    @Override
    public long parameter()
    {
        return 0;
    }
}
