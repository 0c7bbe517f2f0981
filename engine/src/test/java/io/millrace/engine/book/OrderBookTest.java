package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rules of the order types: orders in, executions out. See {@link BookPage} for the notation. */
class OrderBookTest
{
    private final BookPage page = new BookPage(SymbolSpec.spot(1));
    private final Tape tape = new Tape();

    @Test
    void shouldBeEmptyAtFirst()
    {
        page.says().bids().asks().levels(BID, -1).levels(ASK, -1);
        assertEquals(-1, page.book().bestPrice(BID));
        assertEquals(-1, page.book().bestPrice(ASK));
        assertEquals(0, page.book().orderCount());
        assertEquals(0, page.book().levelCount(BID));
        assertEquals(0, page.book().volumeAt(BID, 100));
        assertFalse(page.book().withOrder(1, tape));
    }

    @Test
    void shouldRestALimitOrderWithoutACounterparty()
    {
        page.bid(1, 100, 5).ask(2, 101, 6).says().bids("1 5@100").asks("2 6@101");
        assertEquals(100, page.book().bestPrice(BID));
        assertEquals(101, page.book().bestPrice(ASK));
        assertEquals(2, page.book().orderCount());
    }

    @Test
    void shouldTradeAtTheMakersPrice()
    {
        page.ask(1, 100, 5).bid(2, 107, 5).says("2* takes 5@100 from 1*").bids().asks();
        page.bid(3, 100, 5).ask(4, 93, 5).says("4* takes 5@100 from 3*").bids().asks();
    }

    @Test
    void shouldTradeAtTheLimitButNotBeyond()
    {
        page.ask(1, 100, 5).ask(2, 101, 5).bid(3, 100, 9).says("3 takes 5@100 from 1*").bids("3 4@100").asks("2 5@101");
        page.ask(4, 100, 3).says("4* takes 3@100 from 3").ask(5, 101, 1).says().asks("2 5@101", "5 1@101");
    }

    @Test
    void shouldTradeAtTheBestPriceFirst()
    {
        page.ask(1, 102, 1).ask(2, 100, 1).ask(3, 101, 1).bid(4, 102, 3);
        page.says("4 takes 1@100 from 2*", "4 takes 1@101 from 3*", "4* takes 1@102 from 1*");
        page.bid(5, 98, 1).bid(6, 100, 1).bid(7, 99, 1).ask(8, 98, 3);
        page.says("8 takes 1@100 from 6*", "8 takes 1@99 from 7*", "8* takes 1@98 from 5*");
    }

    @Test
    void shouldTradeTheOldestFirstAtOnePrice()
    {
        page.bid(3, 100, 2).bid(1, 100, 2).bid(2, 100, 2).ask(4, 100, 5);
        page.says("4 takes 2@100 from 3*", "4 takes 2@100 from 1*", "4* takes 1@100 from 2").bids("2 1@100");
    }

    @Test
    void shouldKeepThePriorityOfAPartlyFilledMaker()
    {
        page.bid(1, 100, 5).bid(2, 100, 5).ask(3, 100, 2).says("3* takes 2@100 from 1");
        page.bids("1 3@100", "2 5@100").ask(4, 100, 4).says("4 takes 3@100 from 1*", "4* takes 1@100 from 2");
    }

    @Test
    void shouldRestALimitOrderWithItsFilledSize()
    {
        page.ask(1, 100, 3).bid(2, 101, 10).says("2 takes 3@100 from 1*").bids("2 7@101");
        page.book().withOrder(2, tape);
        final Tape expected = new Tape();
        expected.onOrder(2, BookPage.USER, BID, 101, 10, 3, SymbolSpec.MAX_PRICE);
        assertTrue(expected.isEqualTo(tape), tape::toString);
    }

    @Test
    void shouldTradeAUsersOrdersWithEachOther()
    {
        page.bid(1, 100, 1).ask(2, 100, 1).says("2* takes 1@100 from 1*");
    }

    @Test
    void shouldRejectTheRestOfAnIocBeforeItsTrades()
    {
        page.ask(1, 100, 3).ask(2, 101, 3).ask(3, 102, 3).ioc(BID, 4, 101, 10);
        page.says("4 rejected 4@101", "4 takes 3@100 from 1*", "4 takes 3@101 from 2*").bids().asks("3 3@102");
        page.bid(5, 90, 3).ioc(ASK, 6, 90, 4).says("6 rejected 1@90", "6 takes 3@90 from 5*").bids().asks("3 3@102");
    }

    @Test
    void shouldFillAnIocCompletelyWithoutAReject()
    {
        page.ask(1, 100, 3).ask(2, 101, 3).ioc(BID, 3, 101, 4);
        page.says("3 takes 3@100 from 1*", "3* takes 1@101 from 2").asks("2 2@101");
    }

    @Test
    void shouldRejectAnIocWithoutACounterparty()
    {
        page.ioc(BID, 1, 100, 5).says("1 rejected 5@100");
        page.ask(2, 101, 5).ioc(BID, 3, 100, 5).says("3 rejected 5@100").bids().asks("2 5@101");
    }

    @Test
    void shouldTradeAMarketOrderAtAnyPrice()
    {
        page.ask(1, 0, 1).ask(2, SymbolSpec.MAX_PRICE, 1).market(BID, 3, 2);
        page.says("3 takes 1@0 from 1*", "3* takes 1@" + SymbolSpec.MAX_PRICE + " from 2*");
        page.bid(4, 0, 1).bid(5, SymbolSpec.MAX_PRICE, 1).market(ASK, 6, 2);
        page.says("6 takes 1@" + SymbolSpec.MAX_PRICE + " from 5*", "6* takes 1@0 from 4*");
    }

    @Test
    void shouldRejectTheRestOfAMarketOrderWithoutAPrice()
    {
        page.market(BID, 1, 5).says("1 rejected 5@0");
        page.ask(2, 100, 3).market(BID, 3, 5).says("3 rejected 2@0", "3 takes 3@100 from 2*").bids().asks();
    }

    @Test
    void shouldFillABidForExactlyItsBudget()
    {
        page.ask(1, 100, 3).ask(2, 110, 3).budget(BID, 3, 3 * 100 + 2 * 110, 5);
        page.says("3 takes 3@100 from 1*", "3* takes 2@110 from 2").asks("2 1@110");
    }

    @Test
    void shouldRejectABidThatCostsMoreThanItsBudget()
    {
        page.ask(1, 100, 3).ask(2, 110, 3).budget(BID, 3, 3 * 100 + 2 * 110 - 1, 5);
        page.says("3 rejected 5@519").asks("1 3@100", "2 3@110");
    }

    @Test
    void shouldFillAnAskForExactlyItsBudget()
    {
        page.bid(1, 110, 3).bid(2, 100, 3).budget(ASK, 3, 3 * 110 + 2 * 100, 5);
        page.says("3 takes 3@110 from 1*", "3* takes 2@100 from 2").bids("2 1@100");
    }

    @Test
    void shouldRejectAnAskThatYieldsLessThanItsBudget()
    {
        page.bid(1, 110, 3).bid(2, 100, 3).budget(ASK, 3, 3 * 110 + 2 * 100 + 1, 5);
        page.says("3 rejected 5@531").bids("1 3@110", "2 3@100");
    }

    @Test
    void shouldRejectABudgetOrderThatCannotBeFilledCompletely()
    {
        page.ask(1, 100, 3).budget(BID, 2, 1_000_000, 4).says("2 rejected 4@1000000").asks("1 3@100");
        page.bid(3, 90, 3).budget(ASK, 4, 0, 4).says("4 rejected 4@0").bids("3 3@90");
    }

    @Test
    void shouldApplyNoLimitToSingleLevelsOfABudgetOrder()
    {
        page.ask(1, 1, 1).ask(2, 1_000, 1).budget(BID, 3, 1_001, 2);
        page.says("3 takes 1@1 from 1*", "3* takes 1@1000 from 2*");
    }

    @Test
    void shouldCompareCostsBeyondALongWithBudgetsExactly()
    {
        final long half = 1L << 62;
        page.ask(1, half, 1).ask(2, half, 1).budget(BID, 3, Long.MAX_VALUE, 2).says("3 rejected 2@" + Long.MAX_VALUE);
        page.cancel(2).ask(4, half - 1, 1).says("2* reduced by 1@" + half).budget(BID, 5, Long.MAX_VALUE, 2);
        page.says("5 takes 1@" + (half - 1) + " from 4*", "5* takes 1@" + half + " from 1*");
        page.ask(6, half, 4).budget(BID, 7, Long.MAX_VALUE, 4).says("7 rejected 4@" + Long.MAX_VALUE);
        page.cancel(6).says("6* reduced by 4@" + half).ask(8, half, 1).ask(9, half + 1, 1);
        page.budget(BID, 10, Long.MAX_VALUE, 2).says("10 rejected 2@" + Long.MAX_VALUE);
    }

    @Test
    void shouldCompareProceedsBeyondALongWithBudgetsExactly()
    {
        final long half = 1L << 62;
        page.bid(1, half, 1).bid(2, half, 1).budget(ASK, 3, Long.MAX_VALUE, 2);
        page.says("3 takes 1@" + half + " from 1*", "3* takes 1@" + half + " from 2*");
        page.bid(4, half, 4).budget(ASK, 5, Long.MAX_VALUE, 4).says("5* takes 4@" + half + " from 4*");
        page.bid(6, half, 4).bid(7, 0, 1).budget(ASK, 8, Long.MAX_VALUE, 6).says("8 rejected 6@" + Long.MAX_VALUE);
        page.budget(ASK, 9, Long.MAX_VALUE, 5).says("9 takes 4@" + half + " from 6*", "9* takes 1@0 from 7*");
        page.bid(10, half, 1).bid(11, half - 1, 1).budget(ASK, 12, Long.MAX_VALUE, 2);
        page.says("12 takes 1@" + half + " from 10*", "12* takes 1@" + (half - 1) + " from 11*");
        page.bid(13, half + 1, 1).bid(14, half, 1).budget(ASK, 15, Long.MAX_VALUE, 3);
        page.says("15 rejected 3@" + Long.MAX_VALUE).budget(ASK, 16, Long.MAX_VALUE, 2);
        page.says("16 takes 1@" + (half + 1) + " from 13*", "16* takes 1@" + half + " from 14*");
    }

    @Test
    void shouldAcceptZeroAsAPriceAndAsABudget()
    {
        page.ask(1, 0, 2).bid(2, 0, 1).says("2* takes 1@0 from 1").budget(BID, 3, 0, 1).says("3* takes 1@0 from 1*");
        page.bid(4, 0, 1).budget(ASK, 5, 0, 1).says("5* takes 1@0 from 4*");
    }

    @Test
    void shouldAcceptOrdersOfTheMaximumSize()
    {
        final long most = page.book().spec().maxSize();
        page.ask(1, 100, most).ask(2, 100, most).ask(3, 101, most).market(BID, 4, most);
        page.says("4* takes " + most + "@100 from 1*").levels(ASK, -1, most + "@100/1", most + "@101/1");
    }

    @Test
    void shouldAllowAnIdAgainAfterItsOrderIsRemoved()
    {
        page.bid(1, 100, 5).ask(2, 100, 5).says("2* takes 5@100 from 1*").bid(1, 99, 1).ask(2, 101, 1);
        page.cancel(1).says("1* reduced by 1@99").bid(1, 98, 1).reduce(1, 1).says("1* reduced by 1@98").bid(1, 97, 1);
        page.ioc(ASK, 5, 97, 1).says("5* takes 1@97 from 1*").ask(5, 99, 1).bids().asks("5 1@99", "2 1@101");
    }

    @Test
    void shouldAcceptAnyNumberAsAnId()
    {
        page.bid(0, 100, 1).bid(-1, 100, 2).bid(Long.MIN_VALUE, 100, 3).bid(Long.MAX_VALUE, 100, 4);
        page.bids("0 1@100", "-1 2@100", Long.MIN_VALUE + " 3@100", Long.MAX_VALUE + " 4@100");
        page.cancel(-1).cancel(Long.MIN_VALUE).cancel(0).cancel(Long.MAX_VALUE).bids();
    }

    @Test
    void shouldReportTheUsersOfATradeAndTheReserveOfTheBid()
    {
        final OrderBook book = new OrderBook(SymbolSpec.spot(1), tape);
        final Tape expected = new Tape();
        book.execute(new BookCommand().place(OrderType.GTC, BID).orderId(1).uid(11).price(100).size(5)
            .reservePrice(105));
        book.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(2).uid(12).price(99).size(3).reservePrice(77));
        expected.onTrade(1, 1, 11, false, 2, 12, ASK, true, 100, 3, 105);
        book.execute(new BookCommand().place(OrderType.IOC, ASK).orderId(3).uid(13).price(98).size(3).reservePrice(66));
        expected.onReject(ExecutionReason.NONE, 1, 3, 13, ASK, 98, 1, 66);
        expected.onTrade(1, 1, 11, true, 3, 13, ASK, false, 100, 2, 105);
        book.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(4).uid(14).price(97).size(3).reservePrice(55));
        book.execute(new BookCommand().place(OrderType.MARKET, BID).orderId(5).uid(15).price(12).size(1)
            .reservePrice(444));
        expected.onTrade(1, 4, 14, false, 5, 15, BID, true, 97, 1, 444);
        book.reduce(4, 14, 1);
        expected.onReduce(ExecutionReason.NONE, 1, 4, 14, ASK, 97, 1, false, 55);
        book.execute(new BookCommand().place(OrderType.MARKET, ASK).orderId(6).uid(16).price(12).size(9)
            .reservePrice(33));
        expected.onReject(ExecutionReason.NONE, 1, 6, 16, ASK, 0, 9, 33);
        assertTrue(expected.isEqualTo(tape), () -> "expected" + expected + "\nwas" + tape);
    }

    @Test
    void shouldReportLevelsBestFirstUpToTheLimit()
    {
        page.bid(1, 100, 1).bid(2, 90, 2).bid(3, 100, 3).bid(4, 20_000, 4).bid(5, 95, 5);
        page.levels(BID, -1, "4@20000/1", "4@100/2", "5@95/1", "2@90/1").levels(BID, 4, "4@20000/1", "4@100/2",
            "5@95/1", "2@90/1").levels(BID, 2, "4@20000/1", "4@100/2").levels(BID, 0).levels(ASK, 3);
        page.ask(6, 30_000, 6).ask(7, 20_001, 7).levels(ASK, Integer.MAX_VALUE, "7@20001/1", "6@30000/1");
        assertEquals(4, page.book().volumeAt(BID, 100));
        assertEquals(0, page.book().volumeAt(ASK, 100));
        assertEquals(0, page.book().volumeAt(BID, 101));
        assertEquals(0, page.book().volumeAt(BID, -1));
        assertEquals(0, page.book().volumeAt(ASK, Long.MAX_VALUE));
        assertEquals(4, page.book().levelCount(BID));
    }
}
