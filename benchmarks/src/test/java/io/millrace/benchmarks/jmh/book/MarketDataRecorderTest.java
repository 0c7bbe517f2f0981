package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A book whose market data does not reach its listener is no contender. */
class MarketDataRecorderTest
{
    /** An order is added, reduced by a trade, and removed. */
    private static OrderBook played(final MarketDataRecorder recorder)
    {
        final CommandColumns commands = new CommandColumns("by hand");
        commands.add(0, BookCommands.place(true, "GTC"), 1, 51, 100, 5, 100);
        commands.add(1, BookCommands.place(false, "IOC"), 2, 52, 100, 3, 0);
        commands.add(2, BookCommands.CANCEL, 1, 51, 100, 0, 0);
        final OrderBook book = new OrderBook(BookFlow.SPEC, new EventHash(), recorder);
        for (int i = 0; i < commands.count(); i++)
        {
            BookCommands.apply(commands, i, book);
        }
        return book;
    }

    private static String refusal(final MarketDataRecorder recorder, final OrderBook book)
    {
        return assertThrows(IllegalStateException.class, () -> recorder.check(book)).getMessage();
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void shouldReceiveEachMessageOfItsBook(final boolean orders, final boolean levels)
    {
        final MarketDataRecorder recorder = new MarketDataRecorder(orders, levels);
        final OrderBook book = played(recorder);
        recorder.check(book);
        if (orders)
        {
            recorder.onOrderRemoved(1, 4, Side.BID, 1, 100);
            assertTrue(refusal(recorder, book).startsWith("4 messages of orders instead of 3, "));
        }
    }

    @Test
    void shouldMissMessages()
    {
        final OrderBook book = played(new MarketDataRecorder(true, true));
        final String none = "0 messages of orders instead of 3, 0 of levels instead of 3";
        assertTrue(refusal(new MarketDataRecorder(true, false), book).startsWith(none));
        assertTrue(refusal(new MarketDataRecorder(false, true), book).startsWith(none));
        assertDoesNotThrow(() -> new MarketDataRecorder(false, false).check(book));
        final MarketDataRecorder more = new MarketDataRecorder(true, true);
        final OrderBook other = played(more);
        more.onLevelChanged(1, 4, Side.BID, 100, 1, 1);
        assertTrue(refusal(more, other).endsWith(" 4 of levels instead of 3"));
    }
}
