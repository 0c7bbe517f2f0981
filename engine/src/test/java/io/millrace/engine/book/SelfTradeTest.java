package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.SelfTradePolicy.ALLOW;
import static io.millrace.engine.book.SelfTradePolicy.CANCEL_BOTH;
import static io.millrace.engine.book.SelfTradePolicy.CANCEL_NEWEST;
import static io.millrace.engine.book.SelfTradePolicy.CANCEL_OLDEST;
import static io.millrace.engine.book.SelfTradePolicy.DECREMENT;
import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Edge cases of self-trade prevention, for every type that can meet an order. See {@link BookPage}. */
class SelfTradeTest
{
    private static final long US = BookPage.USER;
    private static final long OTHER = 8;

    private final BookPage page = new BookPage(SymbolSpec.future(1));

    /** 2 of another user at 100, then 3 of ours, then 4 of another user at 101. */
    private BookPage asks()
    {
        page.by(OTHER, ALLOW).ask(1, 100, 2).by(US, ALLOW).ask(2, 100, 3).by(OTHER, ALLOW).ask(3, 101, 4);
        return page;
    }

    @Test
    void shouldPreventAtOnceWhenItsOwnOrderIsFirst()
    {
        page.ask(1, 100, 5).by(US, CANCEL_NEWEST).bid(2, 100, 3).says("2* reduced by 3@100").asks("1 5@100").bids();
        page.by(US, CANCEL_BOTH).bid(3, 100, 3).says("1* reduced by 5@100", "3* reduced by 3@100").asks().bids();
        page.ask(4, 100, 5).by(US, CANCEL_OLDEST).bid(5, 100, 3).says("4* reduced by 5@100").bids("5 3@100");
        page.by(US, DECREMENT).ask(6, 100, 2).says("5 reduced by 2@100", "6* reduced by 2@100").bids("5 1@100");
        page.ask(7, 100, 1).says("5* reduced by 1@100", "7* reduced by 1@100").bids().asks();
    }

    @Test
    void shouldRestTheOpenSizeOfALimitOrder()
    {
        asks().by(US, CANCEL_OLDEST).bid(4, 101, 9);
        page.says("4 takes 2@100 from 1*", "2* reduced by 3@100", "4 takes 4@101 from 3*").bids("4 3@101");
    }

    @Test
    void shouldRestTheSizeAfterADecrement()
    {
        asks().by(US, DECREMENT).bid(4, 101, 12);
        page.says("4 takes 2@100 from 1*", "2* reduced by 3@100", "4 reduced by 3@101", "4 takes 4@101 from 3*");
        page.bids("4 3@101").cancel(4).says("4* reduced by 3@101");
    }

    @Test
    void shouldNotReportAPartlyRejectedTakerAsCompleted()
    {
        page.ask(1, 100, 3).by(US, DECREMENT).ioc(BID, 2, 100, 5);
        page.says("2 rejected 2@100", "1* reduced by 3@100", "2 reduced by 3@100").asks();
        page.ask(3, 100, 3).ioc(BID, 4, 100, 3).says("3* reduced by 3@100", "4* reduced by 3@100");
    }

    @Test
    void shouldReportAMarketOrderWithoutAPrice()
    {
        asks().by(US, CANCEL_NEWEST).market(BID, 4, 9).says("4 takes 2@100 from 1*", "4* reduced by 7@0");
        page.by(US, DECREMENT).market(BID, 5, 2).says("2 reduced by 2@100", "5* reduced by 2@0");
        page.by(US, CANCEL_OLDEST).market(BID, 6, 9);
        page.says("6 rejected 5@0", "2* reduced by 1@100", "6 takes 4@101 from 3*").asks();
    }

    @Test
    void shouldCancelOwnOrdersEvenWithoutATrade()
    {
        page.ask(1, 100, 3).ask(2, 101, 3).ask(3, 103, 3).by(US, CANCEL_OLDEST).ioc(BID, 4, 102, 5);
        page.says("4 rejected 5@102", "1* reduced by 3@100", "2* reduced by 3@101").asks("3 3@103");
    }

    @Test
    void shouldKeepOwnOrdersWhenAllOrNothingTradesNothing()
    {
        asks();
        for (final byte policy : new byte[]{CANCEL_NEWEST, CANCEL_OLDEST, CANCEL_BOTH, DECREMENT})
        {
            page.by(US, policy).order(OrderType.FOK, BID, 4, 101, 7).says("4 rejected 7@101");
            page.budget(BID, 4, 10_000, 7).says("4 rejected 7@10000");
        }
        page.asks("1 2@100", "2 3@100", "3 4@101").by(US, ALLOW).order(OrderType.FOK, BID, 4, 101, 9);
        page.says("4 takes 2@100 from 1*", "4 takes 3@100 from 2*", "4* takes 4@101 from 3*");
    }

    @Test
    void shouldCountOnlyTradesAgainstABudget()
    {
        asks().by(US, CANCEL_OLDEST).order(OrderType.IOC_BUDGET, BID, 4, 200 + 404, 9);
        page.says("4 rejected 3@604", "4 takes 2@100 from 1*", "2* reduced by 3@100", "4 takes 4@101 from 3*");
        asks().by(US, DECREMENT).order(OrderType.IOC_BUDGET, BID, 5, 200 + 404, 9);
        page.says("5 takes 2@100 from 1*", "2* reduced by 3@100", "5 reduced by 3@604", "5* takes 4@101 from 3*");
        asks().by(US, DECREMENT).order(OrderType.IOC_BUDGET, BID, 6, 200 + 403, 9);
        page.says("6 rejected 4@603", "6 takes 2@100 from 1*", "2* reduced by 3@100", "6 reduced by 3@603");
        page.asks("3 4@101").by(OTHER, ALLOW).cancel(3).says("3* reduced by 4@101");
        asks().by(US, CANCEL_NEWEST).order(OrderType.IOC_BUDGET, BID, 7, 199, 9).says("7 rejected 9@199");
    }

    @Test
    void shouldTradeWithOrdersOfOthersAsBefore()
    {
        for (final byte policy : new byte[]{CANCEL_NEWEST, CANCEL_OLDEST, CANCEL_BOTH, DECREMENT})
        {
            page.by(OTHER, policy).ask(1, 100, 5).by(US, policy).bid(2, 100, 5).says("2* takes 5@100 from 1*");
            page.by(OTHER, policy).ask(1, 100, 5).by(US, policy).ioc(BID, 2, 100, 7);
            page.says("2 rejected 2@100", "2 takes 5@100 from 1*");
        }
    }

    @Test
    void shouldPreventByAMoveAndAReplacement()
    {
        asks().by(US, CANCEL_NEWEST).bid(4, 90, 9).move(4, 100);
        page.says("4 takes 2@100 from 1*", "4* reduced by 7@100").asks("2 3@100", "3 4@101").bids();
        page.by(US, DECREMENT).bid(5, 90, 2).replace(5, 101, 8);
        page.says("2* reduced by 3@100", "5 reduced by 3@101", "5 takes 4@101 from 3*").bids("5 1@101");
        assertEquals(CommandResult.UNKNOWN_ORDER, page.book().cancel(4, US));
        page.by(US, CANCEL_BOTH).ask(6, 110, 2).move(6, 101).says("5* reduced by 1@101", "6* reduced by 2@101");
        assertEquals(0, page.book().orderCount());
    }

    @Test
    void shouldPreventForOrdersThatRestAfterwards()
    {
        page.ask(1, 100, 1).by(US, CANCEL_OLDEST).iceberg(BID, 2, 100, 9, 2).says("1* reduced by 1@100");
        page.levels(BID, -1, "2@100/1").by(US, DECREMENT).order(OrderType.GTD, ASK, 3, 100, 3, 50);
        page.says("2 reduced by 2@100", "3 reduced by 2@100", "2 reduced by 1@100", "3* reduced by 1@100");
        page.bids("2 6@100").levels(BID, -1, "1@100/1").expire(50).says();
    }

    @Test
    void shouldCancelAllOfAnOwnIceberg()
    {
        page.iceberg(ASK, 1, 100, 9, 2).by(US, CANCEL_BOTH).bid(2, 100, 1);
        page.says("1* reduced by 9@100", "2* reduced by 1@100").asks();
        page.iceberg(ASK, 3, 100, 9, 2).by(OTHER, ALLOW).bid(4, 100, 2).says("4* takes 2@100 from 3");
        page.by(US, CANCEL_OLDEST).ioc(BID, 5, 100, 1).says("5 rejected 1@100", "3* reduced by 7@100").asks();
    }
}
