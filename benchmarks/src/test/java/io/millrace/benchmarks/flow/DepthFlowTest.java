package io.millrace.benchmarks.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DepthFlowTest
{
    private static final int ORDERS = 5_000;
    private static final int COMMANDS = 50_000;

    private final CommandColumns batch = new CommandColumns("depth flow", COMMANDS);
    private final EventHash hash = new EventHash();
    private final OrderBook book =
        new OrderBook(SymbolSpec.future(1).withOrderCapacity(ORDERS + DepthFlow.SLACK), hash);

    private void give()
    {
        hash.reset(false);
        for (int i = 0; i < batch.count(); i++)
        {
            hash.command(i);
            assertEquals(CommandResult.SUCCESS, BookCommands.apply(batch, i, book));
        }
    }

    @ParameterizedTest
    @EnumSource(DepthPrices.class)
    void shouldKnowWhatABookMakesOfIt(final DepthPrices prices)
    {
        final DepthFlow flow = new DepthFlow(ORDERS, 500, prices, null);
        flow.fill(batch);
        give();
        assertEquals(ORDERS, book.orderCount());
        for (int round = 0; round < 3; round++)
        {
            flow.next(batch, COMMANDS);
            give();
            assertEquals(flow.events(), hash.events());
            assertEquals(flow.eventHash(), hash.hash());
            assertEquals(flow.orders(), book.orderCount());
            assertEquals(ORDERS, book.orderCount(), DepthFlow.SLACK);
            assertEquals(500, book.levelCount(Side.BID) + book.levelCount(Side.ASK), 4);
        }
        book.verify();
    }

    @Test
    void shouldHaveOneOrderPerLevelIfThereAreAsManyLevels()
    {
        final DepthFlow flow = new DepthFlow(ORDERS, ORDERS, DepthPrices.NEAR, null);
        flow.fill(batch);
        give();
        flow.next(batch, COMMANDS);
        give();
        assertEquals(flow.eventHash(), hash.hash());
        // Except at the two best levels, where the trades are.
        final int levels = book.levelCount(Side.BID) + book.levelCount(Side.ASK);
        assertTrue(levels >= book.orderCount() - 16 && levels <= book.orderCount(), () -> levels + " levels");
    }

    @Test
    void shouldUseOnlyTheIdsThatItIsGiven()
    {
        final long[] ids = LongStream.range(0, ORDERS + DepthFlow.SLACK).map(i -> -1 - 7 * i).toArray();
        final DepthFlow flow = new DepthFlow(ORDERS, 500, DepthPrices.NEAR, ids);
        flow.fill(batch);
        give();
        flow.next(batch, COMMANDS);
        give();
        assertEquals(flow.eventHash(), hash.hash());
        for (int i = 0; i < batch.count(); i++)
        {
            assertTrue(batch.orderId(i) < 0 && (batch.orderId(i) + 1) % 7 == 0);
        }
    }

    @Test
    void shouldHaveTheMixOfTheBenchmark()
    {
        final DepthFlow flow = new DepthFlow(ORDERS, 500, DepthPrices.NEAR, null);
        flow.fill(batch);
        flow.next(batch, COMMANDS);
        final long[] counts = new long[CommandWord.COUNTERS];
        for (int i = 0; i < batch.count(); i++)
        {
            counts[CommandWord.counter(batch.word(i))]++;
        }
        assertEquals(0.71, part(counts, BookCommands.MOVE), 0.01);
        assertEquals(0.127, part(counts, BookCommands.place(true, "GTC")), 0.02);
        assertEquals(0.073, part(counts, BookCommands.CANCEL), 0.02);
        assertEquals(0.073, part(counts, BookCommands.REDUCE), 0.01);
        assertEquals(0.018, part(counts, BookCommands.place(true, "IOC")), 0.01);
    }

    private static double part(final long[] counts, final int word)
    {
        return (double)counts[CommandWord.counter(word)] / COMMANDS;
    }

    @Test
    void shouldGiveTheSameAgain()
    {
        final CommandColumns another = new CommandColumns("depth flow", COMMANDS);
        final DepthFlow one = new DepthFlow(ORDERS, 500, DepthPrices.NEAR, null);
        final DepthFlow two = new DepthFlow(ORDERS, 500, DepthPrices.NEAR, null);
        one.fill(batch);
        two.fill(another);
        one.next(batch, COMMANDS);
        two.next(another, COMMANDS);
        assertEquals(one.eventHash(), two.eventHash());
        for (int i = 0; i < COMMANDS; i++)
        {
            assertEquals(batch.word(i), another.word(i));
            assertEquals(batch.orderId(i), another.orderId(i));
            assertEquals(batch.price(i), another.price(i));
            assertEquals(batch.size(i), another.size(i));
        }
    }

    @Test
    void shouldRefuseMoreLevelsThanOrders()
    {
        assertThrows(IllegalArgumentException.class, () -> new DepthFlow(100, 101, DepthPrices.NEAR, null));
    }
}
