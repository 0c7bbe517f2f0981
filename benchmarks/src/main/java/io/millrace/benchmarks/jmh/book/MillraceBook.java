package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Our book, called directly from the loop. One thread.
 */
final class MillraceBook extends BookContender
{
    private final OrderBook book;

    MillraceBook(final RecordedCommands commands)
    {
        this(commands, BookFlow.SPEC);
    }

    /** With limits of its own. */
    MillraceBook(final RecordedCommands commands, final SymbolSpec spec)
    {
        super(commands);
        book = new OrderBook(spec, hash);
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
}
