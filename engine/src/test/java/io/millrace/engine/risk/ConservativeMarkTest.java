package io.millrace.engine.risk;

import org.junit.jupiter.api.Test;

/** Value of a position: never at the price of the user's own orders, and profit only for margin of futures. */
class ConservativeMarkTest extends RiskPageFixture
{
    private static final String SPOT = "spot 1: BTC for USD, lot 1, step 1";
    private static final String FUTURE = "future 5: in USD, margins 10 and 10, position 1000";
    private static final String OTHER_FUTURE = "future 6: in USD, margins 10 and 10, position 1000";

    /** User 7 is long and user 8 short by the lots of 5 at 100; the book is empty. */
    private void openPosition(final int lots, final long money)
    {
        given(SPOT, FUTURE, OTHER_FUTURE, "user 7 with " + money + " USD", "user 8 with " + money + " USD",
            "user 9 with 100000 USD and 100000 BTC");
        does("user 8, order 1 on 5: ask " + lots + " at 100", "user 7, order 2 on 5: bid " + lots + " at 100");
    }

    @Test
    void shouldIgnoreAUsersOwnBidAsFundsForSpot()
    {
        openPosition(1, 120);
        does("user 9, order 3 on 1: ask 100 at 99", "user 7, order 4 on 5: bid 1 at 10000");
        then("user 7, order 5 on 1: bid 100 at 99", "RISK_NSF");
        // 120 minus 10 for a position without a price and 20 of margin.
        then("user 7, order 5 on 1: bid 1 at 91", "RISK_NSF");
        does("user 7, order 5 on 1: bid 1 at 90");
    }

    @Test
    void shouldIgnoreAUsersOwnAskAsFundsForSpot()
    {
        openPosition(10, 1_200);
        does("user 8, order 3 on 5: ask 10 at 1");
        then("user 8, order 4 on 1: bid 1 at 901", "RISK_NSF");
        // 1200 minus 10 x 10 for a position without a price and 20 x 10 of margin.
        does("user 8, order 4 on 1: bid 1 at 900");
    }

    @Test
    void shouldIgnoreAUsersOwnQuoteAsFundsForMargin()
    {
        openPosition(1, 120);
        does("user 7, order 3 on 5: bid 1 at 10000");
        then("user 7, order 4 on 6: bid 10 at 100", "RISK_MARGIN");
        does("user 7, order 4 on 6: bid 9 at 100");
    }

    @Test
    void shouldMarkAtTheOrdersBehindAUsersOwnOrders()
    {
        openPosition(10, 1_000);
        does("user 9, order 3 on 5: bid 1 at 110", "user 7, order 4 on 5: bid 1 at 120",
            "user 7, order 5 on 5: bid 1 at 110");
        // 1000 + 10 x 10 - 120 of margin.
        then("user 7, order 6 on 6: bid 99 at 100", "RISK_MARGIN");
        does("user 7, order 6 on 6: bid 98 at 100");
    }

    @Test
    void shouldNotPayForSpotWithUnsettledProfit()
    {
        openPosition(10, 1_000);
        does("user 9, order 3 on 5: bid 10 at 200");
        then("user 7, order 4 on 1: bid 1 at 901", "RISK_NSF");
        does("user 7, order 4 on 1: bid 1 at 900", "user 7 cancels 4 on 1", "user 7, order 5 on 5: ask 10 at 200");
        then("user 7", "USD 2000");
        does("user 7, order 6 on 1: bid 1 at 2000");
    }

    @Test
    void shouldCountEachLossAgainstSpotDespiteOtherProfits()
    {
        openPosition(10, 1_000);
        does("user 9, order 3 on 6: ask 10 at 100", "user 7, order 4 on 6: bid 10 at 100",
            "user 9, order 5 on 5: bid 1 at 150", "user 9, order 6 on 6: bid 1 at 60");
        // 200 of margin and 400 lost; the 500 won do not count.
        then("user 7, order 7 on 1: bid 1 at 401", "RISK_NSF");
        does("user 7, order 7 on 1: bid 1 at 400");
    }

    @Test
    void shouldCountTheLossAtTheLastTradeWithoutOtherQuotes()
    {
        openPosition(10, 1_000);
        does("user 9, order 3 on 5: bid 1 at 40", "user 7, order 4 on 5: ask 1 at 40");
        // 10 x 60 are lost, minus 9 x 10 because there is no price, and 9 x 10 of margin.
        then("user 7, order 5 on 6: bid 23 at 100", "RISK_MARGIN");
        does("user 7, order 5 on 6: bid 22 at 100");
    }

    @Test
    void shouldIgnoreSelfTradesWhenMarkingAPosition()
    {
        openPosition(1, 120);
        // The price sum is 10000 then, of which 9900 count as realised.
        does("user 7, order 3 on 5: bid 1 at 10000", "user 7, order 4 on 5: ask 1 at 10000");
        then("user 7", "USD 120", "on 5: long 1 for 10000, profit 9900");
        then("user 7, order 5 on 6: bid 11 at 100", "RISK_MARGIN");
        then("user 7, order 5 on 1: bid 1 at 101", "RISK_NSF");
        then("adjust user 7 by -101 USD, id 100", "RISK_MARGIN");
        does("user 7, order 5 on 6: bid 10 at 100");
    }

    @Test
    void shouldUseTheWorstPriceWhereAUsersOwnOrdersHideAllOthers()
    {
        openPosition(10, 3_000);
        does("user 9, order 1000 on 5: bid 1 at 90");
        for (int i = 0; i < 63; i++)
        {
            does("user 7, order " + (100 + i) + " on 5: bid 1 at 91");
        }
        // 3000 - 100 - 730 of margin are left; then the position has no value.
        does("user 7, order 3 on 6: bid 217 at 100", "user 7 cancels 3 on 6");
        does("user 7 cancels 162 on 5", "user 9 cancels 1000 on 5", "user 9, order 1000 on 5: bid 1 at 10");
        // 3000 - 900 - 720.
        then("user 7, order 3 on 6: bid 139 at 100", "RISK_MARGIN");
        does("user 7, order 162 on 5: bid 1 at 91", "user 7, order 163 on 5: bid 1 at 91");
        // 3000 - 1000 - 740.
        then("user 7, order 3 on 6: bid 127 at 100", "RISK_MARGIN");
        does("user 7, order 3 on 6: bid 126 at 100");
    }
}
