package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M1: The numbers of the commands that only an engine has, at, below and above their limits: symbols, users, times,
 * adjustments, depths. A refused command leaves the hash unchanged. {@code BoundaryTest} does the same for a book.
 */
class EngineBoundaryTest
{
    private static final int SYMBOL = 5;
    private static final long UID = 7;
    private static final int CURRENCY = 3;
    private static final long START = 1_000;
    private static final long MOST = RiskLimits.MAX_ADJUSTED;
    private static final long[] ENDS =
        {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    private static final int[] NO_SYMBOLS = {Integer.MIN_VALUE, -1, 0, 4, 6, Integer.MAX_VALUE};

    private final EventCounter listener = new EventCounter();

    private static SymbolSpec spec(final int symbol)
    {
        return SymbolSpec.spot(symbol).withOrderCapacity(8).withWindowTicks(64);
    }

    private MatchingEngine withUsers()
    {
        final MatchingEngine engine = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withCapacities(2, 8, 8)).symbolCapacity(2)
            .symbol(spec(SYMBOL), SymbolTerms.spot(1, CURRENCY, 1, 1)), listener);
        assertEquals(CommandResult.SUCCESS, engine.addUser(UID));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, START, 10));
        return engine;
    }

    private MatchingEngine withoutUsers()
    {
        return new MatchingEngine(List.of(spec(SYMBOL)), listener);
    }

    private void shouldRefuse(
        final MatchingEngine engine,
        final CommandResult expected,
        final Function<MatchingEngine, CommandResult> command)
    {
        final long hash = engine.stateHash();
        assertEquals(expected, command.apply(engine));
        assertEquals(hash, engine.stateHash());
        assertTrue(listener.isSilent());
    }

    @Test
    void shouldRefuseOtherSymbols()
    {
        for (final MatchingEngine engine : List.of(withUsers(), withoutUsers()))
        {
            for (final int symbol : NO_SYMBOLS)
            {
                final CommandResult unknown = CommandResult.UNKNOWN_SYMBOL;
                shouldRefuse(engine, unknown, e -> e.execute(symbol,
                    new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(100).size(1)
                    .reservePrice(100)));
                shouldRefuse(engine, unknown, e -> e.execute(symbol,
                    new BookCommand().place((byte)99, (byte)99).selfTradePolicy((byte)99).orderId(1).uid(UID).price(-1)
                    .size(-1).reservePrice(-1).parameter(-1)));
                shouldRefuse(engine, unknown, e -> e.cancel(symbol, 1, UID));
                shouldRefuse(engine, unknown, e -> e.reduce(symbol, 1, UID, -1));
                shouldRefuse(engine, unknown, e -> e.move(symbol, 1, UID, -1));
                shouldRefuse(engine, unknown, e -> e.replace(symbol, 1, UID, -1, -1));
                shouldRefuse(engine, unknown, e -> e.haltSymbol(symbol));
                shouldRefuse(engine, unknown, e -> e.resumeSymbol(symbol));
                shouldRefuse(engine, unknown, e -> e.removeSymbol(symbol));
                shouldRefuse(engine, unknown, e -> e.bookReport(symbol, -1, listener));
                assertNull(engine.book(symbol));
            }
        }
    }

    @Test
    void shouldAcceptTicksFromOneOn()
    {
        for (final MatchingEngine engine : List.of(withUsers(), withoutUsers()))
        {
            for (final long time : ENDS)
            {
                final CommandResult expected = time < 1 ? CommandResult.WRONG_TIME : CommandResult.SUCCESS;
                // Time is no state.
                final long hash = engine.stateHash();
                assertEquals(expected, engine.tick(time), () -> "time " + time);
                assertEquals(hash, engine.stateHash());
            }
        }
    }

    @Test
    void shouldExpireAnOrderOnlyAfterTheTimeOfItsCommand()
    {
        for (final long time : new long[]{Long.MIN_VALUE, -1, 0, 1, 2, 1_000, Long.MAX_VALUE - 1, Long.MAX_VALUE})
        {
            final long least = time < 1 ? 1 : time == Long.MAX_VALUE ? 0 : time + 1;
            for (final long expiry : new long[]{Long.MIN_VALUE, -1, 0, 1, time - 1, time, time + 1, Long.MAX_VALUE})
            {
                final MatchingEngine engine = withoutUsers();
                engine.time(time);
                final boolean right = least > 0 && expiry >= least;
                assertEquals(right ? CommandResult.SUCCESS : CommandResult.WRONG_EXPIRY,
                    engine.execute(SYMBOL, new BookCommand().place(OrderType.GTD, Side.BID).orderId(1).uid(UID)
                    .price(100).size(1).reservePrice(100).parameter(expiry)),
                    () -> "time " + time + ", expiry " + expiry);
                assertEquals(right ? 1 : 0, engine.book(SYMBOL).orderCount());
            }
        }
    }

    @Test
    void shouldAcceptAnyNumberAsAUserAndRefuseUnknownUsers()
    {
        for (final long uid : ENDS)
        {
            final MatchingEngine engine = withUsers();
            shouldRefuse(engine, CommandResult.UNKNOWN_USER, e -> e.execute(SYMBOL,
                new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(uid).price(100).size(1)
                .reservePrice(100)));
            shouldRefuse(engine, CommandResult.UNKNOWN_USER, e -> e.adjustBalance(uid, CURRENCY, 1, 1));
            shouldRefuse(engine, CommandResult.UNKNOWN_USER, e -> e.suspendUser(uid));
            assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
            shouldRefuse(engine, CommandResult.USER_EXISTS, e -> e.addUser(uid));
            shouldRefuse(engine, CommandResult.USER_NOT_SUSPENDED, e -> e.resumeUser(uid));
            shouldRefuse(engine, CommandResult.USERS_FULL, e -> e.addUser(50));
            assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, CURRENCY, 100, 1));
            assertEquals(CommandResult.SUCCESS, engine.execute(SYMBOL,
                new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(uid).price(100).size(1)
                .reservePrice(100)));
            engine.verify();
        }
    }

    /** Of three accounts the first user has one. A spot order of the other user opens two. */
    @Test
    void shouldOpenAccountsUntilTheLastOne()
    {
        final MatchingEngine engine = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withCapacities(2, 3, 8))
            .symbol(spec(SYMBOL), SymbolTerms.spot(1, CURRENCY, 1, 1)), listener);
        assertEquals(CommandResult.SUCCESS, engine.addUser(UID));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, START, 10));
        assertEquals(CommandResult.SUCCESS, engine.addUser(8));
        final BookCommand bid = new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).size(1);
        assertEquals(CommandResult.SUCCESS, engine.execute(SYMBOL, bid.uid(8)));
        shouldRefuse(engine, CommandResult.ACCOUNTS_FULL, e -> e.execute(SYMBOL, bid.orderId(2).uid(UID)));
        shouldRefuse(engine, CommandResult.ACCOUNTS_FULL, e -> e.adjustBalance(UID, 1, 1, 11));
        shouldRefuse(engine, CommandResult.ACCOUNTS_FULL, e -> e.adjustBalance(UID, 99, 1, 11));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, 1, 11), "it exists");
        engine.verify();
    }

    /** The correct answer to an adjustment of a balance of {@link #START}, with the id after the last. */
    private static CommandResult expected(final long amount)
    {
        return amount > MOST - START ? CommandResult.BALANCE_OVERFLOW : amount < -START ? CommandResult.BALANCE_NSF :
            CommandResult.SUCCESS;
    }

    @Test
    void shouldAdjustABalanceFromNothingToTheLimit()
    {
        final List<Long> amounts = new ArrayList<>();
        for (final long end : new long[]{Long.MIN_VALUE, -MOST, -START, 0, START, MOST - START, MOST, Long.MAX_VALUE})
        {
            amounts.addAll(List.of(end - 1, end, end + 1));
        }
        for (final long amount : amounts)
        {
            final MatchingEngine engine = withUsers();
            final CommandResult expected = expected(amount);
            if (expected == CommandResult.SUCCESS)
            {
                final long hash = engine.stateHash();
                assertEquals(expected, engine.adjustBalance(UID, CURRENCY, amount, 11), () -> "amount " + amount);
                assertNotEquals(hash, engine.stateHash());
            }
            else
            {
                shouldRefuse(engine, expected, e -> e.adjustBalance(UID, CURRENCY, amount, 11));
                assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, 1, 11), "the id is still free");
            }
            engine.verify();
        }
    }

    @Test
    void shouldAcceptOnlyRisingAdjustmentIds()
    {
        for (final long id : new long[]{Long.MIN_VALUE, -1, 0, 1, 9})
        {
            shouldRefuse(withUsers(), CommandResult.ALREADY_APPLIED_MANY, e -> e.adjustBalance(UID, CURRENCY, 1, id));
        }
        shouldRefuse(withUsers(), CommandResult.ALREADY_APPLIED_SAME, e -> e.adjustBalance(UID, CURRENCY, 1, 10));
        final MatchingEngine engine = withUsers();
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, 1, 11));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, CURRENCY, 1, Long.MAX_VALUE));
        shouldRefuse(engine, CommandResult.ALREADY_APPLIED_SAME,
            e -> e.adjustBalance(UID, CURRENCY, 1, Long.MAX_VALUE));
    }

    @Test
    void shouldAcceptAnyNumberAsACurrency()
    {
        final MatchingEngine engine = withUsers();
        long id = 10;
        for (final int currency : new int[]{Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE})
        {
            assertEquals(CommandResult.SUCCESS, engine.adjustBalance(UID, currency, MOST, ++id));
            final long next = id + 1;
            shouldRefuse(engine, CommandResult.BALANCE_OVERFLOW, e -> e.adjustBalance(UID, currency, 1, next));
        }
        engine.verify();
    }

    @Test
    void shouldRefuseEveryUserCommandInAnEngineWithoutUsers()
    {
        final MatchingEngine engine = withoutUsers();
        for (final long any : ENDS)
        {
            shouldRefuse(engine, CommandResult.NO_RISK, e -> e.addUser(any));
            shouldRefuse(engine, CommandResult.NO_RISK, e -> e.adjustBalance(any, 1, any, any));
            shouldRefuse(engine, CommandResult.NO_RISK, e -> e.suspendUser(any));
            shouldRefuse(engine, CommandResult.NO_RISK, e -> e.resumeUser(any));
        }
    }

    @Test
    void shouldReportAsManyLevelsAsRequested()
    {
        final MatchingEngine engine = withoutUsers();
        for (int id = 0; id < 3; id++)
        {
            engine.execute(SYMBOL, new BookCommand().place(OrderType.GTC, Side.BID).orderId(id).uid(UID).price(90 + id)
                .size(1).reservePrice(100));
            engine.execute(SYMBOL, new BookCommand().place(OrderType.GTC, Side.ASK).orderId(10 + id).uid(UID)
                .price(100 + id).size(1).reservePrice(100));
        }
        for (final int depth : new int[]{Integer.MIN_VALUE, -1, 0, 1, 2, 3, 4, Integer.MAX_VALUE})
        {
            final List<Long> prices = new ArrayList<>();
            final PriceLevelConsumer consumer = (side, price, volume, orders) -> prices.add(price);
            assertEquals(CommandResult.SUCCESS, engine.bookReport(SYMBOL, depth, consumer));
            assertEquals(depth < 0 ? 6 : 2 * Math.min(3, depth), prices.size(), () -> "depth " + depth);
        }
    }
}
