package io.millrace.benchmarks.flow;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OrderFlowTest
{
    private static final int RECORDED = 100_000;

    @ParameterizedTest
    @CsvSource({"margin_100k, 1", "exchange_100k, 2"})
    void shouldMakeTheRecordingsToTheLastField(final String name, final int seed)
    {
        final CommandColumns recorded = CommandFile.read(SharedFile.of("oracle/" + name + ".commands.csv.gz"));
        final CommandColumns flow = OrderFlow.of(OrderFlow.SYMBOL, seed, RECORDED);

        assertEquals(recorded.count(), flow.count());
        for (int i = 0; i < recorded.count(); i++)
        {
            assertEquals(line(recorded, i), line(flow, i));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2445150711609202915", "2, -931776371866955310"})
    void shouldBeTheSameOnEveryMachine(final int seed, final long checksum)
    {
        assertEquals(checksum, OrderFlow.of(OrderFlow.SYMBOL, seed, RECORDED).checksum(OrderFlow.PREFILL + RECORDED));
    }

    @Test
    void shouldMakeOtherCommandsOfAnotherSeedOrSymbol()
    {
        final long checksum = OrderFlow.of(OrderFlow.SYMBOL, 1, 10).checksum(1_010);

        assertEquals(checksum, OrderFlow.of(OrderFlow.SYMBOL, 1, 10).checksum(1_010));
        assertNotEquals(checksum, OrderFlow.of(OrderFlow.SYMBOL, 3, 10).checksum(1_010));
        assertNotEquals(checksum, OrderFlow.of(OrderFlow.SYMBOL + 1, 1, 10).checksum(1_010));
    }

    @Test
    void shouldBeginWithTheCommandsOfAShorterFlow()
    {
        final CommandColumns shorter = OrderFlow.of(OrderFlow.SYMBOL, 5, 1_000);

        assertEquals(2_000, shorter.count());
        assertEquals(shorter.checksum(2_000), OrderFlow.of(OrderFlow.SYMBOL, 5, 3_000).checksum(2_000));
    }

    @Test
    void shouldKeepTheMixOfAMillionCommands()
    {
        final int count = 1_000_000;
        final CommandColumns flow = OrderFlow.of(OrderFlow.SYMBOL, 1, count);
        final Fills heard = new Fills();
        final OrderBook book = new OrderBook(SymbolSpec.future(OrderFlow.SYMBOL), heard);
        for (int i = 0; i < flow.count(); i++)
        {
            assertEquals(CommandResult.SUCCESS, BookCommands.apply(flow, i, book), line(flow, i));
        }

        final Map<String, Long> mix = CommandWord.byName(flow.counts(flow.count()));
        assertEquals(OrderFlow.PREFILL, mix.get("fill.PLACE_GTC"));
        assertPercent(71.0, mix.get("bench.MOVE_ORDER"), count);
        assertPercent(12.7, mix.get("bench.PLACE_GTC"), count);
        assertPercent(7.3, mix.get("bench.REDUCE_ORDER"), count);
        assertPercent(7.3, mix.get("bench.CANCEL_ORDER"), count);
        assertPercent(1.8, mix.get("bench.PLACE_IOC"), count);
        assertPercent(0.06, mix.get("bench.PLACE_FOK_BUDGET"), count);
        final int levels = book.levelCount(Side.BID) + book.levelCount(Side.ASK);
        assertTrue(Math.abs(book.orderCount() - 970) <= 50, book.orderCount() + " orders");
        assertTrue(Math.abs(levels - 500) <= 100, levels + " levels");
        assertTrue(Math.abs(heard.trades - 40_000) <= 4_000, heard.toString());
    }

    @Test
    void shouldEndWithAnEmptyBookWhenClosedAndBeRepeatable()
    {
        final CommandColumns flow = OrderFlow.closed(OrderFlow.SYMBOL, 1, 20_000);
        final Fills heard = new Fills();
        final OrderBook book = new OrderBook(SymbolSpec.future(OrderFlow.SYMBOL), heard);
        String first = "";
        for (int lap = 1; lap <= 2; lap++)
        {
            final long trades = heard.trades;
            final long volume = heard.volume;
            final long reduces = heard.reduces;
            for (int i = 0; i < flow.count(); i++)
            {
                assertEquals(CommandResult.SUCCESS, BookCommands.apply(flow, i, book), line(flow, i));
            }
            assertEquals(0, book.orderCount());
            final String one = heard.trades - trades + " " + (heard.volume - volume) + " " + (heard.reduces - reduces);
            first = lap == 1 ? one : first;
            assertEquals(first, one);
        }
    }

    @Test
    void shouldRefuseACountBeyondTheCapacity()
    {
        assertThrows(IllegalArgumentException.class, () -> OrderFlow.of(OrderFlow.SYMBOL, 1, -1));
        assertThrows(IllegalArgumentException.class,
            () -> OrderFlow.of(OrderFlow.SYMBOL, 1, CommandColumns.MAX_COMMANDS - OrderFlow.PREFILL + 1));
    }

    private static void assertPercent(final double expected, final long part, final int all)
    {
        assertEquals(expected, 100.0 * part / all, 1.0);
    }

    private static String line(final CommandColumns commands, final int index)
    {
        return commands.seq(index) + " word " + commands.word(index) + " id " + commands.orderId(index) + " uid " +
            commands.uid(index) + " price " + commands.price(index) + " size " + commands.size(index) + " reserve " +
            commands.reserveBidPrice(index);
    }
}
