package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** M11: One user sends orders without end; it does not affect the other users. */
class OrderStormTest
{
    private static final int SECONDS = 100;
    private static final int ORDERS_PER_SECOND = 1_000;
    private static final int RATE = 50;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long STORMER = 7;
    private static final long SELLER = 8;
    private static final long BUYER = 9;

    private final List<Execution> executions = new ArrayList<>();
    private final List<Execution> executionsInCalm = new ArrayList<>();
    private final MatchingEngine engine = engine(executions);
    private final MatchingEngine calm = engine(executionsInCalm);
    private int refused;
    private long nextId;

    private static MatchingEngine engine(final List<Execution> executions)
    {
        final MatchingEngine engine = new MatchingEngine(new EngineContext()
            .risk(new RiskLimits().withUsers(8).withRate(RATE, SECOND_NS).withMaxOpenOrders(20))
            .symbol(SymbolSpec.spot(1).withOrderCapacity(64), SymbolTerms.spot(100, 200, 1, 1)),
            (Execution.Listener)executions::add);
        for (final long uid : new long[]{STORMER, SELLER, BUYER})
        {
            engine.addUser(uid);
            engine.adjustBalance(uid, 100, 1_000_000, 1);
            engine.adjustBalance(uid, 200, 1_000_000_000, 2);
        }
        return engine;
    }

    /** The quiet engine gets only the commands that are not refused here. */
    private void storm(final long timeNs)
    {
        engine.time(timeNs);
        calm.time(timeNs);
        nextId++;
        final CommandResult result = engine.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(nextId)
            .uid(STORMER).price(90).size(1).reservePrice(90));
        if (result == CommandResult.SUCCESS)
        {
            assertEquals(result, calm.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(nextId)
                .uid(STORMER).price(90).size(1).reservePrice(90)));
        }
        else
        {
            refused++;
        }
    }

    private void other(final byte side, final long uid)
    {
        nextId++;
        assertEquals(CommandResult.SUCCESS, engine.execute(1, new BookCommand().place(OrderType.GTC, side)
            .orderId(nextId).uid(uid).price(100).size(1).reservePrice(100)));
        assertEquals(CommandResult.SUCCESS, calm.execute(1, new BookCommand().place(OrderType.GTC, side).orderId(nextId)
            .uid(uid).price(100).size(1).reservePrice(100)));
    }

    private void run(final boolean cancels)
    {
        for (int i = 0; i < SECONDS * ORDERS_PER_SECOND; i++)
        {
            storm(i * (SECOND_NS / ORDERS_PER_SECOND));
            if (cancels && engine.cancel(1, nextId, STORMER) == CommandResult.SUCCESS)
            {
                calm.cancel(1, nextId, STORMER);
            }
            if (i % 50 == 0)
            {
                other(Side.ASK, SELLER);
                other(Side.BID, BUYER);
            }
        }
        assertEquals(executionsInCalm, executions);
        assertEquals(calm.stateHash(), engine.stateHash(), "a refusal leaves nothing behind");
        engine.verify();
    }

    @Test
    void shouldLimitTheOrdersOfAUserInAnInterval()
    {
        run(true);
        assertEquals(SECONDS * (ORDERS_PER_SECOND - RATE), refused);
    }

    @Test
    void shouldLimitTheOpenOrdersOfAUser()
    {
        run(false);
        assertEquals(SECONDS * ORDERS_PER_SECOND - 20, refused);
        assertEquals(20, engine.book(1).orderCount());
    }

    /** Otherwise a client could send any number of commands as changes of one order. */
    @Test
    void shouldCountEachChangeOfAnOrderAsACommand()
    {
        storm(1);
        for (int i = 1; i < RATE; i++)
        {
            final CommandResult result = i % 3 == 0 ? engine.move(1, nextId, STORMER, 80 + i % 7) :
                i % 3 == 1 ? engine.replace(1, nextId, STORMER, 80 + i % 7, 1) :
                engine.replaceOpen(1, nextId, STORMER, 80 + i % 7, 1);
            assertEquals(CommandResult.SUCCESS, result, "change " + i);
        }
        assertEquals(CommandResult.RATE_LIMIT, engine.move(1, nextId, STORMER, 90));
        assertEquals(CommandResult.RATE_LIMIT, engine.replace(1, nextId, STORMER, 90, 1));
        assertEquals(CommandResult.RATE_LIMIT, engine.replaceOpen(1, nextId, STORMER, 90, 1));
        assertEquals(CommandResult.SUCCESS, engine.cancel(1, nextId, STORMER));
        engine.verify();
    }

    @Test
    void shouldCountOnWhenTheTimeGoesBack()
    {
        for (int i = 0; i < RATE; i++)
        {
            storm(2 * SECOND_NS);
            assertEquals(CommandResult.SUCCESS, engine.cancel(1, nextId, STORMER));
            assertEquals(CommandResult.SUCCESS, calm.cancel(1, nextId, STORMER));
        }
        storm(2 * SECOND_NS - 1);
        storm(3 * SECOND_NS - 1);
        assertEquals(2, refused);
        storm(3 * SECOND_NS);
        assertEquals(2, refused);
    }
}
