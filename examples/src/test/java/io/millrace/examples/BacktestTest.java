package io.millrace.examples;

import io.millrace.engine.book.Side;
import io.millrace.gateway.itch.ItchBooks;
import io.millrace.gateway.itch.ItchFile;
import io.millrace.itchbook.BacktestItchBook;
import io.millrace.itchbook.MarketByOrderItchBook;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Simulated orders among recorded ones: by hand, and over a recorded hour that is not part of the project. */
class BacktestTest
{
    private static final String HOUR = "data/itch/aapl_20120621_0930_1030.itch.gz";

    private final List<String> fills = new ArrayList<>();
    private final BacktestItchBook book = new BacktestItchBook(1, 100, (id, isBid, price, shares, isMaker) ->
        fills.add(id + (isBid ? " buys " : " sells ") + shares + " at " + price + (isMaker ? "" : " as taker")));

    private void filled(final String... expected)
    {
        assertEquals(List.of(expected), fills);
        fills.clear();
        book.book().verify();
    }

    @Test
    void shouldFillASimulatedOrderWhenThoseAheadAreGone()
    {
        assertTrue(book.add(1, true, 10_000, 100));
        assertTrue(book.simulate(0, true, 10_000, 50, true));
        assertTrue(book.add(2, true, 10_000, 100));
        assertEquals(100, book.volumeAhead(0));
        assertTrue(book.execute(1, 60));
        filled();
        assertEquals(40, book.volumeAhead(0));
        assertTrue(book.cancel(1, 10));
        assertTrue(book.delete(1));
        assertEquals(0, book.volumeAhead(0));
        assertTrue(book.execute(2, 30));
        filled("0 buys 30 at 10000");
        assertTrue(book.execute(2, 70));
        filled("0 buys 20 at 10000");
        assertEquals(-1, book.volumeAhead(0));
        assertFalse(book.isAffected());
        // What others did is unchanged: 2 is executed completely.
        assertFalse(book.execute(2, 1));
        assertEquals(0, book.book().orderCount());
    }

    @Test
    void shouldFillSimulatedOrdersAtBetterPricesFirst()
    {
        assertTrue(book.add(1, false, 10_300, 100));
        assertTrue(book.simulate(0, false, 10_200, 10, true));
        assertTrue(book.simulate(1, false, 10_100, 10, true));
        assertTrue(book.simulate(2, false, 10_300, 10, true));
        assertTrue(book.execute(1, 15));
        filled("1 sells 10 at 10100", "0 sells 5 at 10200");
        assertTrue(book.cancelSimulated(0));
        assertFalse(book.cancelSimulated(0));
        // Behind the executed order.
        assertTrue(book.execute(1, 15));
        filled();
    }

    @Test
    void shouldTradeWithRecordedOrdersAndExpectLessOfThem()
    {
        assertTrue(book.add(1, false, 10_100, 100));
        assertTrue(book.add(2, true, 10_000, 100));
        assertFalse(book.execute(9, 1));
        assertTrue(book.simulate(0, true, 10_100, 30, false));
        filled("0 buys 30 at 10100 as taker");
        assertTrue(book.isAffected());
        assertTrue(book.execute(1, 100));
        assertEquals(0, book.askShares());
        assertTrue(book.replace(1, 3, 10_200, 100));
        assertTrue(book.cancel(1, 5));
        assertTrue(book.replace(2, 4, 10_000, 50));
        assertEquals(50, book.bidShares());
        // A recorded order crosses a simulated one that the strategy left behind.
        assertTrue(book.delete(4));
        assertTrue(book.simulate(1, true, 10_000, 20, true));
        assertTrue(book.add(5, false, 10_000, 50));
        filled("1 buys 20 at 10000");
        assertEquals(30, book.askShares());
        assertEquals(0, book.recordedCrossings());
        assertFalse(book.add(6, true, 10_050, 1));
    }

    /** Without simulated orders the matching book is the recorded one, after every message. */
    @Test
    void shouldFollowTheRecordedHourExactly() throws IOException
    {
        final MarketByOrderItchBook reference = new MarketByOrderItchBook(1, 16_384);
        final ItchBooks expected = new ItchBooks((locate, symbol) -> reference);
        final BacktestItchBook matching = new BacktestItchBook(1, 16_384, (id, isBid, price, shares, isMaker) ->
            fills.add("none"));
        final ItchBooks books = new ItchBooks((locate, symbol) -> matching);
        final long[] changes = new long[2];
        try (ItchFile file = new ItchFile(SharedFile.of(HOUR)))
        {
            while (!file.isExhausted())
            {
                file.poll(message ->
                {
                    changes[0] += books.apply(message) ? 1 : 0;
                    changes[1] += expected.apply(message) ? 1 : 0;
                    assertEquals(reference.bidPrice(), matching.bidPrice());
                    assertEquals(reference.bidShares(), matching.bidShares());
                    assertEquals(reference.askPrice(), matching.askPrice());
                    assertEquals(reference.askShares(), matching.askShares());
                    return true;
                }, Integer.MAX_VALUE);
            }
        }
        assertEquals(23_456, changes[0]);
        assertEquals(23_456, changes[1]);
        assertEquals(0, books.anomalies());
        assertEquals(350_494, books.sharesExecuted());
        assertEquals(0, matching.recordedCrossings());
        assertEquals(reference.book().orderCount(), matching.book().orderCount());
        assertEquals(5_856_900, matching.bidPrice());
        assertEquals(5_859_500, matching.askPrice());
        assertEquals(matching.book().bestPrice(Side.BID), reference.book().bestPrice(Side.BID));
        filled();
    }

    private static Backtest run(final int quoteEvery) throws IOException
    {
        final Backtest test = new Backtest(quoteEvery);
        test.replay(SharedFile.of(HOUR));
        test.book.book().verify();
        return test;
    }

    @Test
    void shouldGiveTheSameHashForTheSameInput() throws IOException
    {
        final Backtest first = run(500);
        final Backtest second = run(500);
        assertEquals(first.hash(), second.hash());
        assertEquals(first.strategy.cash, second.strategy.cash);
        assertTrue(first.strategy.makerShares > 1_000 && first.strategy.takerShares > 1_000);
        assertEquals(0, first.books.anomalies());
        assertNotEquals(first.hash(), run(499).hash());
        assertEquals(0, run(0).strategy.makerShares);
    }

    @Test
    void shouldPrintItsResult() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(0, Backtest.run(out, out, SharedFile.of(HOUR).toString()));
        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals("92,082 messages, 350,494 shares executed, 0 anomalies", lines.get(0));
        assertEquals(4, lines.size(), lines::toString);
        assertTrue(lines.get(3).matches("hash [0-9a-f]{16}"), lines.get(3));
    }

    @Test
    void shouldRefuseWrongArguments()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertEquals(2, Backtest.run(err, err));
        assertEquals(2, Backtest.run(err, err, "a", "1", "2"));
        assertEquals(2, Backtest.run(err, err, "a", "many"));
        assertEquals(2, Backtest.run(err, err, "/none/such.itch"));
        final String usage = "usage: Backtest FILE [MESSAGES]";
        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(List.of("Backtest: which file?", usage, "Backtest: one argument too many: 2", usage,
            "Backtest: messages many is not a number from 0 to 999999999", usage), lines.subList(0, 6));
        assertTrue(lines.get(6).startsWith("Backtest: /none/such.itch"), lines.get(6));
    }
}
