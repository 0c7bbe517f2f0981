package io.millrace.engine.book;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** 0 bytes allocated at the price band, for refused orders beyond it, for larger orders, and for a halt. */
@Tag("normal")
class PriceBandAllocationTest
{
    private static final int ROUNDS = 50_000;
    private static final long UID = 7;

    private final BookCommand command = new BookCommand();
    private final EventCounter counter = new EventCounter();

    private static SymbolSpec spec(final PriceBand.Policy policy)
    {
        return SymbolSpec.spot(1).withOrderCapacity(64).withWindowTicks(64).withMaxOrderSize(50)
            .withPriceBand(new PriceBand(policy, 5, 100));
    }

    private BookCommand order(final byte type, final byte side, final long id, final long price, final long size)
    {
        return command.place(type, side).orderId(id).uid(UID).price(price).size(size)
            .reservePrice(SymbolSpec.MAX_PRICE);
    }

    @ParameterizedTest
    @EnumSource(value = PriceBand.Policy.class, names = {"REJECT", "STOP"})
    void shouldAllocateNothingAtTheBandAndForALargerOrder(final PriceBand.Policy policy) throws Exception
    {
        final OrderBook book = new OrderBook(spec(policy), counter, null);
        final CommandResult beyond =
            policy == PriceBand.Policy.REJECT ? CommandResult.OUTSIDE_PRICE_BAND : CommandResult.SUCCESS;
        Allocations.shouldBeNone(() ->
        {
            counter.clear();
            for (int i = 0; i < ROUNDS; i++)
            {
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.GTC, Side.ASK, 1, 100, 5)));
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.GTC, Side.ASK, 2, 104, 5)));
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.GTC, Side.ASK, 3, 120, 5)));
                expect(beyond, book.execute(order(OrderType.GTC, Side.BID, 4, 120, 12)));
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.MARKET, Side.BID, 5, 0, 20)));
                expect(true, book.consumeBandReached());
                expect(CommandResult.ORDER_TOO_LARGE, book.execute(order(OrderType.GTC, Side.BID, 6, 100, 51)));
                // The band is around 100 again.
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.GTC, Side.BID, 6, 100, 5)));
                expect(CommandResult.SUCCESS, book.execute(order(OrderType.GTC, Side.ASK, 7, 100, 5)));
                expect(CommandResult.SUCCESS, book.cancel(3, UID));
            }
        });
        assertEquals(ROUNDS, counter.rejects);
        assertEquals(policy == PriceBand.Policy.STOP ? 2 * ROUNDS : ROUNDS, counter.reduces);
    }

    private static void expect(final Object expected, final Object result)
    {
        if (expected != result)
        {
            throw new AssertionError(result + " and not " + expected);
        }
    }

    @Test
    void shouldAllocateNothingWhenTheBandHaltsTheSymbol() throws Exception
    {
        final MatchingEngine engine =
            new MatchingEngine(new EngineContext().symbol(spec(PriceBand.Policy.HALT)), counter);
        Allocations.shouldBeNone(() ->
        {
            counter.clear();
            for (int i = 0; i < ROUNDS; i++)
            {
                expect(CommandResult.SUCCESS, engine.execute(1, order(OrderType.GTC, Side.ASK, 1, 120, 5)));
                expect(CommandResult.SUCCESS, engine.execute(1, order(OrderType.MARKET, Side.BID, 2, 0, 5)));
                expect(CommandResult.SYMBOL_HALTED, engine.execute(1, order(OrderType.MARKET, Side.BID, 2, 0, 5)));
                expect(CommandResult.SUCCESS, engine.resumeSymbol(1));
                expect(CommandResult.SUCCESS, engine.cancel(1, 1, UID));
            }
        });
        assertTrue(counter.rejects == ROUNDS && counter.trades == 0, counter.rejects + " rejects");
    }
}
