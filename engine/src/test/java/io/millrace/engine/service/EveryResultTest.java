package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A command through the service causes every possible result: one RESULT, the same state hash as before, and a count
 * under its name.
 */
class EveryResultTest
{
    private static final int SPOT = 7;
    private static final int FUTURE = 8;
    private static final int TINY = 9;
    private static final int BASE = 1;
    private static final int QUOTE = 2;

    private final Set<CommandResult> met = EnumSet.of(CommandResult.SUCCESS);
    private OneThread server;

    private void refuse(final CommandResult result, final UnaryOperator<OrderCommand> filler)
    {
        server.refuse(result, filler);
        met.add(result);
    }

    private static SymbolSpec spot()
    {
        return SymbolSpec.spot(SPOT).withOrderCapacity(64).withWindowTicks(64).withPrices(0, 1_000_000);
    }

    private static SymbolSpec future()
    {
        return SymbolSpec.future(FUTURE).withOrderCapacity(64).withWindowTicks(64).withPrices(0, 1_000_000);
    }

    private static EngineContext withUsers(final RiskLimits limits)
    {
        return new EngineContext()
            .symbol(spot(), SymbolTerms.spot(BASE, QUOTE, 10, 10).withFees(25, 5))
            .symbol(future(), SymbolTerms.future(3, QUOTE, 100, 100, 50))
            .symbolCapacity(3).risk(limits);
    }

    private void fund(final long uid, final long base, final long quote)
    {
        server.accept(c -> c.addUser(uid));
        server.accept(c -> c.adjustBalance(uid, BASE, base, 1));
        server.accept(c -> c.adjustBalance(uid, QUOTE, quote, 2));
    }

    @Test
    void shouldCoverEveryResult()
    {
        refuseByTheBooks();
        refuseByUsersAndSymbols();
        refuseByRisk();
        refuseByCapacities();
        assertEquals(EnumSet.allOf(CommandResult.class), met);
    }

    private void refuseByTheBooks()
    {
        server = new OneThread(new EngineContext().symbol(spot()).symbol(future())
            .symbol(SymbolSpec.future(TINY).withOrderCapacity(1).withWindowTicks(64).withMaxOrderSize(9)
                .withPriceBand(new PriceBand(PriceBand.Policy.REJECT, 5, 100))));
        refuse(CommandResult.ORDER_TOO_LARGE, c -> c.limit(TINY, 1, 10, BID, 100, 10));
        refuse(CommandResult.OUTSIDE_PRICE_BAND, c -> c.limit(TINY, 1, 10, BID, 106, 5));
        refuse(CommandResult.WRONG_SIDE, c -> c.massCancel(SPOT, 10, (byte)3));
        refuse(CommandResult.WRONG_SIDE, c -> c.massCancelUser(10, (byte)-1));
        refuse(CommandResult.WRONG_SIDE, c -> c.massCancelSymbol(SPOT, (byte)3));
        refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.massCancel(99, 10, Side.BOTH));
        refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.openOrders(99, 10));
        refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.orderStatus(99, 1, 10));
        refuse(CommandResult.UNKNOWN_ORDER, c -> c.orderStatus(SPOT, 1, 10));
        server.accept(c -> c.limit(SPOT, 1, 10, BID, 100, 5).reservePrice(110));
        server.accept(c -> c.limit(SPOT, 2, 11, ASK, 120, 5));
        server.accept(c -> c.stop(SPOT, 3, 10, BID, 150, 5));
        server.accept(c -> c.limit(TINY, 1, 10, BID, 100, 5));
        refuse(CommandResult.UNKNOWN_COMMAND, c -> c.set((byte)0, OrderType.GTC, BID, SPOT, 9, 10, 1, 1, 0, 0));
        refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.limit(99, 9, 10, BID, 100, 5));
        refuse(CommandResult.UNKNOWN_ORDER_TYPE, c -> c.set((byte)1, (byte)11, BID, SPOT, 9, 10, 1, 1, 0, 0));
        refuse(CommandResult.WRONG_SIDE, c -> c.limit(SPOT, 9, 10, (byte)2, 100, 5));
        refuse(CommandResult.WRONG_SIZE, c -> c.limit(SPOT, 9, 10, BID, 100, 0));
        refuse(CommandResult.WRONG_PRICE, c -> c.limit(SPOT, 9, 10, BID, 1_000_001, 5));
        refuse(CommandResult.DUPLICATE_ORDER, c -> c.limit(SPOT, 3, 10, BID, 100, 5));
        refuse(CommandResult.UNKNOWN_ORDER, c -> c.cancel(SPOT, 1, 11));
        refuse(CommandResult.UNKNOWN_ORDER, c -> c.orderStatus(SPOT, 1, 11));
        refuse(CommandResult.WRONG_SIZE, c -> c.replaceOpen(SPOT, 1, 10, 100, 0));
        refuse(CommandResult.PRICE_OVER_RISK_LIMIT, c -> c.move(SPOT, 1, 10, 111));
        refuse(CommandResult.BOOK_FULL, c -> c.limit(TINY, 2, 10, BID, 100, 5));
        refuse(CommandResult.UNKNOWN_SELF_TRADE_POLICY,
            c -> c.limit(SPOT, 9, 10, BID, 100, 5).selfTradePolicy((byte)-1));
        refuse(CommandResult.WRONG_STOP_PRICE, c -> c.stop(SPOT, 9, 10, BID, 1_000_001, 5));
        refuse(CommandResult.WRONG_DISPLAY_SIZE, c -> c.iceberg(SPOT, 9, 10, BID, 100, 5, 6));
        refuse(CommandResult.WRONG_EXPIRY, c -> c.goodTillDate(SPOT, 9, 10, BID, 100, 5, 0));
        refuse(CommandResult.WRONG_PARAMETER,
            c -> c.set((byte)1, OrderType.GTC, BID, (byte)0, SPOT, 9, 10, 1, 1, 0, 1, 0));
        refuse(CommandResult.WOULD_TRADE, c -> c.postOnly(SPOT, 9, 10, BID, 120, 5));
        refuse(CommandResult.NOT_TRIGGERED, c -> c.move(SPOT, 3, 10, 100));
        refuse(CommandResult.NO_RISK, c -> c.addUser(1));
        refuse(CommandResult.WRONG_TIME, c -> c.tick(0));
        refuse(CommandResult.SYMBOL_EXISTS, c -> c.addSymbol(future(), null));
        refuse(CommandResult.WRONG_TERMS, c -> c.addSymbol(SymbolSpec.spot(10), SymbolTerms.spot(1, 2, 3, 4)));
        server.close();
    }

    private void refuseByUsersAndSymbols()
    {
        server = new OneThread(withUsers(new RiskLimits().withUsers(2)));
        fund(10, 1_000, 100_000);
        refuse(CommandResult.UNKNOWN_USER, c -> c.limit(SPOT, 1, 99, BID, 100, 5));
        refuse(CommandResult.USER_EXISTS, c -> c.addUser(10));
        refuse(CommandResult.USER_NOT_SUSPENDED, c -> c.resumeUser(10));
        refuse(CommandResult.USER_HAS_BALANCE, c -> c.suspendUser(10));
        server.accept(c -> c.limit(SPOT, 1, 10, BID, 100, 1));
        refuse(CommandResult.USER_HAS_ORDERS, c -> c.suspendUser(10));
        server.accept(c -> c.limit(FUTURE, 1, 10, BID, 100, 1));
        refuse(CommandResult.USER_HAS_POSITIONS, c -> c.suspendUser(10));
        refuse(CommandResult.ALREADY_APPLIED_SAME, c -> c.adjustBalance(10, QUOTE, 1, 2));
        refuse(CommandResult.ALREADY_APPLIED_MANY, c -> c.adjustBalance(10, QUOTE, 1, 1));
        refuse(CommandResult.BALANCE_NSF, c -> c.adjustBalance(10, QUOTE, -1_000_000, 3));
        refuse(CommandResult.BALANCE_OVERFLOW, c -> c.adjustBalance(10, QUOTE, Long.MAX_VALUE, 3));
        server.accept(c -> c.addUser(11));
        refuse(CommandResult.USERS_FULL, c -> c.addUser(12));
        refuse(CommandResult.SYMBOL_NOT_HALTED, c -> c.resumeSymbol(SPOT));
        server.accept(c -> c.haltSymbol(SPOT));
        refuse(CommandResult.SYMBOL_HALTED, c -> c.limit(SPOT, 2, 10, BID, 100, 1));
        refuse(CommandResult.SYMBOL_NOT_EMPTY, c -> c.removeSymbol(SPOT));
        server.accept(c -> c.addSymbol(SymbolSpec.spot(TINY), SymbolTerms.spot(BASE, QUOTE, 1, 1)));
        refuse(CommandResult.SYMBOLS_FULL,
            c -> c.addSymbol(SymbolSpec.spot(TINY + 1), SymbolTerms.spot(BASE, QUOTE, 1, 1)));
        server.close();
    }

    private void refuseByRisk()
    {
        // Enough accounts that a debt is at most 2^45.
        server = new OneThread(withUsers(new RiskLimits().withCapacities(2, 1 << 16, 2)));
        fund(10, 1_000, 10_000);
        refuse(CommandResult.ASK_BELOW_FEE, c -> c.limit(SPOT, 1, 10, ASK, 2, 1));
        refuse(CommandResult.RISK_NSF, c -> c.limit(SPOT, 1, 10, BID, 1_000, 2));
        refuse(CommandResult.RISK_OVERFLOW, c -> c.market(SPOT, 1, 10, BID, 2));
        refuse(CommandResult.RESERVE_BELOW_PRICE, c -> c.limit(SPOT, 1, 10, BID, 100, 1).reservePrice(99));
        refuse(CommandResult.RESERVE_NOT_BUDGET, c -> c.fillOrKillBudget(SPOT, 1, 10, BID, 100, 1).reservePrice(99));
        server.accept(c -> c.addUser(11));
        refuse(CommandResult.RISK_MARGIN, c -> c.limit(FUTURE, 1, 11, BID, 100, 1));
        refuse(CommandResult.POSITION_LIMIT, c -> c.limit(FUTURE, 1, 10, BID, 100, 51));
        server.accept(c -> c.addSymbol(SymbolSpec.future(TINY).withOrderCapacity(1).withWindowTicks(64)
            .withPrices(0, 1_000_000), SymbolTerms.future(3, QUOTE, 0, 0, 1 << 28)));
        refuse(CommandResult.RISK_DEBT, c -> c.limit(TINY, 1, 10, BID, 100, 1 << 26));
        server.close();
    }

    private void refuseByCapacities()
    {
        server = new OneThread(
            withUsers(new RiskLimits().withCapacities(2, 3, 1).withCurrencies(2).withMaxOpenOrders(1)
                .withRate(2, 100)));
        fund(10, 1_000, 10_000);
        server.accept(c -> c.addUser(11));
        server.accept(c -> c.adjustBalance(11, QUOTE, 10_000, 1));
        refuse(CommandResult.ACCOUNTS_FULL, c -> c.adjustBalance(11, BASE, 10_000, 2));
        refuse(CommandResult.CURRENCIES_FULL, c -> c.adjustBalance(11, 3, 10_000, 2));
        server.accept(c -> c.limit(FUTURE, 1, 10, BID, 100, 1).timestampNs(100));
        refuse(CommandResult.TOO_MANY_ORDERS, c -> c.limit(FUTURE, 2, 10, BID, 100, 1).timestampNs(100));
        refuse(CommandResult.POSITIONS_FULL, c -> c.limit(FUTURE, 2, 11, BID, 100, 1).timestampNs(100));
        server.accept(c -> c.move(FUTURE, 1, 10, 101).timestampNs(101));
        refuse(CommandResult.RATE_LIMIT, c -> c.move(FUTURE, 1, 10, 102).timestampNs(102));
        server.accept(c -> c.move(FUTURE, 1, 10, 102).timestampNs(200));
        server.close();
    }
}
