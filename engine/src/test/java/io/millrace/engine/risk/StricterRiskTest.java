package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Defects of exchange-core, found by running it, each with the behaviour here: six of the eight in the last table of
 * the rules. The tests of the other two: {@link RiskHashTest} and {@code StateHashTest} for the same hash on every JVM,
 * {@link RiskAllocationTest} and {@code OrderBookAllocationTest} for commands that allocate nothing.
 */
class StricterRiskTest extends RiskPageFixture
{
    private static final String SPOT = "spot 1: BTC for USD, lot 10, step 1";

    @Test
    void shouldRefuseASizeBelowOneAndKeepTheBalance()
    {
        given(SPOT, "user 7 with 1000 USD");
        for (final long size : new long[]{0, -1, -5, Long.MIN_VALUE})
        {
            then("user 7, order 1 on 1: bid " + size + " at 1000", "WRONG_SIZE");
        }
        then("user 7, order 1 on 1: bid 1 at -1", "WRONG_PRICE");
        then("user 7", "USD 1000");
    }

    @Test
    void shouldRefuseReservesThatOverflow()
    {
        final long lots = SymbolSpec.spot(1).withOrderCapacity(64).maxSize();
        given(SPOT, "user 7 with 1000 USD and 1000 BTC");
        then("user 7, order 1 on 1: bid " + lots + " at 1000", "RISK_OVERFLOW");
        then("user 7, order 1 on 1: bid " + lots + " at " + SymbolSpec.MAX_PRICE, "RISK_OVERFLOW");
        // A little more than 2^64 / 10: the low 64 bits of the product are small.
        then("user 7, order 1 on 1: bid 2 for 9223372036854775807", "RISK_OVERFLOW");
        then("user 7, order 1 on 1: ask " + lots + " at 5", "RISK_NSF");
        then("user 7", "BTC 1000", "USD 1000");
    }

    @Test
    void shouldRefuseADuplicateBeforeItTradesOrReserves()
    {
        given(SPOT, "user 7 with 1000 USD", "user 8 with 100 BTC");
        then("user 8, order 1 on 1: ask 1 at 100", "SUCCESS");
        then("user 7, order 1 on 1: bid 1 at 100", "DUPLICATE_ORDER");
        then("user 7, order 1 on 1: bid 1 at 100 IOC", "DUPLICATE_ORDER");
        then("user 7", "USD 1000");
        then("user 8", "BTC 90, reserved 10");
    }

    @Test
    void shouldRefundARejectedBudgetToTheLastUnit()
    {
        given("spot 1: BTC for USD, lot 10, step 7, fees 3 and 2", "user 7 with 1000000 USD");
        then("user 7, order 1 on 1: bid 100 for 1000 IOC_BUDGET", "SUCCESS");
        then("user 7", "USD 1000000");
        then("user 7, order 1 on 1: bid 100 for 1000 FOK_BUDGET", "SUCCESS");
        then("user 7", "USD 1000000");
        then("user 7, order 1 on 1: bid 100 at 10 FOK", "SUCCESS");
        then("user 7", "USD 1000000");
    }

    /** There: refused 60 times of 60 if 256 commands are grouped. */
    @Test
    void shouldAllowTheNextCommandToSpendTheProceeds()
    {
        given(SPOT, "user 7 with 100 USD", "user 8 with 10 BTC");
        for (int i = 0; i < 60; i++)
        {
            final String has = i % 2 == 0 ? "bid" : "ask";
            final String other = i % 2 == 0 ? "ask" : "bid";
            // Their whole balances change owners each time.
            then("user 7, order 1 on 1: " + has + " 1 at 100", "SUCCESS");
            then("user 8, order 2 on 1: " + other + " 1 at 100", "SUCCESS");
        }
        then("user 7", "USD 100");
        then("user 8", "BTC 10");
    }

    /** There: the last position overwrites the others. */
    @Test
    void shouldSumTheFreeMarginOfAllPositions()
    {
        final int positions = 10;
        for (int symbol = 1; symbol <= positions + 1; symbol++)
        {
            given("future " + symbol + ": in USD, margins 10 and 10, position 100");
        }
        given("user 7 with 1000 USD");
        for (int symbol = 1; symbol <= positions; symbol++)
        {
            then("user 7, order 1 on " + symbol + ": bid " + symbol + " at 100", "SUCCESS");
        }
        // 10 x (1 + 2 + ... + 10) are required, 450 are left.
        then("user 7, order 1 on 11: bid 46 at 100", "RISK_MARGIN");
        then("user 7, order 1 on 11: bid 45 at 100", "SUCCESS");
    }

    /** There: a position that cannot be closed counts its margin as a profit. */
    @Test
    void shouldCountAPositionWithoutAPriceAsALoss()
    {
        given("future 5: in USD, margins 40 and 50, position 100", "future 6: in USD, margins 40 and 50, position 100",
            "user 7 with 1200 USD", "user 8 with 9000 USD");
        then("user 8, order 1 on 5: ask 10 at 100", "SUCCESS");
        then("user 7, order 2 on 5: bid 10 at 100", "SUCCESS");
        // 1,200 - 400 of margin - 400 of loss.
        then("user 7, order 3 on 6: bid 11 at 100", "RISK_MARGIN");
        then("user 7, order 3 on 6: bid 10 at 100", "SUCCESS");
    }

    /** There: RISK_NSF, all of them. */
    @Test
    void shouldReportWhyAnOrderIsNotCovered()
    {
        given("spot 1: BTC for USD, lot 10, step 2, fees 5 and 3",
            "future 5: in USD, margins 40 and 50, position 100", "user 7 with 100 USD");
        final Set<String> reasons = new TreeSet<>();
        for (final String order : List.of("1: bid 1 at 100", "1: bid 1 at 100 reserve 99",
            "1: bid 1 for 100 reserve 99", "1: ask 1 at 2",
            "1: bid 1 reserve 9223372036854775806 MARKET", "5: bid 3 at 100", "5: bid 101 at 100"))
        {
            reasons.addAll(page.give("user 7, order 1 on " + order));
        }
        assertEquals(Set.of("RISK_NSF", "RESERVE_BELOW_PRICE", "RESERVE_NOT_BUDGET", "ASK_BELOW_FEE", "RISK_OVERFLOW",
            "RISK_MARGIN", "POSITION_LIMIT"), reasons);
    }

    /** There: different in each run of the JVM. Here it is a sum over rows, wherever they are stored. */
    @Test
    void shouldHashEqualStatesEqually()
    {
        final List<Long> hashes = new ArrayList<>();
        for (final long first : new long[]{7, 8})
        {
            final MatchingEngine engine = new MatchingEngine(new EngineContext()
                .risk(new RiskLimits().withUsers(8))
                .symbol(SymbolSpec.spot(1).withOrderCapacity(8), SymbolTerms.spot(100, 200, 10, 1)),
                new EventCounter());
            engine.addUser(99);
            for (final long uid : new long[]{first, 15 - first})
            {
                assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
                assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, 100 + (int)first % 2 * 100, 0, 1));
                assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, 200, 1_000 * uid, 2));
                assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, 100, 10, 3));
            }
            engine.suspendUser(99);
            engine.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(7).price(10).size(1)
                .reservePrice(10));
            hashes.add(engine.stateHash());
        }
        assertEquals(hashes.get(0), hashes.get(1));
    }
}
