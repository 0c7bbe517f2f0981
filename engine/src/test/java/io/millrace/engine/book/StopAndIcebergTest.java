package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Edge cases of stops, icebergs, expiry and budgets. See {@link BookPage} for the notation. */
class StopAndIcebergTest
{
    private static final long OTHER = 8;

    private final BookPage page = new BookPage(SymbolSpec.future(1));

    @Test
    void shouldTriggerByAMoveAndByAReplacement()
    {
        page.stop(BID, 1, 105, 1).ask(2, 105, 3).bid(3, 100, 1).says().move(3, 105);
        page.says("3* takes 1@105 from 2", "1 triggers@105", "1* takes 1@105 from 2").asks("2 1@105");
        page.stop(ASK, 4, 99, 1).bid(5, 99, 1).bid(6, 98, 1).says().replace(2, 99, 3);
        page.says("2* takes 1@99 from 5*", "4 triggers@99", "4* takes 1@98 from 6*").bids().asks().stops();
    }

    @Test
    void shouldTriggerAfterTheCommandThatTradedNotWithinIt()
    {
        page.stop(BID, 1, 101, 1).ask(2, 101, 1).ask(3, 102, 1).ask(4, 103, 1).bid(5, 102, 2);
        page.says("5 takes 1@101 from 2*", "5* takes 1@102 from 3*", "1 triggers@101", "1* takes 1@103 from 4*");
    }

    @Test
    void shouldEnterBehindTheRestOfTheOrderThatTriggeredIt()
    {
        page.stopLimit(BID, 1, 101, 101, 4).ask(2, 101, 1).bid(3, 101, 3);
        page.says("3 takes 1@101 from 2*", "1 triggers@101").bids("3 2@101", "1 4@101").stops();
        page.cancel(1).says("1* reduced by 4@101").bids("3 2@101");
    }

    @Test
    void shouldTradeTriggeredStopsWithEachOther()
    {
        page.ask(1, 100, 1).stopLimit(ASK, 2, 100, 100, 5).stopLimit(BID, 3, 100, 100, 3).bid(4, 100, 1);
        page.says("4* takes 1@100 from 1*", "2 triggers@100", "3 triggers@100", "3* takes 3@100 from 2");
        page.asks("2 2@100").bids().stops();
    }

    @Test
    void shouldNotTriggerByAPreventedSelfTrade()
    {
        page.stop(BID, 1, 100, 1).ask(2, 100, 1).by(BookPage.USER, SelfTradePolicy.CANCEL_OLDEST).bid(3, 100, 1);
        page.says("2* reduced by 1@100").stops("1 1@0").bids("3 1@100");
        assertEquals(-1, page.book().lastTradePrice());
    }

    @Test
    void shouldRememberTheLastTradeOfAnEmptyBook()
    {
        page.ask(1, 100, 1).bid(2, 100, 1).says("2* takes 1@100 from 1*");
        assertEquals(100, page.book().lastTradePrice());
        page.stop(BID, 3, 100, 4).says("3 triggers@100", "3 rejected 4@0").stop(BID, 4, 101, 4).says();
        page.stopLimit(ASK, 5, 100, 100, 2).says("5 triggers@100").asks("5 2@100").stops("4 4@0");
    }

    @Test
    void shouldReduceAWaitingStop()
    {
        page.stop(BID, 1, 105, 5).stopLimit(BID, 2, 105, 106, 5).stop(ASK, 3, 90, 5).reduce(1, 2).reduce(2, 4);
        page.says("1 reduced by 2@0", "2 reduced by 4@106").stops("1 3@0", "2 1@106", "3 5@0").reduce(1, 9);
        page.says("1* reduced by 3@0").cancel(2).says("2* reduced by 1@106").stops("3 5@0");
        assertEquals(1, page.book().orderCount());
        page.ask(4, 105, 9).bid(5, 105, 1).says("5* takes 1@105 from 4");
    }

    @Test
    void shouldRestATriggeredStopLimitInAFullBook()
    {
        final BookPage full = new BookPage(SymbolSpec.future(1).withOrderCapacity(2));
        full.stopLimit(BID, 1, 100, 90, 5).ask(2, 100, 1).bid(3, 100, 1);
        full.says("3* takes 1@100 from 2*", "1 triggers@100").bids("1 5@90").bid(4, 80, 1);
        assertEquals(CommandResult.BOOK_FULL, full.place(OrderType.STOP, BID, 5, -1, 1, 101));
        assertEquals(CommandResult.BOOK_FULL, full.place(OrderType.STOP_LIMIT, BID, 5, 95, 1, 100));
        full.stop(BID, 5, 100, 1).says("5 triggers@100", "5 rejected 1@0");
    }

    @Test
    void shouldKeepThePolicyOfAStopLimitWhenItMovesLater()
    {
        page.by(OTHER, SelfTradePolicy.CANCEL_NEWEST).stopLimit(BID, 1, 100, 99, 5).by(7, SelfTradePolicy.ALLOW);
        page.ask(2, 100, 1).bid(3, 100, 1).says("3* takes 1@100 from 2*", "1 triggers@100");
        page.by(OTHER, SelfTradePolicy.ALLOW).ask(4, 101, 1).move(1, 101).says("1* reduced by 5@101").asks("4 1@101");
    }

    @Test
    void shouldDisplayEachNewPartBehindOtherOrders()
    {
        page.iceberg(ASK, 1, 100, 7, 3).ask(2, 100, 2).iceberg(ASK, 3, 100, 4, 2).levels(ASK, -1, "7@100/3");
        page.bid(4, 100, 3).says("4* takes 3@100 from 1").asks("2 2@100", "3 4@100", "1 4@100");
        page.levels(ASK, -1, "7@100/3").bid(5, 100, 4).says("5 takes 2@100 from 2*", "5* takes 2@100 from 3");
        page.asks("1 4@100", "3 2@100").bid(6, 100, 9);
        page.says("6 takes 3@100 from 1", "6 takes 2@100 from 3*", "6 takes 1@100 from 1*").bids("6 3@100");
    }

    @Test
    void shouldMoveToTheEndOnlyWhenTheDisplayedPartIsFilled()
    {
        page.iceberg(BID, 1, 100, 9, 4).bid(2, 100, 1).ask(3, 100, 3).says("3* takes 3@100 from 1");
        page.bids("1 6@100", "2 1@100").levels(BID, -1, "2@100/2").ask(4, 100, 1).says("4* takes 1@100 from 1");
        page.bids("2 1@100", "1 5@100").levels(BID, -1, "5@100/2");
    }

    @Test
    void shouldBehaveAsAPlainOrderWhenTheDisplaySizeIsTheSize()
    {
        page.iceberg(BID, 1, 100, 5, 5).bid(2, 100, 5).ask(3, 100, 6);
        page.says("3 takes 5@100 from 1*", "3* takes 1@100 from 2").bids("2 4@100");
    }

    @Test
    void shouldReplaceAnIcebergInItsPlaceAndOutOfIt()
    {
        page.iceberg(BID, 1, 100, 9, 4).bid(2, 100, 1).replace(1, 100, 6).says("1 reduced by 3@100");
        page.bids("1 6@100", "2 1@100").levels(BID, -1, "5@100/2").replace(1, 100, 3).says("1 reduced by 3@100");
        page.levels(BID, -1, "4@100/2").replace(1, 100, 12).says().bids("2 1@100", "1 12@100");
        page.levels(BID, -1, "5@100/2").replace(1, 101, 12).levels(BID, -1, "4@101/1", "1@100/1");
        page.ask(3, 100, 30).says("3 takes 4@101 from 1", "3 takes 4@101 from 1", "3 takes 4@101 from 1*",
            "3 takes 1@100 from 2*").asks("3 17@100");
    }

    @Test
    void shouldCountHiddenVolumeAsLiquidity()
    {
        page.iceberg(ASK, 1, 100, 9, 2).order(OrderType.FOK, BID, 2, 100, 10).says("2 rejected 10@100");
        page.budget(BID, 3, 900, 10).says("3 rejected 10@900").ask(4, 101, 1).budget(BID, 5, 1_000, 10);
        page.says("5 rejected 10@1000").budget(BID, 5, 1_001, 10);
        page.says("5 takes 2@100 from 1", "5 takes 2@100 from 1", "5 takes 2@100 from 1", "5 takes 2@100 from 1",
            "5 takes 1@100 from 1*", "5* takes 1@101 from 4*").asks();
    }

    @Test
    void shouldEndABudgetAtADisplayedPart()
    {
        page.iceberg(ASK, 1, 100, 6, 2).ask(2, 100, 3).order(OrderType.IOC_BUDGET, BID, 3, 899, 9);
        page.says("3 rejected 2@899", "3 takes 2@100 from 1", "3 takes 3@100 from 2*", "3 takes 2@100 from 1");
        page.asks("1 2@100").order(OrderType.IOC_BUDGET, BID, 4, 199, 2).says("4 rejected 2@199");
        page.order(OrderType.IOC_BUDGET, BID, 5, 200, 2).says("5* takes 2@100 from 1*");
    }

    /** The preview meets the parts in the order of the trades. */
    @Test
    void shouldCountThePartsOfAnIcebergAfterTheLastPartOfALaterOne()
    {
        page.iceberg(ASK, 1, 100, 14, 2).iceberg(ASK, 2, 100, 4, 2).iceberg(ASK, 3, 100, 10, 2);
        page.order(OrderType.IOC_BUDGET, BID, 4, 2_650, 28).says("4 rejected 2@2650",
            "4 takes 2@100 from 1", "4 takes 2@100 from 2", "4 takes 2@100 from 3", "4 takes 2@100 from 1",
            "4 takes 2@100 from 2*", "4 takes 2@100 from 3", "4 takes 2@100 from 1", "4 takes 2@100 from 3",
            "4 takes 2@100 from 1", "4 takes 2@100 from 3", "4 takes 2@100 from 1", "4 takes 2@100 from 3*",
            "4 takes 2@100 from 1").asks("1 2@100");
    }

    @Test
    void shouldEndABudgetAtItsFirstFillBeyondIt()
    {
        page.ask(1, 100, 5).ask(2, 100, 1).order(OrderType.IOC_BUDGET, BID, 3, 100, 6).says("3 rejected 6@100");
        page.asks("1 5@100", "2 1@100");
    }

    @Test
    void shouldExpireByTimeThenByAcceptance()
    {
        page.order(OrderType.GTD, BID, 1, 100, 1, 20).order(OrderType.GTD, ASK, 2, 200, 2, 10);
        page.order(OrderType.GTD, BID, 3, 101, 3, 10).order(OrderType.GTD, BID, 4, 100, 4, 20).bid(5, 100, 5);
        page.move(2, 201).replace(3, 99, 4).reduce(1, 1).says("1* reduced by 1@100").expire(9).says();
        page.expire(10).says("2* reduced by 2@201", "3* reduced by 4@99").order(OrderType.GTD, BID, 6, 100, 6, 20);
        page.expire(1_000).says("4* reduced by 4@100", "6* reduced by 6@100").bids("5 5@100").expire(5_000).says();
    }

    @Test
    void shouldExpireTheOpenSizeOfAnOrder()
    {
        page.order(OrderType.GTD, BID, 1, 100, 5, 20).ask(2, 100, 2).says("2* takes 2@100 from 1").expire(20);
        page.says("1* reduced by 3@100").order(OrderType.GTD, BID, 3, 100, 5, 30).ask(4, 100, 5);
        page.says("4* takes 5@100 from 3*").expire(30).says();
    }
}
