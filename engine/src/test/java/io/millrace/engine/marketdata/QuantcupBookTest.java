package io.millrace.engine.marketdata;

import io.millrace.engine.Execution;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The feed of QuantCup, a matching contest of 2011, with the answers of its reference engine: "L,symbol,trader,side,
 * price,size" places a limit order, "C,id" cancels one, "I,id" answers a placement and "X,symbol,trader,side,price,
 * size" reports a match, first of the incoming side, then of the resting one.
 * <p>
 * Its trades have the price of the incoming order, ours of the resting order. So the price on an X line is held
 * against the limit of the order that came, and the trade's price against the limit of the order that rested.
 */
class QuantcupBookTest implements Execution.Listener
{
    private static final int SYMBOL = 2;
    private static final int TRADER = 2;
    private static final int SIDE = 3;
    private static final int PRICE = 4;
    private static final int SIZE = 5;

    private final OrderBook book = new OrderBook(SymbolSpec.future(SYMBOL), this);
    private final List<String> matches = new ArrayList<>();
    // By order id, which counts the placements from 1.
    private final List<Long> traders = new ArrayList<>(List.of(0L));
    private final List<Long> limits = new ArrayList<>(List.of(0L));
    private long answered;
    private long cancelled;

    private static List<String> lines() throws IOException
    {
        final Path file = SharedFile.of("data/quantcup/quantcup_golden.csv.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)))
        {
            return reader.lines().toList();
        }
    }

    @Test
    void shouldMatchTheReferenceEngineOfTheContest() throws IOException
    {
        int expected = 0;
        int reported = 0;
        final List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            final String where = "line " + (i + 1) + ": " + line;
            switch (line.charAt(0))
            {
                case 'X':
                    assertTrue(reported < matches.size(), () -> where + " has no match");
                    assertEquals(line, matches.get(reported++), where);
                    expected++;
                    break;
                case 'I':
                    assertEquals(line, "I," + ++answered);
                    assertEquals(matches.size(), reported, where);
                    break;
                default:
                    assertEquals(matches.size(), reported, () -> "matches before " + where);
                    matches.clear();
                    reported = 0;
                    command(line.split(","));
                    break;
            }
        }
        assertEquals(reported, matches.size());
        assertEquals(33_774, expected, "X lines");
        assertEquals(17_894, answered, "placements");
        assertTrue(cancelled > 0 && book.orderCount() > 0);
        book.verify();
    }

    private void command(final String[] fields)
    {
        if (fields[0].equals("L"))
        {
            final long price = Long.parseLong(fields[PRICE]);
            limits.add(price);
            traders.add(Long.parseLong(fields[TRADER].substring("ID".length())));
            final long orderId = limits.size() - 1;
            assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand()
                .place(OrderType.GTC, Byte.parseByte(fields[SIDE])).orderId(orderId).uid(traders.get((int)orderId))
                .price(price).size(Long.parseLong(fields[SIZE])).reservePrice(price)));
        }
        else
        {
            // Many ids name orders that have left or have not arrived yet; the contest's engine has no answer for
            // those.
            final int orderId = Integer.parseInt(fields[1]);
            final long trader = orderId < traders.size() ? traders.get(orderId) : 0;
            cancelled += book.cancel(orderId, trader) == CommandResult.SUCCESS ? 1 : 0;
        }
    }

    private String match(final long trader, final int side, final long price, final long size)
    {
        return "X,SYM,ID" + trader + "," + side + "," + price + "," + size;
    }

    @Override
    public void onExecution(final Execution e)
    {
        if (e.kind() == Execution.Kind.TRADE)
        {
            assertEquals(limits.get((int)e.makerOrderId()), e.price(),
                "a trade is at the limit of the order that rested");
            final long limit = limits.get((int)e.orderId());
            matches.add(match(e.uid(), e.side(), limit, e.size()));
            matches.add(match(e.makerUid(), e.side() == Side.BID ? Side.ASK : Side.BID, limit, e.size()));
        }
        else
        {
            assertEquals(Execution.Kind.REDUCE, e.kind(), "a limit order is never rejected");
            assertTrue(e.completed(), "a cancelled order is gone");
        }
    }
}
