package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

/**
 * One recorded command as a book reads it, without a copy. Reused for each command. One thread.
 */
final class RecordedFields implements CommandFields
{
    private final CommandColumns commands;
    private final long minBidReserve;
    private int index;
    private byte commandType;
    private byte orderType;
    private byte side;

    /**
     * @param minBidReserve least reserve price of bids with a limit; 0 for the recorded one.
     */
    RecordedFields(final CommandColumns commands, final long minBidReserve)
    {
        this.commands = commands;
        this.minBidReserve = minBidReserve;
    }

    RecordedFields at(final int newIndex, final byte newCommandType, final byte newOrderType, final byte newSide)
    {
        index = newIndex;
        commandType = newCommandType;
        orderType = newOrderType;
        side = newSide;
        return this;
    }

    @Override
    public byte commandType()
    {
        return commandType;
    }

    @Override
    public byte orderType()
    {
        return orderType;
    }

    @Override
    public byte side()
    {
        return side;
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
        final long recorded = commands.reserveBidPrice(index);
        return commandType != BookCommand.PLACE || side == Side.ASK || orderType == OrderType.FOK_BUDGET ? recorded :
            Math.max(recorded, minBidReserve);
    }

    @Override
    public long parameter()
    {
        return 0;
    }
}
