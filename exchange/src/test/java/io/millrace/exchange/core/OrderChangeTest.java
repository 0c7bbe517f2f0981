package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.InVmSource;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A replace that gives an order a new id, when its client has as many of them as it may have. */
class OrderChangeTest
{
    private static final int CLIENT = 3;
    private static final int SYMBOL = 1;
    private static final long NEW = 1L << 40;

    private final OrderIds ids = new OrderIds(7);
    private final OrderNames names = new OrderNames(ids);
    private final MatchingEngine engine = new ExchangeCore(
        new EngineContext().symbol(SymbolSpec.future(SYMBOL).withOrderCapacity(16)), ExchangeCore.MIN_WINDOW, ids,
        new InVmSource<>(Answer::new, 1_024)).engine();
    private final OrderChange change = new OrderChange(engine, names);

    private byte replace(final long id, final long newId)
    {
        final ExchangeCommand command = new ExchangeCommand();
        command.set(CommandType.REPLACE, OrderType.GTC, Side.BID, SYMBOL, ids.toEngine(CLIENT, id), CLIENT, 100, 5, 0,
            0);
        return change.prepare(command.order(CLIENT, 10, 1).with((byte)0, newId == 0 ? 0 : ids.toEngine(CLIENT, newId)));
    }

    @Test
    void shouldRefuseANewIdWhenTheClientHasItsShareOfThem()
    {
        for (long id = 1; id <= 2; id++)
        {
            assertEquals(CommandResult.SUCCESS, engine.execute(SYMBOL, new BookCommand().place(OrderType.GTC, Side.BID)
                .orderId(ids.toEngine(CLIENT, id)).uid(CLIENT).price(100).size(5)));
        }
        names.rename(SYMBOL, ids.toEngine(CLIENT, 1), ids.toEngine(CLIENT, NEW));
        for (int i = 1; i < OrderNames.CAPACITY / 2; i++)
        {
            assertEquals(AnswerReason.NONE, replace(2, NEW - 1));
            names.rename(SYMBOL + 1, ids.toEngine(CLIENT, i), ids.toEngine(CLIENT, NEW + i));
        }
        assertEquals(AnswerReason.OPEN_ORDERS_LIMIT, replace(2, NEW - 1));
        assertEquals(AnswerReason.NONE, replace(2, 0), "it keeps its id");
        assertEquals(AnswerReason.NONE, replace(NEW, NEW - 1), "its new id becomes free");
        names.remove(SYMBOL + 1, ids.toEngine(CLIENT, 1));
        assertEquals(AnswerReason.NONE, replace(2, NEW - 1));
    }
}
