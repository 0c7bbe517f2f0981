package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Our book, called directly from the loop. One thread.
 */
public final class MillraceBook extends BookContender
{
    // Null for a book without market data.
    private final MarketDataRecorder feed;
    private OrderBook book;
    // Kind of command, order type and side in a byte each: made beforehand, as the rival's commands are.
    private int[] kinds = {};

    MillraceBook(final CommandColumns commands)
    {
        this(commands, null);
    }

    MillraceBook(final CommandColumns commands, final MarketDataRecorder feed)
    {
        super(commands);
        this.feed = feed;
    }

    @Override
    public void open(final SymbolSpec spec)
    {
        book = new OrderBook(spec, hash, feed);
    }

    @Override
    public void prepare()
    {
        kinds = kinds.length < commands.capacity() ? new int[commands.capacity()] : kinds;
        for (int i = 0; i < commands.count(); i++)
        {
            kinds[i] = RecordedFields.kind(commands.word(i));
        }
    }

    /**
     * The book.
     *
     * @return null before it is open.
     */
    public OrderBook book()
    {
        return book;
    }

    @Override
    public void give(final int index)
    {
        hash.command(commands.seq(index));
        final int kind = kinds[index];
        if (book.execute((byte)kind, (byte)(kind >> 8), (byte)(kind >> 16), SelfTradePolicy.ALLOW,
            commands.orderId(index), commands.uid(index), commands.price(index), commands.size(index),
            commands.reserveBidPrice(index), 0) != CommandResult.SUCCESS)
        {
            countRefusal();
        }
    }

    @Override
    protected void reportLevels(final LevelHash levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
        if (feed != null)
        {
            feed.check(book);
        }
    }
}
