package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.rate.RecordedCommands;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;

/**
 * Our book, called directly from the loop. One thread.
 */
final class MillraceBook extends BookContender implements ExecutionListener
{
    private final OrderBook book = new OrderBook(BookFlow.SPEC, this);

    MillraceBook(final RecordedCommands commands)
    {
        super(commands);
    }

    @Override
    public void give(final int index)
    {
        hash.command(commands.seq(index));
        if (BookCommands.apply(commands, index, book) != CommandResult.SUCCESS)
        {
            countRefusal();
        }
    }

    @Override
    protected void tellLevels(final LevelHash levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
    }

    @Override
    public void onTrade(
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        hash.event(EventHash.TRADE, makerOrderId, price, size);
    }

    @Override
    public void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        hash.event(EventHash.REJECT, 0, price, size);
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        hash.event(EventHash.REDUCE, 0, price, size);
    }
}
