package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Adding and removing symbols, the parts of an engine, and its hash as a sum. */
class EngineSymbolsTest
{
    private static final int BTC = 1;
    private static final int USD = 2;
    private static final SymbolTerms FUTURE = SymbolTerms.future(BTC, USD, 40, 50, 100);
    private static final SymbolTerms SPOT = SymbolTerms.spot(BTC, USD, 10, 1);

    private static SymbolSpec spot(final int symbol)
    {
        return SymbolSpec.spot(symbol).withOrderCapacity(16).withWindowTicks(64);
    }

    private static SymbolSpec future(final int symbol)
    {
        return SymbolSpec.future(symbol).withOrderCapacity(16).withWindowTicks(64).withPrices(0, 1_000);
    }

    private static EngineContext context()
    {
        return new EngineContext().symbolCapacity(2);
    }

    private static MatchingEngine withUsers()
    {
        final MatchingEngine engine = new MatchingEngine(
            context().risk(new RiskLimits().withUsers(4).withCurrencies(3)), new EventCounter());
        for (long uid = 7; uid <= 8; uid++)
        {
            assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
            assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, USD, 10_000, 1));
        }
        return engine;
    }

    private static CommandResult bid(final MatchingEngine engine, final int symbol, final long uid, final long price)
    {
        return engine.execute(symbol, new BookCommand().place(OrderType.GTC, Side.BID).orderId(uid).uid(uid)
            .price(price).size(1).reservePrice(price));
    }

    private static CommandResult ask(final MatchingEngine engine, final int symbol, final long uid, final long price)
    {
        return engine.execute(symbol, new BookCommand().place(OrderType.GTC, Side.ASK).orderId(uid).uid(uid)
            .price(price).size(1));
    }

    @Test
    void shouldAddNewSymbolsThatFit()
    {
        final MatchingEngine engine = withUsers();
        assertEquals(CommandResult.UNKNOWN_SYMBOL, bid(engine, 5, 7, 100));
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(null, SPOT));
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(spot(5), null));
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(spot(5), FUTURE));
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(future(5), SPOT));
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(SymbolSpec.future(5), FUTURE), "all prices");
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spot(5), SPOT));
        assertEquals(CommandResult.SYMBOL_EXISTS, engine.addSymbol(spot(5), SPOT));
        assertEquals(CommandResult.CURRENCIES_FULL, engine.addSymbol(spot(6), SymbolTerms.spot(3, 4, 1, 1)));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(future(6), FUTURE));
        assertEquals(CommandResult.SYMBOLS_FULL, engine.addSymbol(spot(7), SPOT));
        assertEquals(CommandResult.SUCCESS, bid(engine, 5, 7, 100));
        engine.verify();
    }

    @Test
    void shouldReuseTheSlotOfARemovedSymbol()
    {
        final MatchingEngine engine = withUsers();
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(future(5), FUTURE));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(future(6), FUTURE));
        // The spot symbol below needs this account, and accounts stay.
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(7, BTC, 0, 2));
        final long hash = engine.stateHash();
        assertEquals(CommandResult.SUCCESS, bid(engine, 6, 7, 100));
        assertEquals(CommandResult.SYMBOL_NOT_EMPTY, engine.removeSymbol(6));
        assertEquals(CommandResult.SUCCESS, ask(engine, 6, 8, 100));
        assertEquals(CommandResult.SYMBOL_NOT_EMPTY, engine.removeSymbol(6));
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(5));
        assertNull(engine.book(5));
        // It takes the place of the future 5, and finds no position there.
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spot(9), SPOT));
        assertEquals(CommandResult.SUCCESS, bid(engine, 9, 7, 100));
        engine.verify();
        assertEquals(CommandResult.SUCCESS, engine.cancel(9, 7, 7));
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(9));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(future(5), FUTURE));
        assertEquals(CommandResult.SUCCESS, ask(engine, 6, 7, 100));
        assertEquals(CommandResult.SUCCESS, bid(engine, 6, 8, 100));
        assertNotEquals(hash, engine.stateHash(), "the book remembers its last trade");
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(6));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(future(6), FUTURE));
        assertEquals(hash, engine.stateHash());
        engine.verify();
    }

    @Test
    void shouldRefuseTermsAndUsersInAnEngineWithoutUsers()
    {
        final MatchingEngine engine = new MatchingEngine(context(), new EventCounter());
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(spot(5), SPOT));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spot(5), null));
        assertEquals(List.of(CommandResult.NO_RISK, CommandResult.NO_RISK, CommandResult.NO_RISK,
            CommandResult.NO_RISK), List.of(engine.addUser(7), engine.adjustBalance(7, 1, 1, 1),
            engine.suspendUser(7), engine.resumeUser(7)));
        assertEquals(CommandResult.SUCCESS, bid(engine, 5, 7, 100));
        assertEquals(CommandResult.SUCCESS, engine.replace(5, 7, 7, 99, 9));
    }

    @Test
    void shouldReportTheErrorOfAContext()
    {
        assertSays("symbolCapacity 0 is not in 1..1048576", context().symbolCapacity(0));
        assertSays("symbolCapacity 1025 is not in 1..1024", context().symbolCapacity(1_025).risk(new RiskLimits()));
        assertSays("maxOrderCapacity 0 is below 1", context().maxOrderCapacity(0));
        assertSays("symbol 5 is given twice", context().symbol(spot(5)).symbol(spot(5)));
        assertSays("symbol 5: terms are given, but the engine keeps no users", context().symbol(spot(5), SPOT));
        assertSays("symbol 7: symbolCapacity 2 is less than the 3 symbols of the context",
            context().symbol(spot(5)).symbol(spot(6)).symbol(spot(7)));
        assertSays("symbol 5: currencyCapacity 1 of the RiskLimits is too small",
            context().risk(new RiskLimits().withCurrencies(1)).symbol(spot(5), SPOT));
    }

    private static void assertSays(final String message, final EngineContext context)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class,
            () -> new MatchingEngine(context, new EventCounter())).getMessage());
    }

    @Test
    void shouldRefuseASymbolAboveTheMaximumCapacity()
    {
        final MatchingEngine engine = new MatchingEngine(
            context().maxOrderCapacity(20).symbol(spot(5).withOrderCapacity(40)), new EventCounter());
        final long hash = engine.stateHash();
        assertEquals(CommandResult.WRONG_TERMS, engine.addSymbol(spot(6).withOrderCapacity(21), null));
        assertEquals(hash, engine.stateHash());
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spot(6).withOrderCapacity(20), null));
        assertEquals(CommandResult.SUCCESS, engine.reset());
        assertEquals(40, engine.book(5).spec().orderCapacity());
        assertEquals(CommandResult.WRONG_TERMS, new MatchingEngine(
            context().maxOrderCapacity(20).shard(0, 1), new EventCounter()).addSymbol(
            spot(6).withOrderCapacity(21), null));
        assertEquals(CommandResult.WRONG_TERMS, new MatchingEngine(context(), new EventCounter()).addSymbol(
            spot(6).withOrderCapacity((1 << 20) + 1), null), "by default");
    }

    @Test
    void shouldRefuseSymbolsAboveTheirCapacityTogether()
    {
        final SymbolSpec small = spot(5).withOrderCapacity(36).withWindowTicks(64);
        final MatchingEngine engine =
            new MatchingEngine(context().symbol(small).maxAddedCapacity(200), new EventCounter());
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(
            spot(6).withOrderCapacity(36).withWindowTicks(64), null));
        assertEquals(CommandResult.SYMBOLS_FULL, engine.addSymbol(
            spot(7).withOrderCapacity(37).withWindowTicks(64), null));
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(5));
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(
            spot(7).withOrderCapacity(136).withWindowTicks(64), null));
        assertEquals(CommandResult.SYMBOLS_FULL, engine.addSymbol(
            spot(5).withOrderCapacity(1).withWindowTicks(64), null));
        assertSays("maxAddedCapacity -1 is negative", context().maxAddedCapacity(-1));
    }

    @Test
    void shouldStartOverAfterAReset()
    {
        final MatchingEngine engine = new MatchingEngine(context().risk(new RiskLimits().withUsers(4))
            .symbol(spot(5), SPOT), new EventCounter());
        final long hash = engine.stateHash();
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spot(6), SPOT));
        assertEquals(CommandResult.SUCCESS, engine.addUser(7));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(7, USD, 1_000, 1));
        assertEquals(CommandResult.SUCCESS, bid(engine, 5, 7, 100));
        assertEquals(CommandResult.SUCCESS, engine.haltSymbol(5));
        assertEquals(CommandResult.SUCCESS, engine.reset());
        assertEquals(hash, engine.stateHash());
        assertFalse(engine.isHalted(5));
        assertEquals(CommandResult.UNKNOWN_USER, engine.suspendUser(7));
        assertEquals(CommandResult.UNKNOWN_SYMBOL, engine.removeSymbol(6));
    }

    @Test
    void shouldHaveTheSumOfTheHashesOfItsParts()
    {
        final MatchingEngine whole = new MatchingEngine(context().symbol(spot(5)).symbol(future(6)),
            new EventCounter());
        final MatchingEngine one = new MatchingEngine(context().symbol(spot(5)), new EventCounter());
        final MatchingEngine other = new MatchingEngine(context().symbol(future(6)), new EventCounter());
        for (final MatchingEngine engine : List.of(whole, one))
        {
            assertEquals(CommandResult.SUCCESS, bid(engine, 5, 7, 100));
        }
        for (final MatchingEngine engine : List.of(whole, other))
        {
            assertEquals(CommandResult.SUCCESS, ask(engine, 6, 8, 100));
            assertEquals(CommandResult.SUCCESS, engine.haltSymbol(6));
        }
        assertEquals(whole.stateHash(), one.stateHash() + other.stateHash());
        assertEquals(CommandResult.SUCCESS, other.resumeSymbol(6));
        assertNotEquals(whole.stateHash(), one.stateHash() + other.stateHash());
    }

    @Test
    void shouldExpireOrdersBeforeACommandOfTheirSymbolWithAnyAnswer()
    {
        final MatchingEngine engine = new MatchingEngine(context().symbol(spot(5)).symbol(spot(6)),
            new EventCounter());
        engine.time(10);
        for (final int symbol : new int[]{5, 6})
        {
            assertEquals(CommandResult.WRONG_EXPIRY,
                engine.execute(symbol, new BookCommand().place(OrderType.GTD, Side.BID).orderId(1).uid(7).price(100)
                    .size(1).reservePrice(100).parameter(10)));
            assertEquals(CommandResult.SUCCESS,
                engine.execute(symbol, new BookCommand().place(OrderType.GTD, Side.BID).orderId(1).uid(7).price(100)
                    .size(1).reservePrice(100).parameter(20)));
        }
        engine.time(20);
        assertEquals(CommandResult.UNKNOWN_ORDER, engine.cancel(5, 99, 7));
        assertEquals(0, engine.book(5).orderCount());
        assertEquals(1, engine.book(6).orderCount(), "another symbol's wait for a command of theirs, or a TICK");
        assertEquals(CommandResult.WRONG_TIME, engine.tick(0));
        assertEquals(CommandResult.SUCCESS, engine.tick(20));
        assertEquals(0, engine.book(6).orderCount());
    }

    @Test
    void shouldReportTheLevelsOfABookBidsFirst()
    {
        final MatchingEngine engine = new MatchingEngine(context().symbol(spot(5)), new EventCounter());
        for (long id = 1; id <= 4; id++)
        {
            bid(engine, 5, id, 90 + id);
            ask(engine, 5, 10 + id, 100 + id);
        }
        final List<String> levels = new ArrayList<>();
        assertEquals(CommandResult.UNKNOWN_SYMBOL, engine.bookReport(4, 2, (side, price, volume, orders) ->
            levels.add("none")));
        assertEquals(CommandResult.SUCCESS, engine.bookReport(5, 2, (side, price, volume, orders) ->
            levels.add(Side.name(side) + " " + price)));
        assertEquals(List.of("BID 94", "BID 93", "ASK 101", "ASK 102"), levels);
        assertTrue(engine.book(5).spec().equals(spot(5)));
    }
}
