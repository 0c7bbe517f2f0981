package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Reports: a limited number of rows for each command, and a RESULT that says where the next one continues. Every
 * command is answered, whatever its numbers are.
 */
class ReportTest
{
    private static final int ROWS = 3;
    private static final int SYMBOLS = 5;
    private static final int CAPACITY = 4_096;
    private static final int CASH = 100;

    private final OneThread server = new OneThread(context(), ROWS);

    private static EngineContext context()
    {
        final EngineContext context = new EngineContext().risk(new RiskLimits().withUsers(16));
        for (int symbol = -1; symbol < SYMBOLS - 1; symbol++)
        {
            context.symbol(SymbolSpec.future(symbol).withOrderCapacity(CAPACITY).withWindowTicks(64)
                .withPrices(0, 10_000), SymbolTerms.future(200 + symbol, CASH + symbol, 0, 0, 1_000));
        }
        return context;
    }

    @AfterEach
    void close()
    {
        server.close();
    }

    private void addUser(final long uid)
    {
        server.accept(c -> c.addUser(uid));
    }

    private static List<String> levels(final String side, final int first, final int step, final int count)
    {
        return IntStream.range(0, count)
            .mapToObj(i -> "LEVEL " + side + " 1@" + (first + i * step) + " of 1 orders").toList();
    }

    private void placeLevels(final int bids, final int asks)
    {
        addUser(1);
        for (int i = 0; i < bids; i++)
        {
            final int id = i;
            server.accept(c -> c.limit(0, id, 1, BID, 100 - id, 1));
        }
        for (int i = 0; i < asks; i++)
        {
            final int id = i;
            server.accept(c -> c.limit(0, 100 + id, 1, ASK, 101 + id, 1));
        }
    }

    @Test
    void shouldReturnTheRequestedRowsAndWhereToContinue()
    {
        placeLevels(5, 4);
        assertEquals(List.of("LEVEL BID 1@100 of 1 orders", "LEVEL BID 1@99 of 1 orders", "LEVEL BID 1@98 of 1 orders",
            "RESULT 0/0 SUCCESS 3 more from BID 97 after 3"), server.give(c -> c.orderBook(0, -1)));
        assertEquals(List.of("LEVEL BID 1@97 of 1 orders", "LEVEL BID 1@96 of 1 orders", "LEVEL ASK 1@101 of 1 orders",
            "RESULT 3/0 SUCCESS 3 more from ASK 102 after 1"),
            server.give(c -> c.orderBook(0, -1).continueFrom(server.lastResult())));
        assertEquals(List.of("LEVEL ASK 1@102 of 1 orders", "LEVEL ASK 1@103 of 1 orders",
            "LEVEL ASK 1@104 of 1 orders", "RESULT 1/0 SUCCESS 3"),
            server.give(c -> c.orderBook(0, -1).continueFrom(server.lastResult())));
    }

    @Test
    void shouldReturnTheRequestedDepthOfEachSide()
    {
        placeLevels(8, 8);
        for (int depth = -1; depth <= 9; depth++)
        {
            final int asked = depth;
            final int expected = depth < 0 ? 8 : Math.min(depth, 8);
            final List<String> rows = new ArrayList<>(levels("BID", 100, -1, expected));
            rows.addAll(levels("ASK", 101, 1, expected));
            assertEquals(rows, server.report(ROWS, c -> c.orderBook(0, asked)), "depth " + depth);
        }
    }

    @Test
    void shouldContinueAfterARemovedLevel()
    {
        placeLevels(5, 0);
        server.give(c -> c.orderBook(0, -1));
        final ExecutionEvent result = server.keepResult();
        server.accept(c -> c.cancel(0, 3, 1));
        assertEquals(List.of("LEVEL BID 1@96 of 1 orders", "RESULT 3/0 SUCCESS 1"),
            server.give(c -> c.orderBook(0, -1).continueFrom(result)));
    }

    @Test
    void shouldReportAllOfAUserInAnyNumberOfCommands()
    {
        addUser(1);
        addUser(2);
        final List<String> expected = new ArrayList<>();
        for (int symbol = -1; symbol < SYMBOLS - 1; symbol++)
        {
            final int each = symbol;
            server.accept(c -> c.adjustBalance(1, CASH + each, 1_000, 2 + each));
            server.accept(c -> c.adjustBalance(2, CASH + each, 1_000, 2 + each));
            for (int i = 0; i <= 2 * (symbol + 1); i++)
            {
                final long id = i;
                server.accept(c -> c.limit(each, id, 1, BID, 100 + id, 2));
                server.accept(c -> c.limit(each, 50 + id, 2, BID, 90 + id, 1));
                expected.add("ORDER in " + each + ": 2@" + (100 + id) + " BID " + id + "/1 filled 0 reserve " +
                    (100 + id));
            }
        }
        final List<String> rows = server.report(ROWS, c -> c.userReport(1));
        assertEquals(expected, rows.stream().filter(row -> row.startsWith("ORDER")).toList());
        assertEquals(SYMBOLS, rows.stream().filter(row -> row.startsWith("ACCOUNT of 1 in ")).distinct().count());
        assertEquals(SYMBOLS, rows.stream().filter(row -> row.startsWith("POSITION of 1 in ")).distinct().count());
        assertEquals(expected.size() + 2 * SYMBOLS, rows.size());
        final List<String> totals = server.report(ROWS, c -> c.totalsReport());
        assertEquals(totals.size(), totals.stream().distinct().count());
        assertEquals(SYMBOLS, totals.stream().filter(row -> row.endsWith(" adjusted 2000")).count());
        assertEquals(SYMBOLS, totals.stream().filter(row -> row.startsWith("OPEN_INTEREST in ")).count());
    }

    @Test
    void shouldReportAllFieldsOfAnOrdersCommand()
    {
        addUser(1);
        addUser(2);
        server.accept(c -> c.goodTillDate(0, 1, 1, BID, 90, 5, 70));
        server.accept(c -> c.iceberg(0, 2, 1, ASK, 100, 9, 4).selfTradePolicy(SelfTradePolicy.CANCEL_BOTH));
        server.accept(c -> c.stop(0, 3, 1, ASK, 80, 2));
        server.accept(c -> c.stopLimit(0, 4, 1, BID, 100, 98, 2).selfTradePolicy(SelfTradePolicy.DECREMENT));
        server.accept(c -> c.postOnly(0, 6, 1, BID, 91, 1));
        assertEquals(List.of("ORDER in 0: 1@91 BID 6/1 filled 0 reserve 91 POST_ONLY 0 ALLOW",
            "ORDER in 0: 2@0 ASK 3/1 filled 0 reserve 0 STOP 80 ALLOW",
            "ORDER in 0: 2@98 BID 4/1 filled 0 reserve 98 STOP_LIMIT 100 DECREMENT",
            "ORDER in 0: 5@90 BID 1/1 filled 0 reserve 90 GTD 70 ALLOW",
            "ORDER in 0: 9@100 ASK 2/1 filled 0 reserve 0 ICEBERG 4 CANCEL_BOTH"), orders());
        server.accept(c -> c.limit(0, 7, 2, BID, 100, 3));
        final List<String> later = orders();
        assertTrue(later.contains("ORDER in 0: 2@98 BID 4/1 filled 0 reserve 98 GTC 0 DECREMENT"), later::toString);
        assertTrue(later.contains("ORDER in 0: 9@100 ASK 2/1 filled 3 reserve 0 ICEBERG 4 CANCEL_BOTH"),
            later::toString);
    }

    private List<String> orders()
    {
        return server.report(ROWS, c -> c.userReport(1)).stream().filter(row -> row.startsWith("ORDER")).sorted()
            .toList();
    }

    /** Also by commands of which a restored engine has answered the first ones only. */
    @Test
    void shouldReportTheOrdersOfARestoredEngineAsTheOriginal()
    {
        addUser(1);
        addUser(2);
        for (long id = 0; id < 40; id++)
        {
            final long each = id;
            server.accept(c -> c.limit(0, each, 2, BID, 100, 1));
        }
        for (final long id : new long[] {7, 3, -5, 9, 1, 4})
        {
            server.accept(c -> c.limit(0, id + 100, 1, BID, 101, 1));
            server.accept(c -> c.limit(1, id + 100, 1, ASK, 200 - id, 1));
        }
        server.accept(c -> c.massCancel(0, 2, Side.BOTH));
        server.accept(c -> c.cancel(0, 103, 1));
        server.accept(c -> c.limit(0, 102, 1, BID, 90, 1));
        final EngineSnapshot snapshot = new EngineSnapshot();
        snapshot.take(server.engine());
        try (OneThread other = new OneThread(context(), ROWS))
        {
            snapshot.restoreTo(other.engine());
            final List<String> first = server.give(c -> c.userReport(1));
            assertEquals(first, other.give(c -> c.userReport(1)));
            while (server.lastResult().hasMore())
            {
                final ExecutionEvent from = server.keepResult();
                assertEquals(server.give(c -> c.userReport(1).continueFrom(from)),
                    other.give(c -> c.userReport(1).continueFrom(from)));
            }
        }
        assertEquals(List.of("95", "101", "102", "104", "107", "109", "95", "101", "103", "104", "107", "109"),
            server.report(ROWS, c -> c.userReport(1)).stream().filter(row -> row.startsWith("ORDER"))
                .map(row -> row.replaceAll(".* (\\d+)/1 .*", "$1")).toList());
    }

    @Test
    void shouldLookIntoALimitedNumberOfBooks()
    {
        final EngineContext many = new EngineContext().risk(new RiskLimits().withUsers(16)).symbolCapacity(1_024);
        for (int symbol = 0; symbol < 2 * Reports.MAX_BOOKS_READ; symbol++)
        {
            many.symbol(SymbolSpec.future(symbol).withOrderCapacity(4).withWindowTicks(64).withPrices(0, 10_000),
                SymbolTerms.future(200, CASH, 0, 0, 1_000));
        }
        try (OneThread other = new OneThread(many, ROWS))
        {
            other.accept(c -> c.addUser(1));
            other.accept(c -> c.limit(Reports.MAX_BOOKS_READ, 1, 1, BID, 100, 2));
            final List<String> first = other.give(c -> c.userReport(1));
            assertTrue(other.lastResult().hasMore(), () -> "nothing was found, and not all books were inspected: " +
                first);
            assertEquals(1, other.report(ROWS, c -> c.userReport(1)).stream()
                .filter(row -> row.startsWith("ORDER in " + Reports.MAX_BOOKS_READ)).count());
        }
    }

    @Test
    void shouldContinueAfterARemovedSymbol()
    {
        addUser(1);
        for (int i = 0; i < 5; i++)
        {
            final long id = i;
            server.accept(c -> c.limit(0, id, 1, BID, 100 + id, 2));
            server.accept(c -> c.limit(1, id, 1, BID, 100 + id, 2));
        }
        while (!server.give(c -> c.userReport(1).continueFrom(server.lastResult())).toString().contains("ORDER in 0"))
        {
            assertTrue(server.lastResult().hasMore());
        }
        final ExecutionEvent result = server.keepResult();
        for (int i = 0; i < 5; i++)
        {
            final long id = i;
            server.accept(c -> c.cancel(0, id, 1));
        }
        server.accept(c -> c.removeSymbol(0));
        assertEquals(ROWS, server.give(c -> c.userReport(1).continueFrom(result)).stream()
            .filter(row -> row.startsWith("ORDER in 1: ")).count());
    }

    @Test
    void shouldAnswerReportsWithAnyArguments()
    {
        placeLevels(5, 5);
        final long[] numbers = {Long.MIN_VALUE, -1, 0, 1, 99, 1L << 25, 1L << 62, (1L << 62) + 1, (1L << 62) + 4_095,
            -1L >>> 1, (1L << 57) + (1L << 62), 0x7FFF_FFFFL << 25 | 1L << 62, 0x8000_0000L << 25 | 1L << 62};
        for (final long price : numbers)
        {
            for (final long reported : numbers)
            {
                for (final byte side : new byte[] {BID, ASK})
                {
                    final ExecutionEvent from = new ExecutionEvent();
                    from.result(0, 0, CommandResult.SUCCESS, 0, 0);
                    from.more(side, price, reported);
                    server.accept(c -> c.orderBook(0, reported).continueFrom(from));
                    server.accept(c -> c.userReport(1).continueFrom(from));
                    server.accept(c -> c.totalsReport().continueFrom(from));
                }
            }
        }
        final ExecutionEvent none = new ExecutionEvent();
        for (int side = Byte.MIN_VALUE; side <= Byte.MAX_VALUE; side++)
        {
            none.result(0, 0, CommandResult.SUCCESS, 0, 0);
            none.more((byte)side, -1, 0);
            final boolean right = side == BID || side == ASK;
            server.give(c -> c.orderBook(0, 1).continueFrom(none));
            assertEquals(right ? CommandResult.SUCCESS : CommandResult.WRONG_SIDE, server.lastResult().result());
        }
    }

    @Test
    void shouldReportNoUsersWhereNoneAreKept()
    {
        try (OneThread other = new OneThread(new EngineContext().symbol(SymbolSpec.future(1)), ROWS))
        {
            other.refuse(CommandResult.NO_RISK, c -> c.userReport(1));
            other.refuse(CommandResult.NO_RISK, c -> c.totalsReport());
            other.refuse(CommandResult.NO_RISK, c -> c.addUser(1));
            assertEquals(List.of("RESULT 0/0 SUCCESS 0"), other.give(c -> c.orderBook(1, -1)));
            assertFalse(other.lastResult().hasMore());
        }
    }

    @Test
    void shouldAcceptANumberOfRowsWithinItsRange()
    {
        for (final int rows : new int[] {0, -1, 1_025})
        {
            assertTrue(assertThrows(IllegalArgumentException.class,
                () -> new OneThread(new EngineContext().symbol(SymbolSpec.future(1)), rows)).getMessage()
                .contains("reportRows " + rows + " is not in 1..1024"));
        }
    }
}
