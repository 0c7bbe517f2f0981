package io.millrace.engine.book;

import io.millrace.engine.Listeners;

import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** M4: The rules of CANCEL, REDUCE and MOVE, and the hash of the state. See {@link BookPage} for the notation. */
class OrderBookCommandTest
{
    private static final long STRANGER = BookPage.USER + 1;

    private final BookPage page = new BookPage(SymbolSpec.spot(1));
    private final OrderBook book = page.book();

    @Test
    void shouldAnswerACancelWithOneReductionOfTheOpenSize()
    {
        page.bid(1, 100, 5).bid(2, 100, 6).ask(3, 100, 2).says("3* takes 2@100 from 1");
        page.cancel(1).says("1* reduced by 3@100").bids("2 6@100").cancel(2).says("2* reduced by 6@100").bids();
    }

    @Test
    void shouldFindNoOrderOfAnotherUser()
    {
        page.bid(1, 100, 5);
        assertEquals(CommandResult.UNKNOWN_ORDER, book.cancel(1, STRANGER));
        assertEquals(CommandResult.UNKNOWN_ORDER, book.reduce(1, STRANGER, 1));
        assertEquals(CommandResult.UNKNOWN_ORDER, book.move(1, STRANGER, 101));
        page.says().bids("1 5@100");
    }

    @Test
    void shouldFindNoRemovedOrder()
    {
        page.bid(1, 100, 5).bid(2, 100, 5).ask(3, 100, 5).ioc(ASK, 4, 100, 9).ask(5, 100, 1).cancel(5);
        for (long id = 1; id <= 6; id++)
        {
            assertEquals(CommandResult.UNKNOWN_ORDER, book.cancel(id, BookPage.USER));
            assertEquals(CommandResult.UNKNOWN_ORDER, book.reduce(id, BookPage.USER, 1));
            assertEquals(CommandResult.UNKNOWN_ORDER, book.move(id, BookPage.USER, 100));
        }
    }

    @Test
    void shouldKeepThePlaceOfAnOrderThatIsReduced()
    {
        page.bid(1, 100, 5).bid(2, 100, 5).reduce(1, 2).says("1 reduced by 2@100").bids("1 3@100", "2 5@100");
        page.ask(3, 100, 4).says("3 takes 3@100 from 1*", "3* takes 1@100 from 2");
    }

    @Test
    void shouldReduceByAtMostTheOpenSize()
    {
        page.bid(1, 100, 5).ask(2, 100, 2).says("2* takes 2@100 from 1").reduce(1, Long.MAX_VALUE);
        page.says("1* reduced by 3@100").bids();
        page.bid(3, 100, 5).reduce(3, 5).says("3* reduced by 5@100").bids().bid(4, 100, 5).reduce(4, 4);
        page.says("4 reduced by 4@100").bids("4 1@100");
    }

    @Test
    void shouldLowerTheSizeButNotTheFilledPartOfAnOrderThatIsReduced()
    {
        page.bid(1, 100, 10).ask(2, 100, 3).reduce(1, 2);
        final Tape tape = new Tape();
        book.withOrder(1, tape);
        assertEquals(1, tape.orders());
        assertEquals(8, tape.ofOrder(0, 4), "size");
        assertEquals(3, tape.ofOrder(0, 5), "filled");
        page.levels(BID, -1, "5@100/1");
    }

    @Test
    void shouldRefuseAWrongReductionBeforeItSearchesTheOrder()
    {
        page.bid(1, 100, 5);
        for (final long by : new long[]{0, -1, Long.MIN_VALUE})
        {
            assertEquals(CommandResult.WRONG_SIZE, book.reduce(1, BookPage.USER, by));
            assertEquals(CommandResult.WRONG_SIZE, book.reduce(2, BookPage.USER, by));
            assertEquals(CommandResult.WRONG_SIZE, book.reduce(1, STRANGER, by));
        }
        page.says().bids("1 5@100");
    }

    @Test
    void shouldReportNoExecutionForAMoveWithoutACounterparty()
    {
        page.bid(1, 100, 5).bid(2, 101, 5).move(1, 102).says().bids("1 5@102", "2 5@101").move(1, 1);
        page.says().bids("2 5@101", "1 5@1").levels(BID, -1, "5@101/1", "5@1/1");
    }

    @Test
    void shouldMoveAnOrderToTheEndOfItsNewLevel()
    {
        page.ask(1, 100, 1).ask(2, 101, 2).ask(3, 101, 3).move(1, 101).asks("2 2@101", "3 3@101", "1 1@101");
    }

    @Test
    void shouldLoseThePriorityByAMoveToTheSamePrice()
    {
        page.bid(1, 100, 1).bid(2, 100, 2).move(1, 100).says().bids("2 2@100", "1 1@100");
        page.levels(BID, -1, "3@100/2").move(1, 100).move(2, 100).bids("1 1@100", "2 2@100");
        page.bid(3, 101, 3).move(1, 100).bids("3 3@101", "2 2@100", "1 1@100");
    }

    @Test
    void shouldTradeAMovedOrderAsATaker()
    {
        page.bid(1, 100, 5).ask(2, 102, 2).ask(3, 103, 1).bid(4, 101, 1).move(1, 103);
        page.says("1 takes 2@102 from 2*", "1 takes 1@103 from 3*").bids("1 2@103", "4 1@101").asks();
        page.ask(5, 104, 9).move(1, 104).says("1* takes 2@104 from 5").bids("4 1@101").asks("5 7@104");
        assertEquals(CommandResult.UNKNOWN_ORDER, book.cancel(1, BookPage.USER));
    }

    @Test
    void shouldKeepTheFilledSizeOfAMovedOrder()
    {
        page.bid(1, 100, 9).ask(2, 100, 2).ask(3, 101, 3).move(1, 101);
        page.says("2* takes 2@100 from 1", "1 takes 3@101 from 3*");
        final Tape tape = new Tape();
        book.withOrder(1, tape);
        assertEquals(9, tape.ofOrder(0, 4), "size");
        assertEquals(5, tape.ofOrder(0, 5), "filled");
        page.cancel(1).says("1* reduced by 4@101");
    }

    /** What {@link ExecutionListener} promises about the incoming order. */
    @Test
    void shouldReportAMovingOrderOnlyByItsIdWhileItTrades()
    {
        final OrderBook[] asked = new OrderBook[1];
        final Tape reported = new Tape();
        final OrderBook trading = new OrderBook(SymbolSpec.spot(1), new Listeners(new Tape(), new Tape(), () ->
        {
            assertTrue(asked[0].withOrder(1, reported));
            assertEquals(1, asked[0].orderCount());
            assertEquals(0, asked[0].levelCount(BID));
            assertThrows(IllegalStateException.class, asked[0]::verify);
        }));
        asked[0] = trading;
        trading.execute(new BookCommand().place(OrderType.GTC, BID).orderId(1).uid(BookPage.USER).price(100).size(5)
            .reservePrice(101));
        trading.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(2).uid(BookPage.USER).price(101).size(2));
        assertEquals(CommandResult.SUCCESS, trading.move(1, BookPage.USER, 101));
        trading.withOrder(1, reported);
        final Tape expected = new Tape();
        expected.onOrder(1, BookPage.USER, BID, 101, 5, 0, 101);
        expected.onOrder(1, BookPage.USER, BID, 101, 5, 2, 101);
        assertTrue(expected.isEqualTo(reported), reported::toString);
    }

    @Test
    void shouldNotFindAnIncomingOrderWhileItTrades()
    {
        final OrderBook[] asked = new OrderBook[1];
        final Tape reported = new Tape();
        final OrderBook trading = new OrderBook(SymbolSpec.spot(1), new Listeners(reported, new Tape(), () ->
        {
            assertFalse(asked[0].withOrder(2, reported));
            assertEquals(0, asked[0].orderCount());
            asked[0].verify();
        }));
        asked[0] = trading;
        trading.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(1).uid(BookPage.USER).price(100).size(2));
        trading.execute(new BookCommand().place(OrderType.GTC, BID).orderId(2).uid(BookPage.USER).price(100).size(5)
            .reservePrice(100));
        assertFalse(reported.isEmpty());
        assertEquals(1, trading.orderCount());
    }

    @Test
    void shouldMoveASpotBidUpToItsReservePriceOnly()
    {
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.GTC, BID).orderId(1)
            .uid(BookPage.USER).price(100).size(5).reservePrice(105)));
        assertEquals(CommandResult.PRICE_OVER_RISK_LIMIT, book.move(1, BookPage.USER, 106));
        page.says().bids("1 5@100").move(1, 105).bids("1 5@105");
        assertEquals(CommandResult.PRICE_OVER_RISK_LIMIT, book.move(1, BookPage.USER, SymbolSpec.MAX_PRICE));
    }

    @Test
    void shouldMoveASpotAskAnywhere()
    {
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(1)
            .uid(BookPage.USER).price(100).size(5).reservePrice(50)));
        page.move(1, 106).move(1, 40).move(1, SymbolSpec.MAX_PRICE).move(1, 0).says().asks("1 5@0");
    }

    @Test
    void shouldMoveABidOfAFutureAnywhere()
    {
        final BookPage future = new BookPage(SymbolSpec.future(1));
        assertEquals(CommandResult.SUCCESS, future.book().execute(new BookCommand().place(OrderType.GTC, BID).orderId(1)
            .uid(BookPage.USER).price(100).size(5)));
        future.move(1, 106).move(1, SymbolSpec.MAX_PRICE).move(1, 0).says().bids("1 5@0");
    }

    @Test
    void shouldRefuseAWrongPriceBeforeItSearchesTheOrder()
    {
        page.bid(1, 100, 5);
        for (final long price : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertEquals(CommandResult.WRONG_PRICE, book.move(1, BookPage.USER, price));
            assertEquals(CommandResult.WRONG_PRICE, book.move(2, BookPage.USER, price));
        }
        page.says().bids("1 5@100");
    }

    @Test
    void shouldReplaceByACommandTheSizeOrTheOpenSize()
    {
        page.bid(1, 100, 9).ask(2, 100, 2).says("2* takes 2@100 from 1");
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().replaceOpen(1, BookPage.USER, 99, 4)));
        page.bids("1 4@99");
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().replace(1, BookPage.USER, 98, 4)));
        page.bids("1 2@98");
    }

    @Test
    void shouldMoveInAFullBook()
    {
        final BookPage full = new BookPage(SymbolSpec.spot(1).withOrderCapacity(2)).bid(1, 100, 5).ask(2, 101, 6);
        full.move(1, 99).bids("1 5@99").move(1, 101).says("1* takes 5@101 from 2").asks("2 1@101").bids();
    }

    @Test
    void shouldRestAnOrderThatFreedItsOwnCapacityInAFullBook()
    {
        final BookPage full = new BookPage(SymbolSpec.spot(1).withOrderCapacity(2)).bid(1, 99, 5).ask(2, 101, 6);
        assertEquals(CommandResult.BOOK_FULL, full.place(OrderType.GTC, BID, 3, 100, 1));
        full.bid(3, 101, 2).says("3* takes 2@101 from 2").bid(4, 101, 9).says("4 takes 4@101 from 2*");
        full.bids("4 5@101", "1 5@99");
        assertEquals(CommandResult.BOOK_FULL, full.place(OrderType.GTC, ASK, 5, 102, 1));
        full.ioc(ASK, 5, 102, 1).says("5 rejected 1@102").market(ASK, 6, 1).says("6* takes 1@101 from 4");
        full.cancel(1).ask(5, 102, 1).says("1* reduced by 5@99").asks("5 1@102");
    }

    @Test
    void shouldHaveTheSameHashForTheSameOrdersAfterAnyHistory()
    {
        final long empty = book.stateHash();
        final BookPage other = new BookPage(SymbolSpec.future(2).withWindowTicks(64).withOrderCapacity(8));
        assertEquals(empty, other.book().stateHash());
        page.bid(1, 100, 5).bid(2, 99, 4).ask(3, 9_000, 3).ask(4, 9_000, 2);
        other.ask(9, 50, 1).cancel(9).bid(2, 5_000, 4).move(2, 99).ask(4, 9_001, 2).ask(3, 9_000, 4).reduce(3, 1);
        other.bid(1, 100, 5).move(4, 9_000);
        assertEquals(book.stateHash(), other.book().stateHash());
        page.cancel(1).cancel(2).cancel(3).cancel(4);
        assertEquals(empty, book.stateHash());
    }

    @Test
    void shouldHaveAnotherHashForAnotherOrderOfTheQueue()
    {
        page.bid(1, 100, 5).bid(2, 100, 5);
        final long before = book.stateHash();
        page.move(1, 100);
        assertNotEquals(before, book.stateHash());
        page.move(2, 100);
        assertEquals(before, book.stateHash());
    }

    @Test
    void shouldHashTheOrdersAsDocumented()
    {
        page.ask(3, 101, 3).ask(2, 101, 4).bid(4, 99, 5).bid(5, 100, 6).bid(6, 101, 1);
        final Tape orders = new Tape();
        book.forEachOrder(BID, orders);
        book.forEachOrder(ASK, orders);
        assertEquals(4, orders.orders());
        // The last trade, before any order has an acceptance number.
        long hash = add(add(0xcbf29ce484222325L, 101), 0);
        for (int i = 0; i < orders.orders(); i++)
        {
            for (final int field : new int[]{0, 1, 3, 4, 5, 2, 6})
            {
                hash = add(hash, orders.ofOrder(i, field));
            }
            hash = add(hash, 0);
        }
        hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        assertEquals(hash ^ hash >>> 31, book.stateHash());
    }

    private static long add(final long before, final long value)
    {
        long hash = before;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            hash = (hash ^ (value >>> shift & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }
}
