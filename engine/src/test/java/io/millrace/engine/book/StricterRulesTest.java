package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Defects observed in another exchange core, as far as a book alone can show them; each is a rule here. Six of the
 * eight defects in the rules' last table are here or, with risk, in {@code StricterRiskTest}: sizes and prices,
 * duplicates, budgets, proceeds, free margin, codes. The other two have separate tests: the same hash on every JVM in
 * {@link StateHashTest} and {@code RiskHashTest}; commands that allocate nothing in {@link OrderBookAllocationTest} and
 * the {@code RiskAllocationTest} of each package. Both have a short one here too.
 */
class StricterRulesTest
{
    private static final long UID = 7;
    private static final int COMMANDS = 400_000;

    private final BookCommand command = new BookCommand();
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
                book.execute(command.place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(100).size(size)
                    .reservePrice(100)), hash);
        }
        for (final long price : new long[]{-1, -100, Long.MIN_VALUE})
        {
            shouldChangeNothing(CommandResult.WRONG_PRICE,
                book.execute(command.place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(price).size(5)
                    .reservePrice(100)), hash);
        }
    }

    /** 0 is a price unless the symbol says otherwise: one of the recorded streams places there. */
    @Test
    void shouldRefuseAPriceOfZeroWhereTheSymbolForbidsIt()
    {
        final OrderBook positive = new OrderBook(SymbolSpec.spot(1).withPrices(1, SymbolSpec.MAX_PRICE), events);
        assertEquals(CommandResult.WRONG_PRICE, positive.execute(command.place(OrderType.GTC, Side.BID)
            .orderId(1).uid(UID).size(5).reservePrice(100)));
        assertEquals(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, Side.BID).orderId(1)
            .uid(UID).size(5).reservePrice(100)));
    }

    /** There it traded first, and then its rest was rejected. */
    @Test
    void shouldRefuseADuplicateIdBeforeAnythingHappens()
    {
        book.execute(command.place(OrderType.GTC, Side.ASK).orderId(1).uid(UID).price(100).size(5));
        book.execute(command.place(OrderType.GTC, Side.BID).orderId(2).uid(UID).price(90).size(5)
            .reservePrice(90));
        final long hash = book.stateHash();
        shouldChangeNothing(CommandResult.DUPLICATE_ORDER,
            book.execute(command.place(OrderType.GTC, Side.BID).orderId(2).uid(UID).price(100).size(9)
                .reservePrice(100)), hash);
        shouldChangeNothing(CommandResult.DUPLICATE_ORDER,
            book.execute(command.place(OrderType.IOC, Side.BID).orderId(1).uid(UID + 1).price(100).size(9)
                .reservePrice(100)), hash);
    }

    /** There both types were rejected, and the money for the second was given back wrongly. */
    @Test
    void shouldFillOrKillAndKeepToABudget()
    {
        book.execute(command.place(OrderType.GTC, Side.ASK).orderId(1).uid(UID).price(100).size(5));
        assertEquals(CommandResult.SUCCESS, book.execute(command.place(OrderType.FOK, Side.BID).orderId(2)
            .uid(UID).price(100).size(3).reservePrice(100)));
        assertEquals(3, events.volume);
        assertEquals(CommandResult.SUCCESS, book.execute(command.place(OrderType.FOK, Side.BID).orderId(2)
            .uid(UID).price(100).size(3).reservePrice(100)));
        assertEquals(3, events.rejected);
        assertEquals(CommandResult.SUCCESS, book.execute(command.place(OrderType.IOC_BUDGET, Side.BID)
            .orderId(2).uid(UID).price(200).size(3).reservePrice(200)));
        assertEquals(5, events.volume);
        assertEquals(4, events.rejected, "one lot more, and nothing of the rest");
    }

    /** There the hash of the same stream differed between two runs. Here it is a function of the resting orders. */
    @Test
    void shouldHashRestingOrdersOnly()
    {
        final long empty = book.stateHash();
        final OrderBook other = new OrderBook(SymbolSpec.spot(1).withOrderCapacity(1_000), events);
        for (int id = 0; id < 50; id++)
        {
            book.execute(command.place(OrderType.GTC, Side.BID).orderId(id).uid(UID).price(id).size(5)
                .reservePrice(100));
            other.execute(command.place(OrderType.GTC, Side.BID).orderId(49 - id).uid(UID).price(49 - id)
                .size(5).reservePrice(100));
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
