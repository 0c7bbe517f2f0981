package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static io.millrace.engine.book.CommandResult.SUCCESS;

/** 0 bytes allocated by an engine with users, for each command and each refusal, after warm-up. */
@Tag("normal")
class RiskAllocationTest
{
    private static final int ROUNDS = 20_000;

    private static final int SPOT = 1;
    private static final int FUTURE = 5;
    private static final int HALTED = 6;
    private static final int BTC = 100;
    private static final int USD = 200;
    private static final long PLENTY = 1L << 50;
    private static final byte BID = Side.BID;
    private static final byte ASK = Side.ASK;

    private final BookCommand command = new BookCommand();
    private final EventCounter events = new EventCounter();
    private final MatchingEngine engine = new MatchingEngine(new EngineContext()
        .risk(new RiskLimits().withCapacities(5, 9, 3).withCurrencies(3).withMaxOpenOrders(8).withRate(1_000, 1_000))
        .symbol(spec(SymbolSpec.spot(SPOT)), SymbolTerms.spot(BTC, USD, 10, 2).withFees(5, 3))
        .symbol(spec(SymbolSpec.future(FUTURE)), SymbolTerms.future(BTC, USD, 40, 50, 1_000).withFees(3, 2))
        .symbol(spec(SymbolSpec.future(HALTED)), SymbolTerms.future(BTC, USD, 40, 50, 1_000)), events);
    private final Map<String, Runnable> rounds = new TreeMap<>();
    private long adjustments;
    private long timeNs = 1;

    private static SymbolSpec spec(final SymbolSpec symbol)
    {
        return symbol.withOrderCapacity(16).withWindowTicks(64).withPrices(0, 10_000);
    }

    RiskAllocationTest()
    {
        for (long uid = 7; uid <= 10; uid++)
        {
            expect(SUCCESS, engine.addUser(uid));
            adjust(uid, USD, uid == 9 ? 100 : PLENTY);
            adjust(uid, BTC, uid == 9 ? 5 : PLENTY);
        }
        expect(SUCCESS, engine.haltSymbol(HALTED));
    }

    private void adjust(final long uid, final int currency, final long amount)
    {
        adjustments++;
        expect(SUCCESS, engine.adjustBalance(uid, currency, amount, adjustments));
    }

    private static void expect(final CommandResult expected, final CommandResult result)
    {
        if (expected != result)
        {
            throw new AssertionError(result);
        }
    }

    private void place(
        final CommandResult expected,
        final int symbol,
        final byte type,
        final byte side,
        final long id,
        final long uid,
        final long price,
        final long size,
        final long reserve,
        final long parameter)
    {
        timeNs += 10;
        engine.time(timeNs);
        expect(expected, engine.execute(symbol, command.place(type, side).orderId(id).uid(uid).price(price).size(size)
            .reservePrice(reserve).parameter(parameter)));
    }

    private void gtc(final int symbol, final byte side, final long id, final long uid, final long price)
    {
        place(SUCCESS, symbol, OrderType.GTC, side, id, uid, price, 4, price, 0);
    }

    private void refuse(final CommandResult why, final int symbol, final byte side, final long uid, final long size)
    {
        place(why, symbol, OrderType.GTC, side, 99, uid, 100, size, 100, 0);
    }

    /** Both ways, so that no user runs out of money or lots. */
    private void trade(final int symbol, final byte type, final long price)
    {
        gtc(symbol, ASK, 1, 7, 100);
        place(SUCCESS, symbol, type, BID, 2, 8, price, 4, OrderType.isMarket(type) ? 101 : price, 0);
        gtc(symbol, ASK, 3, 8, 100);
        place(SUCCESS, symbol, type, BID, 4, 7, price, 4, OrderType.isMarket(type) ? 101 : price, 0);
    }

    private void addCommands()
    {
        for (final int symbol : new int[]{SPOT, FUTURE})
        {
            rounds.put("trades on " + symbol, () -> trade(symbol, OrderType.GTC, 101));
            rounds.put("MARKET on " + symbol, () -> trade(symbol, OrderType.MARKET, 0));
            rounds.put("FOK_BUDGET on " + symbol, () -> trade(symbol, OrderType.FOK_BUDGET, 402));
            rounds.put("IOC_BUDGET on " + symbol, () -> trade(symbol, OrderType.IOC_BUDGET, 402));
            rounds.put("changes on " + symbol, () -> change(symbol));
            rounds.put("stops on " + symbol, () -> stop(symbol));
            rounds.put("self-trade prevention on " + symbol, () -> prevent(symbol));
            rounds.put("expiry on " + symbol, () ->
            {
                place(SUCCESS, symbol, OrderType.GTD, BID, 1, 7, 100, 4, 100, timeNs + 20);
                timeNs += 20;
                expect(SUCCESS, engine.tick(timeNs));
            });
            rounds.put("expiry on " + symbol + " by a command of another", () ->
            {
                place(SUCCESS, symbol, OrderType.GTD, BID, 1, 7, 100, 4, 100, timeNs + 20);
                place(SUCCESS, symbol, OrderType.GTD, BID, 2, 7, 100, 4, 100, timeNs + 30);
                place(SUCCESS, SPOT + FUTURE - symbol, OrderType.IOC, BID, 3, 7, 100, 4, 100, 0);
                expect(CommandResult.UNKNOWN_ORDER, engine.cancel(symbol, 1, 7));
                expect(SUCCESS, engine.cancel(symbol, 2, 7));
                timeNs += 40;
            });
            rounds.put("rejects on " + symbol, () ->
            {
                place(SUCCESS, symbol, OrderType.IOC, BID, 1, 7, 100, 4, 100, 0);
                place(SUCCESS, symbol, OrderType.FOK_BUDGET, BID, 1, 7, 100, 4, 100, 0);
                place(SUCCESS, symbol, OrderType.FOK, ASK, 1, 7, 100, 4, 100, 0);
            });
        }
        rounds.put("users and balances", () ->
        {
            expect(SUCCESS, engine.addUser(77));
            adjustments++;
            expect(SUCCESS, engine.adjustBalance(77, USD, 0, adjustments));
            expect(SUCCESS, engine.suspendUser(77));
            expect(SUCCESS, engine.resumeUser(77));
            expect(SUCCESS, engine.suspendUser(77));
            adjust(7, USD, 5);
            adjust(7, USD, -5);
        });
        rounds.put("reports", () ->
        {
            expect(SUCCESS, engine.userReport(7, events));
            expect(SUCCESS, engine.totalsReport(events));
            expect(SUCCESS, engine.bookReport(SPOT, -1, events));
            events.hash += engine.stateHash();
        });
        rounds.put("halting", () ->
        {
            expect(SUCCESS, engine.resumeSymbol(HALTED));
            expect(SUCCESS, engine.haltSymbol(HALTED));
        });
    }

    private void change(final int symbol)
    {
        gtc(symbol, BID, 1, 7, 100);
        expect(SUCCESS, engine.reduce(symbol, 1, 7, 1));
        expect(SUCCESS, engine.move(symbol, 1, 7, 99));
        expect(SUCCESS, engine.replace(symbol, 1, 7, 98, 6));
        expect(SUCCESS, engine.replace(symbol, 1, 7, 98, 2));
        expect(SUCCESS, engine.cancel(symbol, 1, 7));
    }

    /** One stop waits and is cancelled, one triggers on arrival; the last trade is at 100. */
    private void stop(final int symbol)
    {
        gtc(symbol, ASK, 1, 7, 100);
        gtc(symbol, BID, 2, 8, 100);
        gtc(symbol, ASK, 1, 8, 100);
        place(SUCCESS, symbol, OrderType.STOP, BID, 2, 7, 0, 4, 101, 101);
        expect(CommandResult.NOT_TRIGGERED, engine.move(symbol, 2, 7, 100));
        expect(SUCCESS, engine.cancel(symbol, 2, 7));
        place(SUCCESS, symbol, OrderType.STOP, BID, 2, 7, 0, 6, 101, 100);
    }

    private void prevent(final int symbol)
    {
        gtc(symbol, ASK, 1, 7, 100);
        expect(SUCCESS, engine.execute(symbol, command.place(OrderType.GTC, BID)
            .selfTradePolicy(SelfTradePolicy.DECREMENT).orderId(2).uid(7).price(100).size(4).reservePrice(100)));
        gtc(symbol, ASK, 1, 7, 100);
        expect(SUCCESS, engine.execute(symbol, command.place(OrderType.IOC, BID)
            .selfTradePolicy(SelfTradePolicy.CANCEL_BOTH).orderId(2).uid(7).price(100).size(4).reservePrice(100)));
        timeNs += 1_000;
    }

    private void addRefusals()
    {
        refusal(CommandResult.UNKNOWN_USER, () -> refuse(CommandResult.UNKNOWN_USER, SPOT, BID, 55, 1));
        refusal(CommandResult.UNKNOWN_SYMBOL, () -> refuse(CommandResult.UNKNOWN_SYMBOL, 55, BID, 7, 1));
        refusal(CommandResult.SYMBOL_HALTED, () -> refuse(CommandResult.SYMBOL_HALTED, HALTED, BID, 7, 1));
        refusal(CommandResult.WRONG_SIZE, () -> refuse(CommandResult.WRONG_SIZE, SPOT, BID, 7, 0));
        refusal(CommandResult.RISK_NSF, () -> refuse(CommandResult.RISK_NSF, SPOT, BID, 9, 1));
        refusal(CommandResult.RISK_OVERFLOW, () -> refuse(CommandResult.RISK_OVERFLOW, SPOT, BID, 7, 1L << 58));
        refusal(CommandResult.RISK_MARGIN, () -> refuse(CommandResult.RISK_MARGIN, FUTURE, BID, 9, 3));
        refusal(CommandResult.POSITION_LIMIT, () -> refuse(CommandResult.POSITION_LIMIT, FUTURE, BID, 7, 1_001));
        refusal(CommandResult.RESERVE_BELOW_PRICE, () -> place(
            CommandResult.RESERVE_BELOW_PRICE, SPOT, OrderType.GTC, BID, 99, 7, 100, 1, 99, 0));
        refusal(CommandResult.RESERVE_NOT_BUDGET, () -> place(
            CommandResult.RESERVE_NOT_BUDGET, SPOT, OrderType.IOC_BUDGET, BID, 99, 7, 100, 1, 99, 0));
        refusal(CommandResult.ASK_BELOW_FEE, () -> place(
            CommandResult.ASK_BELOW_FEE, SPOT, OrderType.GTC, ASK, 99, 7, 1, 1, 0, 0));
        refusal(CommandResult.WRONG_EXPIRY, () -> place(
            CommandResult.WRONG_EXPIRY, SPOT, OrderType.GTD, BID, 99, 7, 100, 1, 100, 2));
        refusal(CommandResult.USER_EXISTS, () -> expect(CommandResult.USER_EXISTS, engine.addUser(7)));
        refusal(CommandResult.USER_HAS_BALANCE, () ->
            expect(CommandResult.USER_HAS_BALANCE, engine.suspendUser(7)));
        refusal(CommandResult.USER_NOT_SUSPENDED, () ->
            expect(CommandResult.USER_NOT_SUSPENDED, engine.resumeUser(7)));
        refusal(CommandResult.BALANCE_NSF, () ->
            expect(CommandResult.BALANCE_NSF, engine.adjustBalance(9, USD, -101, 1L << 40)));
        refusal(CommandResult.BALANCE_OVERFLOW, () ->
            expect(CommandResult.BALANCE_OVERFLOW, engine.adjustBalance(9, USD, 1L << 60, 1L << 40)));
        refusal(CommandResult.ALREADY_APPLIED_MANY, () ->
            expect(CommandResult.ALREADY_APPLIED_MANY, engine.adjustBalance(9, USD, 1, -1)));
        refusal(CommandResult.SYMBOL_NOT_HALTED, () ->
            expect(CommandResult.SYMBOL_NOT_HALTED, engine.resumeSymbol(SPOT)));
        refusal(CommandResult.WRONG_TIME, () -> expect(CommandResult.WRONG_TIME, engine.tick(0)));
        addFullTables();
        addRareLimits();
        addMarks();
        addLimits();
    }

    private void addFullTables()
    {
        refusal(CommandResult.USERS_FULL, () ->
        {
            expect(SUCCESS, engine.addUser(77));
            expect(CommandResult.USERS_FULL, engine.addUser(78));
            expect(SUCCESS, engine.suspendUser(77));
        });
        refusal(CommandResult.ACCOUNTS_FULL, () ->
        {
            expect(SUCCESS, engine.addUser(77));
            expect(SUCCESS, engine.adjustBalance(77, USD, 0, 1));
            expect(CommandResult.ACCOUNTS_FULL, engine.adjustBalance(7, 300, 1, 1L << 40));
            expect(SUCCESS, engine.suspendUser(77));
        });
        refusal(CommandResult.POSITIONS_FULL, () ->
        {
            gtc(FUTURE, BID, 1, 7, 90);
            gtc(FUTURE, BID, 2, 8, 90);
            place(SUCCESS, FUTURE, OrderType.GTC, BID, 3, 9, 90, 1, 0, 0);
            refuse(CommandResult.POSITIONS_FULL, FUTURE, BID, 10, 1);
            expect(CommandResult.USER_HAS_POSITIONS, engine.suspendUser(7));
            expect(CommandResult.SYMBOL_NOT_EMPTY, engine.removeSymbol(FUTURE));
            expect(SUCCESS, engine.cancel(FUTURE, 1, 7));
            expect(SUCCESS, engine.cancel(FUTURE, 2, 8));
            expect(SUCCESS, engine.cancel(FUTURE, 3, 9));
        });
    }

    private void addRareLimits()
    {
        final MatchingEngine small = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withCapacities(2, 1 << 16, 2).withCurrencies(2))
            .symbol(spec(SymbolSpec.future(FUTURE)).withPrices(0, 1_000_000),
                SymbolTerms.future(BTC, USD, 0, 0, 1 << 28)), events);
        expect(SUCCESS, small.addUser(7));
        expect(SUCCESS, small.adjustBalance(7, BTC, 1, 1));
        refusal(CommandResult.ALREADY_APPLIED_SAME, () ->
            expect(CommandResult.ALREADY_APPLIED_SAME, small.adjustBalance(7, BTC, 1, 1)));
        refusal(CommandResult.CURRENCIES_FULL, () ->
            expect(CommandResult.CURRENCIES_FULL, small.adjustBalance(7, 300, 1, 2)));
        refusal(CommandResult.RISK_DEBT, () ->
            expect(CommandResult.RISK_DEBT, small.execute(FUTURE, command.place(OrderType.GTC, BID).orderId(1).uid(7)
                .price(100).size(1 << 26).reservePrice(100))));
    }

    /** A position whose other side has more of the user's own orders than are inspected, and one with none. */
    private void addMarks()
    {
        final MatchingEngine marks = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withUsers(2))
            .symbol(spec(SymbolSpec.spot(SPOT)), SymbolTerms.spot(BTC, USD, 1, 1))
            .symbol(spec(SymbolSpec.future(FUTURE)).withOrderCapacity(128),
                SymbolTerms.future(BTC, USD, 40, 50, 1_000)), events);
        for (long uid = 7; uid <= 8; uid++)
        {
            expect(SUCCESS, marks.addUser(uid));
            expect(SUCCESS, marks.adjustBalance(uid, USD, 10_000, 1));
        }
        expect(SUCCESS, marks.execute(FUTURE, command.place(OrderType.GTC, ASK).orderId(1).uid(8).price(100).size(1)));
        for (long id = 2; id < 70; id++)
        {
            expect(SUCCESS, marks.execute(FUTURE, command.place(OrderType.GTC, BID).orderId(id).uid(7).price(100)
                .size(1)));
        }
        for (long uid = 7; uid <= 8; uid++)
        {
            final long user = uid;
            rounds.put("marks and refused withdrawals of user " + uid, () ->
            {
                expect(CommandResult.RISK_MARGIN, marks.adjustBalance(user, USD, -9_990, 2));
                expect(CommandResult.RISK_MARGIN, marks.execute(FUTURE,
                    command.place(OrderType.GTC, ASK).orderId(99).uid(user).price(101).size(300)));
                expect(CommandResult.RISK_NSF, marks.execute(SPOT, command.place(OrderType.GTC, BID).orderId(99)
                    .uid(user).price(9_980).size(1).reservePrice(9_980)));
            });
        }
    }

    private void addLimits()
    {
        refusal(CommandResult.TOO_MANY_ORDERS, () ->
        {
            for (int id = 1; id <= 8; id++)
            {
                gtc(SPOT, BID, id, 7, 90);
            }
            refuse(CommandResult.TOO_MANY_ORDERS, SPOT, BID, 7, 1);
            expect(CommandResult.USER_HAS_ORDERS, engine.suspendUser(7));
            for (int id = 1; id <= 8; id++)
            {
                expect(SUCCESS, engine.cancel(SPOT, id, 7));
            }
        });
        refusal(CommandResult.RATE_LIMIT, () ->
        {
            timeNs += 1_000;
            engine.time(timeNs);
            CommandResult result = SUCCESS;
            for (int i = 0; i <= 1_000; i++)
            {
                result = engine.execute(SPOT, command.place(OrderType.IOC, BID).orderId(1).uid(7).price(100).size(1)
                    .reservePrice(100));
            }
            expect(CommandResult.RATE_LIMIT, result);
            timeNs += 1_000;
        });
    }

    private void refusal(final CommandResult why, final Runnable round)
    {
        rounds.put(why.name(), round);
    }

    @TestFactory
    Stream<DynamicTest> shouldAllocateNothing()
    {
        addCommands();
        addRefusals();
        return rounds.entrySet().stream().map(each -> DynamicTest.dynamicTest(each.getKey(), () ->
            shouldAllocateNothing(each.getKey().equals("RATE_LIMIT") ? ROUNDS / 100 : ROUNDS, each.getValue())));
    }

    private void shouldAllocateNothing(final int count, final Runnable round)
    {
        Allocations.shouldBeNone(() -> run(count, round));
        engine.verify();
    }

    private static void run(final int count, final Runnable round)
    {
        for (int i = 0; i < count; i++)
        {
            round.run();
        }
    }
}
