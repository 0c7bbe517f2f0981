package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Our book, called directly from the loop. One thread.
 */
final class MillraceBook extends BookContender
{
    private final OrderBook book;
    // Kind of command, order type and side in a byte each: made beforehand, as the rival's commands are.
    private final int[] kinds;

    MillraceBook(final RecordedCommands commands)
    {
        this(commands, BookFlow.SPEC);
    }

    /** With limits of its own. */
    MillraceBook(final RecordedCommands commands, final SymbolSpec spec)
    {
        super(commands);
        book = new OrderBook(spec, hash);
        kinds = new int[commands.count()];
        for (int i = 0; i < kinds.length; i++)
        {
            final int word = commands.word(i);
            kinds[i] = BookCommands.commandType(word) | (BookCommands.orderType(word) & 0xFF) << 8 |
                BookCommands.side(word) << 16;
        }
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
    protected void tellLevels(final LevelHash levels)
    {
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
    }
}
