package io.millrace.benchmarks.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import org.junit.jupiter.api.Test;

class MixFlowTest
{
    private static final int TIMED = 200_000;

    private final CommandColumns commands = MixFlow.of(1, TIMED);
    private final Fills listener = new Fills();
    private final OrderBook book = new OrderBook(SymbolSpec.future(1), listener);

    @Test
    void shouldMixAsItSays()
    {
        long cancels = 0;
        long crosses = 0;
        for (int i = 0; i < commands.count(); i++)
        {
            final long trades = listener.trades;
            BookCommands.apply(commands, i, book);
            if (i >= MixFlow.RESTING)
            {
                assertEquals(MixFlow.RESTING, book.orderCount(), MixFlow.RESTING * 0.02);
                cancels += BookCommands.commandType(commands.word(i)) == CommandType.CANCEL ? 1 : 0;
                crosses += listener.trades > trades ? 1 : 0;
            }
        }
        assertEquals(0.45, (double)cancels / TIMED, 0.01);
        assertEquals(0.05, (double)crosses / TIMED, 0.005);
        assertEquals(0, listener.rejects);
    }

    @Test
    void shouldSpreadTheOrdersOverALadderOfLevels()
    {
        for (int i = 0; i < commands.count(); i++)
        {
            BookCommands.apply(commands, i, book);
        }
        assertTrue(book.levelCount(Side.BID) > MixFlow.LEVELS / 2 && book.levelCount(Side.BID) < 2 * MixFlow.LEVELS,
            () -> book.levelCount(Side.BID) + " levels");
        assertTrue(book.levelCount(Side.ASK) > MixFlow.LEVELS / 2 && book.levelCount(Side.ASK) < 2 * MixFlow.LEVELS,
            () -> book.levelCount(Side.ASK) + " levels");
    }

    @Test
    void shouldBeTheSameForTheSameSeedOnly()
    {
        final long sum = commands.checksum(commands.count());
        assertEquals(sum, MixFlow.of(1, TIMED).checksum(commands.count()));
        assertTrue(sum != MixFlow.of(2, TIMED).checksum(commands.count()));
    }
}
