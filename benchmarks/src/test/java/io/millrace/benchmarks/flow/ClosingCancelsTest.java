package io.millrace.benchmarks.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;

import org.junit.jupiter.api.Test;

class ClosingCancelsTest
{
    private static final SymbolSpec SPEC = SymbolSpec.spot(7);

    private final CommandColumns commands = new CommandColumns("by hand");

    @Test
    void shouldCancelTheRestingOrdersOnly()
    {
        commands.add(10, BookCommands.place(true, "GTC"), 1, 51, 100, 5, 100);
        commands.add(11, BookCommands.place(false, "GTC"), 2, 52, 100, 3, 0);
        commands.add(12, BookCommands.place(false, "GTC"), 3, 53, 105, 4, 0);

        assertEquals(2, ClosingCancels.appendTo(commands, SPEC));
        assertEquals(5, commands.count());
        assertCancel(3, 13, 1, 51);
        assertCancel(4, 14, 3, 53);
    }

    @Test
    void shouldAppendNothingToCommandsThatLeaveNothing()
    {
        commands.add(0, BookCommands.place(true, "IOC"), 1, 51, 100, 5, 100);

        assertEquals(0, ClosingCancels.appendTo(commands, SPEC));
        assertEquals(1, commands.count());
        assertEquals(0, ClosingCancels.appendTo(new CommandColumns("nothing"), SPEC));
    }

    @Test
    void shouldNotMindCommandsThatAreRefused()
    {
        commands.add(0, BookCommands.place(true, "GTC"), 1, 51, 100, 5, 100);
        commands.add(1, BookCommands.place(false, "GTC"), 1, 52, 90, 5, 0);
        commands.add(2, BookCommands.MOVE, 1, 51, 101, 0, 0);
        commands.add(3, BookCommands.MOVE, 9, 51, 101, 0, 0);
        commands.add(4, BookCommands.REDUCE, 1, 51, 0, 2, 0);
        commands.add(5, BookCommands.place(true, "FOK"), 4, 51, 100, 5, 100);

        assertEquals(1, ClosingCancels.appendTo(commands, SPEC));
        final OrderBook book = new OrderBook(SPEC, new Fills());
        for (int lap = 0; lap < 2; lap++)
        {
            assertEquals(CommandResult.SUCCESS, BookCommands.apply(commands, 0, book));
            assertEquals(CommandResult.DUPLICATE_ORDER, BookCommands.apply(commands, 1, book));
            assertEquals(CommandResult.PRICE_OVER_RISK_LIMIT, BookCommands.apply(commands, 2, book));
            assertEquals(CommandResult.UNKNOWN_ORDER, BookCommands.apply(commands, 3, book));
            assertEquals(CommandResult.SUCCESS, BookCommands.apply(commands, 4, book));
            assertEquals(CommandResult.UNKNOWN_ORDER_TYPE, BookCommands.apply(commands, 5, book));
            assertEquals(1, book.orderCount());
            assertEquals(CommandResult.SUCCESS, BookCommands.apply(commands, 6, book));
            assertEquals(0, book.orderCount());
        }
    }

    private void assertCancel(final int index, final int seq, final long orderId, final long uid)
    {
        assertEquals(seq, commands.seq(index));
        assertEquals(BookCommands.CANCEL, commands.word(index));
        assertEquals(orderId, commands.orderId(index));
        assertEquals(uid, commands.uid(index));
    }
}
