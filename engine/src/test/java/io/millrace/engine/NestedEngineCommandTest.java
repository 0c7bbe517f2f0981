package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** In checked mode, an engine refuses every command from inside one of its listeners or readers. */
@Tag("checked")
class NestedEngineCommandTest
{
    private static final SymbolSpec SPOT =
        SymbolSpec.spot(5).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 900);
    private static final SymbolSpec FUTURE =
        SymbolSpec.future(6).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 900);

    private MatchingEngine engine;
    private int meddlings;

    private void meddle()
    {
        final List<Runnable> commands = List.of(
            () -> engine.execute(6, new BookCommand().place(OrderType.GTC, Side.BID).orderId(99).uid(1).price(100)
                .size(1).reservePrice(100)), () -> engine.cancel(6, 1, 1),
            () -> engine.reduce(6, 1, 1, 1), () -> engine.move(6, 1, 1, 1), () -> engine.replace(6, 1, 1, 1, 1),
            () -> engine.execute(6, new BookCommand().cancel(1, 1)),
            () -> engine.time(99), () -> engine.tick(99), () -> engine.reset(), () -> engine.addSymbol(null, null),
            () -> engine.haltSymbol(6), () -> engine.resumeSymbol(6), () -> engine.removeSymbol(6),
            () -> engine.addUser(3), () -> engine.adjustBalance(1, 2, 1, 99), () -> engine.suspendUser(1),
            () -> engine.resumeUser(3), () -> engine.bookReport(6, -1, (side, price, volume, orders) -> meddlings++));
        for (final Runnable command : commands)
        {
            final String message = assertThrows(IllegalStateException.class, command::run).getMessage();
            assertTrue(message.startsWith("a command was given to the engine from inside one of its listeners or "),
                message);
        }
        meddlings++;
    }

    private MatchingEngine create(final Runnable inspect)
    {
        final InvocationHandler handler = (proxy, method, arguments) ->
        {
            if (method.getReturnType() == boolean.class)
            {
                // It reads everything.
                return true;
            }
            inspect.run();
            return null;
        };
        final MarketDataListener feed = (MarketDataListener)Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {MarketDataListener.class}, handler);
        final MatchingEngine created = new MatchingEngine(new EngineContext().marketData(symbol -> feed)
            .risk(new RiskLimits().withUsers(4)).symbol(SPOT, SymbolTerms.spot(1, 2, 1, 1))
            .symbol(FUTURE, SymbolTerms.future(1, 2, 40, 50, 100)), new Listeners(inspect));
        for (long uid = 1; uid <= 2; uid++)
        {
            assertEquals(CommandResult.SUCCESS, created.addUser(uid));
            assertEquals(CommandResult.SUCCESS, created.adjustBalance(uid, 1, 100_000, 1));
            assertEquals(CommandResult.SUCCESS, created.adjustBalance(uid, 2, 100_000, 2));
        }
        return created;
    }

    private static void run(final MatchingEngine engine)
    {
        for (int symbol = 5; symbol <= 6; symbol++)
        {
            assertEquals(CommandResult.SUCCESS, engine.execute(symbol,
                new BookCommand().place(OrderType.GTC, Side.ASK).orderId(1).uid(1).price(100).size(5)));
            assertEquals(CommandResult.SUCCESS, engine.execute(symbol,
                new BookCommand().place(OrderType.GTC, Side.BID).orderId(2).uid(2).price(100).size(3)
                .reservePrice(100)));
            assertEquals(CommandResult.SUCCESS, engine.execute(symbol,
                new BookCommand().place(OrderType.IOC, Side.BID).orderId(3).uid(2).price(90).size(3)
                .reservePrice(100)));
            assertEquals(CommandResult.SUCCESS, engine.cancel(symbol, 1, 1));
        }
    }

    @Test
    void shouldRefuseThemInsideAListener()
    {
        final MatchingEngine calm = create(() ->
        {
        });
        engine = create(this::meddle);
        run(calm);
        run(engine);
        assertTrue(meddlings > 10, meddlings + " times");
        assertEquals(calm.stateHash(), engine.stateHash());
        engine.verify();
    }

    @Test
    void shouldRefuseThemInsideAReader()
    {
        engine = create(() ->
        {
        });
        assertEquals(CommandResult.SUCCESS, engine.execute(6, new BookCommand().place(OrderType.GTC, Side.ASK)
            .orderId(1).uid(1).price(100).size(5)));
        final long hash = engine.stateHash();
        engine.bookReport(6, -1, (side, price, volume, orders) -> meddle());
        assertEquals(1, meddlings);
        assertEquals(hash, engine.stateHash());
        assertEquals(CommandResult.SUCCESS, engine.execute(6, new BookCommand().place(OrderType.GTD, Side.ASK)
            .orderId(2).uid(1).price(101).size(5).parameter(10)));
        engine.tick(10);
        assertEquals(1, engine.book(6).orderCount());
        engine.verify();
        assertEquals(CommandResult.SUCCESS, engine.cancel(6, 1, 1), "afterwards all is as ever");
    }
}
