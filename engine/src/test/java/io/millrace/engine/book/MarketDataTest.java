package io.millrace.engine.book;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.engine.FeedHash;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;

/**
 * A page of the specification: commands in, messages out. O = order message, L = level message, each with its sequence.
 */
class MarketDataTest
{
    private final List<String> heard = new ArrayList<>();
    private final List<String> trades = new ArrayList<>();
    private boolean readsOrders = true;
    private boolean readsLevels = true;
    private OrderBook book =
        new OrderBook(SymbolSpec.future(1).withWindowTicks(64), new Tape(), new Text());

    private final class Text extends FeedHash
    {
        @Override
        public boolean readsOrders()
        {
            return readsOrders;
        }

        @Override
        public boolean readsLevels()
        {
            return readsLevels;
        }

        @Override
        protected void add(
            final int kind,
            final int symbol,
            final long sequence,
            final byte side,
            final long orderId,
            final long price,
            final long size,
            final int orders)
        {
            final String name = Side.name(side).toLowerCase(Locale.ROOT) + " ";
            switch (kind)
            {
                case ORDER_ADDED -> heard.add("O" + sequence + " + " + name + orderId + ": " + size + " at " + price);
                case ORDER_REDUCED -> heard.add("O" + sequence + " = " + name + orderId + ": " + size + " at " + price);
                case ORDER_REMOVED -> heard.add("O" + sequence + " - " + name + orderId + " at " + price);
                case LEVEL_CHANGED -> heard.add("L" + sequence + " " + name + price + ": " + size + " of " + orders);
                case TRADE -> trades.add("T" + sequence + " " + name + "takes " + size + " at " + price + " from " +
                    orderId);
                default ->
                {
                    // A status.
                }
            }
        }
    }

    private void place(final byte type, final byte side, final long id, final long price, final long size,
        final long parameter)
    {
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(type, side).orderId(id).uid(7).price(price).size(size)
                .reservePrice(price).parameter(parameter)));
    }

    private void gtc(final byte side, final long id, final long price, final long size)
    {
        place(OrderType.GTC, side, id, price, size, 0);
    }

    private void assertHeard(final String... messages)
    {
        assertEquals(List.of(messages), heard);
        heard.clear();
    }

    @Test
    void shouldReportOrdersAndLevelsInTheOrderOfArrival()
    {
        gtc(Side.ASK, 1, 101, 5);
        assertHeard("O1 + ask 1: 5 at 101", "L1 ask 101: 5 of 1");
        gtc(Side.ASK, 2, 101, 6);
        assertHeard("O2 + ask 2: 6 at 101", "L2 ask 101: 11 of 2");
        book.reduce(1, 7, 2);
        assertHeard("O3 = ask 1: 3 at 101", "L3 ask 101: 9 of 2");
        book.cancel(1, 7);
        assertHeard("O4 - ask 1 at 101", "L4 ask 101: 6 of 1");
        book.cancel(2, 7);
        assertHeard("O5 - ask 2 at 101", "L5 ask 101: 0 of 0");
        assertEquals(5, book.orderSequence());
        assertEquals(5, book.levelSequence());
    }

    @Test
    void shouldOnlyNumberTheMessagesThatNobodyReads()
    {
        readsOrders = false;
        book = new OrderBook(SymbolSpec.future(1).withWindowTicks(64), new Tape(), new Text());
        gtc(Side.ASK, 1, 101, 5);
        MutedMarketData.mute(book, true);
        gtc(Side.ASK, 2, 101, 6);
        MutedMarketData.mute(book, false);
        book.move(1, 7, 102);
        assertHeard("L1 ask 101: 5 of 1", "L3 ask 101: 6 of 1", "L4 ask 102: 5 of 1");
        assertEquals(4, book.orderSequence());

        readsOrders = true;
        readsLevels = false;
        book = new OrderBook(SymbolSpec.future(1).withWindowTicks(64), new Tape(), new Text());
        gtc(Side.ASK, 1, 101, 5);
        gtc(Side.BID, 2, 101, 2);
        assertHeard("O1 + ask 1: 5 at 101", "O2 = ask 1: 3 at 101");
        assertEquals(2, book.levelSequence());
    }

    @Test
    void shouldReportALevelOncePerCommand()
    {
        gtc(Side.ASK, 1, 101, 5);
        gtc(Side.ASK, 2, 101, 5);
        gtc(Side.ASK, 3, 102, 5);
        heard.clear();
        place(OrderType.IOC, Side.BID, 4, 102, 12, 0);
        assertHeard("O4 - ask 1 at 101", "O5 - ask 2 at 101", "L4 ask 101: 0 of 0", "O6 = ask 3: 3 at 102",
            "L5 ask 102: 3 of 1");
    }

    @Test
    void shouldReportThatALevelChangedItsSide()
    {
        gtc(Side.ASK, 1, 101, 5);
        heard.clear();
        gtc(Side.BID, 2, 101, 8);
        assertHeard("O2 - ask 1 at 101", "L2 ask 101: 0 of 0", "O3 + bid 2: 3 at 101", "L3 bid 101: 3 of 1");
    }

    @Test
    void shouldReportAMoveAsRemovalAndAddition()
    {
        gtc(Side.BID, 1, 99, 5);
        gtc(Side.BID, 2, 99, 5);
        heard.clear();
        book.move(1, 7, 98);
        assertHeard("O3 - bid 1 at 99", "L3 bid 99: 5 of 1", "O4 + bid 1: 5 at 98", "L4 bid 98: 5 of 1");
        book.move(2, 7, 99);
        assertHeard("O5 - bid 2 at 99", "O6 + bid 2: 5 at 99");
    }

    @Test
    void shouldReportOnlyTheDisplayedPartOfAnIceberg()
    {
        place(OrderType.ICEBERG, Side.ASK, 1, 101, 10, 4);
        assertHeard("O1 + ask 1: 4 at 101", "L1 ask 101: 4 of 1");
        gtc(Side.ASK, 2, 101, 1);
        heard.clear();
        place(OrderType.IOC, Side.BID, 3, 101, 3, 0);
        assertHeard("O3 = ask 1: 1 at 101", "L3 ask 101: 2 of 2");
        place(OrderType.IOC, Side.BID, 4, 101, 1, 0);
        assertHeard("O4 - ask 1 at 101", "O5 + ask 1: 4 at 101", "L4 ask 101: 5 of 2");
        // Its open size is 6, its display size 4.
        book.reduce(1, 7, 2);
        assertHeard();
        book.reduce(1, 7, 1);
        assertHeard("O6 = ask 1: 3 at 101", "L5 ask 101: 4 of 2");
        assertEquals(4, book.volumeAt(Side.ASK, 101));
    }

    @Test
    void shouldReportNothingForOrdersThatDoNotRest()
    {
        gtc(Side.ASK, 1, 101, 5);
        heard.clear();
        place(OrderType.STOP, Side.ASK, 2, 0, 5, 90);
        place(OrderType.IOC, Side.BID, 3, 100, 5, 0);
        book.cancel(2, 7);
        book.cancel(99, 7);
        assertHeard();
    }

    @Test
    void shouldReportTheOrdersThatAnExpiryRemoves()
    {
        place(OrderType.GTD, Side.ASK, 1, 101, 5, 1_000);
        place(OrderType.GTD, Side.ASK, 2, 101, 5, 1_000);
        heard.clear();
        book.expire(999);
        assertHeard();
        book.expire(1_000);
        assertHeard("O3 - ask 1 at 101", "O4 - ask 2 at 101", "L3 ask 101: 0 of 0");
    }

    /** The taker is on the side that the order is not on. */
    @Test
    void shouldReportATradeWithAnOrderOutsideOfTheBook()
    {
        gtc(Side.ASK, 1, 101, 5);
        gtc(Side.BID, 2, 99, 4);
        heard.clear();
        assertEquals(CommandResult.SUCCESS, book.executeMaker(1, 7, 50, 60, 2));
        assertHeard("O3 = ask 1: 3 at 101", "L3 ask 101: 3 of 1");
        assertEquals(CommandResult.SUCCESS, book.executeMaker(2, 7, 51, 60, 4));
        assertHeard("O4 - bid 2 at 99", "L4 bid 99: 0 of 0");
        assertEquals(List.of("T1 bid takes 2 at 101 from 1", "T2 ask takes 4 at 99 from 2"), trades);
    }
}
