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

/**
 * Expiry of GTD orders: with users before every command of any symbol; without users before a command of their symbol.
 */
class EngineExpiryTest
{
    private static final int SYMBOLS = 3;

    private final List<Long> expired = new ArrayList<>();
    private final List<Integer> symbols = new ArrayList<>();
    private final MatchingEngine engine = engine(true);

    private MatchingEngine engine(final boolean users)
    {
        final EngineContext context = new EngineContext();
        if (users)
        {
            context.risk(new RiskLimits().withUsers(4));
        }
        for (int symbol = 1; symbol <= SYMBOLS; symbol++)
        {
            context.symbol(SymbolSpec.spot(symbol).withOrderCapacity(64),
                users ? SymbolTerms.spot(100, 200, 1, 1) : null);
        }
        final MatchingEngine made = new MatchingEngine(context, (Execution.Listener)e ->
        {
            if (e.kind() == Execution.Kind.REDUCE)
            {
                expired.add(e.orderId());
                symbols.add(e.symbol());
            }
        });
        if (users)
        {
            made.addUser(7);
            made.adjustBalance(7, 200, 10_000, 1);
        }
        return made;
    }

    private static CommandResult gtd(
        final MatchingEngine to, final int symbol, final long id, final long size, final long expiryNs)
    {
        return to.execute(symbol, new BookCommand().place(OrderType.GTD, Side.BID).orderId(id).uid(7).price(100)
            .size(size).reservePrice(100).parameter(expiryNs));
    }

    private static CommandResult bid(final MatchingEngine to, final int symbol, final long id, final long size)
    {
        return to.execute(symbol, new BookCommand().place(OrderType.GTC, Side.BID).orderId(id).uid(7).price(100)
            .size(size).reservePrice(100));
    }

    @Test
    void shouldReleaseTheReserveOfAnExpiredOrderOfAnotherSymbol()
    {
        engine.time(50);
        assertEquals(CommandResult.SUCCESS, gtd(engine, 1, 1, 100, 60));
        engine.time(59);
        assertEquals(CommandResult.RISK_NSF, bid(engine, 2, 2, 100));
        engine.time(1_000);
        assertEquals(CommandResult.SUCCESS, bid(engine, 2, 2, 100));
        assertEquals(List.of(1L), expired);
        assertEquals(-1, engine.book(1).bestPrice(Side.BID));
        engine.verify();
    }

    @Test
    void shouldExpireBeforeCommandsThatNameNoSymbol()
    {
        engine.time(50);
        assertEquals(CommandResult.SUCCESS, gtd(engine, 1, 1, 100, 60));
        assertEquals(CommandResult.BALANCE_NSF, engine.adjustBalance(7, 200, -1, 2));
        engine.time(60);
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(7, 200, -10_000, 2));
        assertEquals(List.of(1L), expired);
    }

    @Test
    void shouldExpireByTimeThenBySymbolThenAsAccepted()
    {
        engine.time(1);
        gtd(engine, 3, 1, 1, 30);
        gtd(engine, 1, 2, 1, 40);
        gtd(engine, 2, 3, 1, 30);
        gtd(engine, 1, 4, 1, 30);
        gtd(engine, 3, 5, 1, 20);
        gtd(engine, 1, 6, 1, 30);
        gtd(engine, 2, 7, 1, 50);
        engine.time(40);
        assertEquals(List.of(5L, 4L, 6L, 3L, 1L, 2L), expired);
        assertEquals(List.of(3, 1, 1, 2, 3, 1), symbols);
        engine.time(49);
        assertEquals(CommandResult.SUCCESS, engine.tick(50));
        assertEquals(List.of(3, 1, 1, 2, 3, 1, 2), symbols);
        engine.verify();
    }

    @Test
    void shouldForgetOrdersThatLeftBeforeTheirExpiry()
    {
        engine.time(1);
        gtd(engine, 1, 1, 1, 30);
        gtd(engine, 1, 2, 1, 20);
        engine.cancel(1, 2, 7);
        gtd(engine, 2, 3, 1, 20);
        engine.cancel(2, 3, 7);
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(2));
        engine.verify();
        expired.clear();
        engine.time(25);
        assertEquals(List.of(), expired);
        engine.time(Long.MAX_VALUE);
        assertEquals(List.of(1L), expired);
        assertEquals(CommandResult.WRONG_EXPIRY, gtd(engine, 1, 4, 1, Long.MAX_VALUE));
        engine.time(0);
        assertEquals(CommandResult.SUCCESS, gtd(engine, 1, 4, 1, Long.MAX_VALUE));
        assertEquals(CommandResult.SUCCESS, gtd(engine, 3, 5, 1, Long.MAX_VALUE));
        engine.time(Long.MAX_VALUE - 1);
        assertEquals(List.of(1L), expired);
        engine.time(Long.MAX_VALUE);
        assertEquals(List.of(1L, 4L, 5L), expired);
    }

    @Test
    void shouldExpireWithoutUsersBeforeCommandsOfTheirSymbolOnly()
    {
        final MatchingEngine bare = engine(false);
        bare.time(50);
        assertEquals(CommandResult.SUCCESS, gtd(bare, 1, 1, 1, 60));
        bare.time(1_000);
        bid(bare, 2, 2, 1);
        assertEquals(List.of(), expired);
        bare.cancel(1, 99, 7);
        assertEquals(List.of(1L), expired);
    }
}
