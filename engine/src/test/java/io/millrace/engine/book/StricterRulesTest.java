package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What another exchange core was seen to get wrong, as far as a book alone can: each of these is a rule here. Of the
 * eight defects of the rules' last table these are here or with the risk stage, in {@code StricterRiskTest}: sizes and
 * prices, duplicates, budgets, proceeds, free margin, codes. The other two have tests of their own: the hash that is
 * the same on every JVM {@link StateHashTest} and {@code RiskHashTest}; that a command allocates nothing {@link
 * OrderBookAllocationTest} and the {@code RiskAllocationTest} of each package. Both have a short one here too.
 */
class StricterRulesTest
{
    private static final long UID = 7;
    private static final int COMMANDS = 400_000;

    private final EventCounter events = new EventCounter();
    private final OrderBook book = new OrderBook(SymbolSpec.spot(1).withOrderCapacity(64), events);

    private void shouldChangeNothing(final CommandResult expected, final CommandResult result, final long hashBefore)
    {
        assertEquals(expected, result);
        assertEquals(hashBefore, book.stateHash());
        assertTrue(events.isSilent());
    }

    /** There a bid of -5 lots was accepted and made its user richer. */
    @Test
    void shouldRefuseSizesAndPricesThatAreZeroOrNegative()
    {
        final long hash = book.stateHash();
        for (final long size : new long[]{0, -1, -5, Long.MIN_VALUE})
        {
            shouldChangeNothing(CommandResult.WRONG_SIZE,
                book.place(OrderType.GTC, Side.BID, 1, UID, 100, size, 100), hash);
        }
        for (final long price : new long[]{-1, -100, Long.MIN_VALUE})
        {
            shouldChangeNothing(CommandResult.WRONG_PRICE,
                book.place(OrderType.GTC, Side.BID, 1, UID, price, 5, 100), hash);
        }
    }

    /** 0 is a price unless the symbol says otherwise: one of the recorded streams places there. */
    @Test
    void shouldRefuseThePriceOfZeroWhereTheSymbolSaysSo()
    {
        final OrderBook positive = new OrderBook(SymbolSpec.spot(1).withPrices(1, SymbolSpec.MAX_PRICE), events);
        assertEquals(CommandResult.WRONG_PRICE, positive.place(OrderType.GTC, Side.BID, 1, UID, 0, 5, 100));
        assertEquals(CommandResult.SUCCESS, book.place(OrderType.GTC, Side.BID, 1, UID, 0, 5, 100));
    }

    /** There it traded first, and then its rest was rejected. */
    @Test
    void shouldRefuseADuplicateIdBeforeAnythingHappens()
    {
        book.place(OrderType.GTC, Side.ASK, 1, UID, 100, 5, 0);
        book.place(OrderType.GTC, Side.BID, 2, UID, 90, 5, 90);
        final long hash = book.stateHash();
        shouldChangeNothing(CommandResult.DUPLICATE_ORDER,
            book.place(OrderType.GTC, Side.BID, 2, UID, 100, 9, 100), hash);
        shouldChangeNothing(CommandResult.DUPLICATE_ORDER,
            book.place(OrderType.IOC, Side.BID, 1, UID + 1, 100, 9, 100), hash);
    }

    /** There both types were rejected, and the money for the second was given back wrongly. */
    @Test
    void shouldFillOrKillAndKeepToABudget()
    {
        book.place(OrderType.GTC, Side.ASK, 1, UID, 100, 5, 0);
        assertEquals(CommandResult.SUCCESS, book.place(OrderType.FOK, Side.BID, 2, UID, 100, 3, 100));
        assertEquals(3, events.volume);
        assertEquals(CommandResult.SUCCESS, book.place(OrderType.FOK, Side.BID, 2, UID, 100, 3, 100));
        assertEquals(3, events.rejected);
        assertEquals(CommandResult.SUCCESS, book.place(OrderType.IOC_BUDGET, Side.BID, 2, UID, 200, 3, 200));
        assertEquals(5, events.volume);
        assertEquals(4, events.rejected, "one lot more, and nothing of the rest");
    }

    /** There the hash of the same stream differed between two runs. Here it is a function of what rests. */
    @Test
    void shouldHashByWhatRestsAlone()
    {
        final long empty = book.stateHash();
        final OrderBook other = new OrderBook(SymbolSpec.spot(1).withOrderCapacity(1_000), events);
        for (int id = 0; id < 50; id++)
        {
            book.place(OrderType.GTC, Side.BID, id, UID, id, 5, 100);
            other.place(OrderType.GTC, Side.BID, 49 - id, UID, 49 - id, 5, 100);
        }
        assertEquals(book.stateHash(), other.stateHash());
        for (int id = 0; id < 50; id++)
        {
            book.cancel(id * 7 % 50, UID);
        }
        assertEquals(empty, book.stateHash());
    }

    /** There the book alone took 13.4 bytes for each command. */
    @Test
    void shouldAllocateNothingForCommandsOfEveryTypeAndPolicy()
    {
        for (final boolean spot : new boolean[]{true, false})
        {
            final OrderBook mixed = new OrderBook(MixedCommands.spec(spot), events);
            final MixedCommands commands = new MixedCommands(3, mixed);
            events.clear();
            Allocations.shouldBeNone(() -> commands.run(COMMANDS));
            assertTrue(events.trades > COMMANDS / 5 && events.rejects > COMMANDS / 20 &&
                events.reduces > COMMANDS / 10 && events.triggers > COMMANDS / 50);
            mixed.verify();
        }
    }
}
