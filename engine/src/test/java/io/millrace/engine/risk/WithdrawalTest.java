package io.millrace.engine.risk;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Withdrawals from an account whose positions and orders require margin. */
class WithdrawalTest extends RiskPageFixture
{
    private static final String FUTURE = "future 5: in USD, margins 40 and 50, position 100";

    private void refused(final String line, final String why)
    {
        final long hash = page.engine().stateHash();
        then(line, why);
        assertEquals(hash, page.engine().stateHash(), line);
    }

    @Test
    void shouldRefuseToWithdrawTheMarginOfOpenOrders()
    {
        given(FUTURE, "user 7 with 400 USD");
        then("user 7, order 1 on 5: bid 10 at 100", "SUCCESS");
        refused("adjust user 7 by -400 USD, id 5", "RISK_MARGIN");
        refused("adjust user 7 by -1 USD, id 5", "RISK_MARGIN");
        then("user 7 reduces 1 on 5 by 1", "SUCCESS");
        refused("adjust user 7 by -41 USD, id 5", "RISK_MARGIN");
        then("adjust user 7 by -40 USD, id 5", "SUCCESS");
        refused("adjust user 7 by -361 USD, id 6", "BALANCE_NSF");
        then("user 7 cancels 1 on 5", "SUCCESS");
        then("adjust user 7 by -360 USD, id 6", "SUCCESS");
    }

    @Test
    void shouldRefuseToWithdrawMarginLossesAndUnsettledProfit()
    {
        given(FUTURE, "user 7 with 1000 USD", "user 8 with 1000 USD", "user 9 with 9000 USD");
        then("user 8, order 1 on 5: ask 10 at 100", "SUCCESS");
        then("user 7, order 2 on 5: bid 10 at 100", "SUCCESS");
        then("user 9, order 3 on 5: bid 1 at 90", "SUCCESS");
        then("user 9, order 4 on 5: ask 1 at 95", "SUCCESS");
        // The loss is 100. The other position has won 50, which do not count.
        refused("adjust user 7 by -501 USD, id 5", "RISK_MARGIN");
        then("adjust user 7 by -500 USD, id 5", "SUCCESS");
        refused("adjust user 8 by -501 USD, id 5", "RISK_MARGIN");
        then("adjust user 8 by -500 USD, id 5", "SUCCESS");
        then("user 7", "USD 500", "on 5: long 10 for 1000");
    }

    @Test
    void shouldAllowWithdrawalsInAnotherCurrency()
    {
        given(FUTURE, "user 7 with 400 USD and 5 EUR");
        then("user 7, order 1 on 5: bid 10 at 100", "SUCCESS");
        then("adjust user 7 by -5 EUR, id 5", "SUCCESS");
        then("adjust user 7 by 0 USD, id 6", "SUCCESS");
    }

    @Test
    void shouldRefuseToReserveTheMarginOfAFutureInTheBaseCurrency()
    {
        given("spot 1: BTC for USD, lot 10, step 1", "future 6: in BTC, margins 4 and 5, position 100",
            "user 7 with 100 BTC");
        then("user 7, order 1 on 6: bid 10 at 1", "SUCCESS");
        refused("user 7, order 2 on 1: ask 7 at 100", "RISK_NSF");
        then("user 7, order 2 on 1: ask 6 at 100", "SUCCESS");
        refused("user 7 replaces 2 on 1 by 7 at 100", "RISK_NSF");
        refused("adjust user 7 by -1 BTC, id 5", "RISK_MARGIN");
    }
}
