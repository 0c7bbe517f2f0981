package io.millrace.engine.risk;

import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.tables.LongRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The money of a restored engine: every state that commands can reach is restored, an impossible one is refused. */
class RestoredMoneyTest extends RiskPageFixture
{
    private static final String SPOT = "spot 1: BTC for USD, lot 1, step 1";
    private static final String FUTURE = "future 5: in USD, margins 4 and 5, position 100";
    private static final int ADJUSTED = 1;
    private static final int CURRENCY = 1;
    private static final int BALANCE = 2;
    private static final int RESERVE = 3;
    private static final int PRICE_SUM = 3;
    private static final int PROFIT = 4;
    private static final int ROW = 8;
    private static final int ORDER_UID = 1;
    private static final int ORDER_SIZE = 3;
    private static final int ORDER_RESERVE = 6;

    private final EngineSnapshot snapshot = new EngineSnapshot();

    /** A new engine with the symbol of the page. */
    private static MatchingEngine engine(final String symbol)
    {
        final RiskPage other = new RiskPage();
        other.give(symbol);
        return other.engine();
    }

    private void refused(final String symbol, final String why)
    {
        final MatchingEngine into = engine(symbol);
        final long before = into.timedHash();
        final String message =
            assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(into)).getMessage();
        assertEquals(why, message);
        assertEquals(before, into.timedHash());
    }

    /** A winner has withdrawn what losers still owe; their losses do not count at the price of their withdrawal. */
    @Test
    void shouldRestoreMoreWithdrawalsThanDeposits()
    {
        given(FUTURE, "user 6 with 1000 USD", "user 7 with 1000 USD", "user 8 with 1000 USD", "user 9 with 1000 USD");
        does("user 6, order 1 on 5: ask 10 at 100", "user 7, order 2 on 5: bid 10 at 100",
            "user 8, order 3 on 5: ask 10 at 10", "user 6, order 4 on 5: bid 10 at 10",
            "user 9, order 5 on 5: bid 1 at 100", "adjust user 7 by -960 USD, id 5", "user 9 cancels 5 on 5",
            "user 9, order 6 on 5: ask 1 at 10", "adjust user 8 by -950 USD, id 6", "user 9 cancels 6 on 5",
            "adjust user 6 by -1900 USD, id 7", "adjust user 9 by -1000 USD, id 8");
        assertEquals("USD balances 90, reserved 0, cash -900, fees 0, adjusted -810", page.give("totals").get(0));
        snapshot.take(page.engine());
        final MatchingEngine restored = engine(FUTURE);
        snapshot.restoreTo(restored);
        restored.verify();
        assertEquals(page.engine().timedHash(), restored.timedHash());
    }

    private void takeTwoBids()
    {
        given(SPOT, "user 7 with 1000 USD");
        does("user 7, order 1 on 1: bid 5 at 100", "user 7, order 2 on 1: bid 1 at 99");
        snapshot.take(page.engine());
    }

    /** Sets balance and reserve of the account in USD, which is not empty. */
    private void setAccount(final long balance, final long reserve)
    {
        for (int row = 0; row < snapshot.users().accounts().count(); row++)
        {
            if (snapshot.users().accounts().get(row, RESERVE) != 0)
            {
                snapshot.users().accounts().set(row, BALANCE, balance);
                snapshot.users().accounts().set(row, RESERVE, reserve);
            }
        }
    }

    @Test
    void shouldRefuseABalanceAndAReserveThatAddUpToMoreThanALong()
    {
        takeTwoBids();
        setAccount(1L << 62, 1L << 62);
        refused(SPOT, "balance 4611686018427387904 of row 1 is not in -4611686018427387904..0");
    }

    @Test
    void shouldRefuseABidThatMayPayMoreThanItHasReserved()
    {
        takeTwoBids();
        snapshot.book(0).word(ORDER_RESERVE, 1);
        setAccount(896, 104);
        refused(SPOT, "risk: the reserve price is below the price of order 1");
    }

    /** The second bid costs more than a long; the codes of both costs add up to the reserve. */
    @Test
    void shouldRefuseABidWhoseCostOverflows()
    {
        takeTwoBids();
        snapshot.book(0).word(ROW + ORDER_SIZE, 1L << 40);
        snapshot.book(0).word(ROW + ORDER_RESERVE, Long.MAX_VALUE - 1);
        setAccount(501, 499);
        refused(SPOT, "risk: its account has not reserved the cost of order 1");
    }

    @Test
    void shouldRefuseAPositionWhoseCashOverflows()
    {
        given(FUTURE, "user 7 with 1000 USD", "user 8 with 1000 USD");
        does("user 7, order 1 on 5: ask 10 at 100", "user 8, order 2 on 5: bid 10 at 100");
        snapshot.take(page.engine());
        snapshot.users().positions().set(0, PRICE_SUM, -(1L << 62));
        snapshot.users().positions().set(0, PROFIT, 1L << 62);
        snapshot.users().positions().set(1, PRICE_SUM, 1L << 62);
        snapshot.users().positions().set(1, PROFIT, 1L << 62);
        refused(FUTURE, "position 1: volume -10, price sum 4611686018427387904, profit 4611686018427387904 are not " +
            "those of a position");
    }

    /** Four users of 2^62 each have 2^64 together, which a long counts as nothing. */
    @Test
    void shouldRefuseBalancesWhoseSumWraps()
    {
        given(SPOT, "user 6 with 1000 USD", "user 7 with 1000 USD", "user 8 with 1000 USD", "user 9 with 1000 USD");
        snapshot.take(page.engine());
        for (int row = 0; row < 4; row++)
        {
            snapshot.users().accounts().set(row, BALANCE, 1L << 62);
        }
        final LongRows currencies = snapshot.users().currencies();
        final long dollars = snapshot.users().accounts().get(0, CURRENCY);
        currencies.set(currencies.get(0, 0) == dollars ? 0 : 1, ADJUSTED, 0);
        refused(SPOT, "risk: the accounts have more than 2^62, of currency " + dollars);
    }

    @Test
    void shouldRefuseASumThatBecomesTheLeastLong()
    {
        given(SPOT, "user 8 with 1000 USD", "user 9 with 1000 USD");
        snapshot.take(page.engine());
        snapshot.users().accounts().set(0, BALANCE, 1L << 62);
        snapshot.users().accounts().set(1, BALANCE, 1L << 62);
        refused(SPOT, "risk: the accounts have more than 2^62, of currency " +
            snapshot.users().accounts().get(0, CURRENCY));
    }

    /** One user owns what another one owes, but so much that a trade could exceed a long. */
    @Test
    void shouldRefuseADebtAboveTheGreatest()
    {
        given(SPOT, "user 7 with 1000 USD", "user 8 with 1000 USD");
        snapshot.take(page.engine());
        snapshot.users().accounts().set(0, BALANCE, -(1L << 61) - 1);
        snapshot.users().accounts().set(1, BALANCE, (1L << 61) + 2001);
        refused(SPOT, "risk: the debt is above the greatest, of user 8");
    }

    /** The two positions cancel out, and so do their profits. */
    @Test
    void shouldRefuseAnAccountThatOverflowsWithItsPositions()
    {
        given(FUTURE, "user 7 with 1000 USD", "user 8 with 1000 USD");
        does("user 7, order 1 on 5: ask 10 at 100", "user 8, order 2 on 5: bid 10 at 100");
        snapshot.take(page.engine());
        snapshot.users().accounts().set(0, BALANCE, (1L << 62) - 1);
        snapshot.users().positions().set(0, PROFIT, 1L << 62);
        refused(FUTURE, "risk: account and positions have more than 2^62, of user 8");
    }

    /** The balance alone is the greatest debt, and the position may still cost its user something. */
    @Test
    void shouldRefuseADebtThatAPositionMayIncrease()
    {
        takeAPosition();
        final long debt = new RiskLimits().withUsers(16).maxDebt();
        snapshot.users().accounts().set(1, BALANCE, -debt);
        snapshot.users().accounts().set(3, BALANCE, debt + 2000);
        refused(FUTURE, "risk: the debt is above the greatest, of user 8");
    }

    @Test
    void shouldRefuseAReserveOfNoOrder()
    {
        takeTwoBids();
        setAccount(400, 600);
        refused(SPOT, "risk: the reserve of an account differs from its orders, of user 7");
    }

    @Test
    void shouldRefuseAnOrderOfAUserWithoutAnAccount()
    {
        given(SPOT, "user 7 with 1000 USD", "user 8 with 1 BTC");
        does("user 7, order 1 on 1: bid 5 at 100");
        snapshot.take(page.engine());
        snapshot.book(0).word(ORDER_UID, 8);
        refused(SPOT, "risk: no account reserves for order 1");
    }

    /** Three users; user 7 is short and has two accounts, user 8 is long and has an open order. */
    private void takeAPosition()
    {
        given(FUTURE, "user 7 with 1000 USD and 5 EUR", "user 8 with 1000 USD", "user 9 with 5 EUR");
        does("user 7, order 1 on 5: ask 10 at 100", "user 8, order 2 on 5: bid 10 at 100",
            "user 8, order 3 on 5: bid 1 at 90");
        snapshot.take(page.engine());
    }

    private LongRows rows(final String table)
    {
        return switch (table)
        {
            case "currencies" -> snapshot.users().currencies();
            case "users" -> snapshot.users().users();
            case "accounts" -> snapshot.users().accounts();
            default -> snapshot.users().positions();
        };
    }

    /** A good snapshot in which one number of a table, or of the only order, is greater or less than it was. */
    @ParameterizedTest
    @CsvSource(delimiterString = "|", textBlock = """
        currencies | 1 | 0 | -1 | currency 1 is there twice
        currencies | 0 | 1 |  1 | risk: balances, reserves, cash of positions and fees do not add up to the \
        adjustments, of currency 1
        users      | 1 | 0 |  1 | user 9 is there twice
        users      | 1 | 2 |  1 | risk: the number of open orders is wrong, of user 8
        accounts   | 2 | 1 | -1 | account of user 7 is there twice
        accounts   | 1 | 0 |  2 | an account or position is of user 10, who does not exist
        accounts   | 1 | 1 |  2 | an account is in currency 3, which does not exist
        accounts   | 1 | 1 | 4294967296 | an account is in currency 4294967297, which does not exist
        positions  | 1 | 0 |  1 | position of user 8 is there twice
        positions  | 0 | 0 |  1 | user 9 has a position in symbol 5, but no account in its currency
        positions  | 0 | 1 |  1 | a position is in symbol 6, which is no future
        positions  | 0 | 1 | 4294967296 | a position is in symbol 4294967301, which is no future
        positions  | 0 | 2 |  1 | risk: long and short lots differ, of symbol 5
        positions  | 0 | 6 |  1 | risk: pending lots of a position differ from its orders, of user 8
        positions  | 0 | 4 | -1125899906841626 | position 0: volume 10, price sum 1000, profit -1125899906841626 are \
        not those of a position
        order      | 0 | 1 |  1 | risk: no position has the open lots of order 3
        order      | 0 | 1 |  2 | risk: there is an order of an unknown user: 3
        """)
    void shouldRefuseAWrongNumber(
        final String table, final int row, final int column, final long change, final String why)
    {
        takeAPosition();
        if (table.equals("order"))
        {
            snapshot.book(0).word(column, snapshot.book(0).word(column) + change);
        }
        else
        {
            rows(table).set(row, column, rows(table).get(row, column) + change);
        }
        refused(FUTURE, why);
    }

    @ParameterizedTest
    @CsvSource({"currencies, 1024", "users, 16", "accounts, 64", "positions, 64"})
    void shouldRefuseMoreRowsThanTheCapacity(final String table, final int capacity)
    {
        takeAPosition();
        rows(table).count(capacity + 1);
        refused(FUTURE, table + " " + (capacity + 1) + " is not in 0.." + capacity);
    }
}
