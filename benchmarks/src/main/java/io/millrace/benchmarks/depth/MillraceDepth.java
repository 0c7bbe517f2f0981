package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthBatch;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Our book, called directly. One thread.
 */
final class MillraceDepth extends DepthBook
{
    private OrderBook book;

    @Override
    public void open(final SymbolSpec spec)
    {
        book = new OrderBook(spec, hash);
    }

    OrderBook book()
    {
        return book;
    }

    @Override
    public void give(final DepthBatch batch, final int index)
    {
        hash.command(index);
        if (batch.apply(index, book) != CommandResult.SUCCESS)
        {
            countRefusal();
        }
    }

    @Override
    public void tellLevels(final PriceLevelConsumer levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
    }
}
