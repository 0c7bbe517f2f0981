package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.CommandColumns;

/**
 * No book: reads the fields of each command that a book would be given and keeps a sum over them. The baseline under
 * the books. One thread.
 */
final class LoopBaseline extends BookContender
{
    private static final int MOVE = CommandWord.command(BookCommands.MOVE);
    private static final int CANCEL = CommandWord.command(BookCommands.CANCEL);
    private static final int REDUCE = CommandWord.command(BookCommands.REDUCE);

    private long sum;

    LoopBaseline(final CommandColumns commands)
    {
        super(commands);
    }

    @Override
    public void give(final int index)
    {
        hash.command(commands.seq(index));
        final int word = commands.word(index);
        final long order = commands.orderId(index) + (commands.uid(index) << 32);
        final int command = CommandWord.command(word);
        if (command == MOVE)
        {
            sum = EventHash.word(sum, order ^ commands.price(index));
        }
        else if (command == CANCEL)
        {
            sum = EventHash.word(sum, order);
        }
        else if (command == REDUCE)
        {
            sum = EventHash.word(sum, order ^ commands.size(index));
        }
        else
        {
            sum = EventHash.word(sum, order + CommandWord.orderType(word) + CommandWord.action(word) ^
                commands.price(index) + commands.size(index) + commands.reserveBidPrice(index));
        }
    }

    /** Says the sum, so that nothing of it can be left out. */
    @Override
    protected void reportLevels(final LevelHash levels)
    {
        levels.onLevel((byte)0, sum, 0, 0);
        sum = 0;
    }
}
