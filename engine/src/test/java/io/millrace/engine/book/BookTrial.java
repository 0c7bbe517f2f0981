package io.millrace.engine.book;

import io.millrace.engine.Listeners;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * A book, the reference, the book of the events and those of the market data, given the same commands. Compared after
 * each: result, executions, best prices, last trade, number of orders. Compared at each inspection: all orders, levels,
 * stops, the hash, and the book's own check of itself.
 */
final class BookTrial
{
    private static final byte[] SIDES = {Side.BID, Side.ASK};

    private final BookTally tally;
    private final OrderBook book;
    private final ReferenceBook reference;
    private final EventBook eventBook = new EventBook();
    private final MarketDataBook marketDataBook;
    private final Tape events = new Tape();
    private final Tape expectedEvents = new Tape();
    private final Tape listing = new Tape();
    private final Tape expected = new Tape();
    private final Tape reported = new Tape();
    private Tape state = new Tape();
    private Tape spare = new Tape();
    private long hash;
    private boolean inspects;
    private boolean inspected;
    private int given;
    private RandomCommand command;

    BookTrial(final SymbolSpec spec, final boolean marketData, final BookTally tally)
    {
        this.tally = tally;
        marketDataBook = marketData ? new MarketDataBook() : null;
        book = new OrderBook(spec, new Listeners(events, eventBook, this::lookWithinCommand), marketDataBook);
        reference = new ReferenceBook(spec, expectedEvents);
        tally.begin();
    }

    /** Commands of a seed; inspects at an interval. */
    static void run(final long seed, final int count, final int lookEvery, final BookTally tally)
    {
        run(seed, count, lookEvery, tally, PriceBand.Policy.NONE);
    }

    /** The same with a price band and a largest order, except for NONE. */
    static void run(
        final long seed, final int count, final int lookEvery, final BookTally tally, final PriceBand.Policy policy)
    {
        final RandomCommands commands = new RandomCommands(seed, lookEvery == 1, policy);
        final BookTrial trial = new BookTrial(commands.spec(), seed % 3 == 0, tally);
        final String from = "seed " + seed + " (" + commands + ")";
        for (int i = 0; i < count; i++)
        {
            trial.give(commands.next(trial.reference), i % lookEvery == 0, from);
        }
    }

    /** Executes one command; a failure reports the command, the state before and the outcome. */
    void give(final RandomCommand next, final boolean inspect, final Object from)
    {
        command = next;
        inspects = inspect;
        try
        {
            step();
            given++;
        }
        catch (final RuntimeException | AssertionError ex)
        {
            fail(from + ", command " + given + ": " + command + "\nevents" + events + "\nexpected" + expectedEvents +
                "\nbook" + listing + "\nexpected" + expected + "\nevents' book" + reported, ex);
        }
    }

    private void step()
    {
        events.clear();
        expectedEvents.clear();
        if (inspects && !inspected)
        {
            record(reference, state);
            hash = book.stateHash();
        }
        inspected = inspects;
        final RandomCommand order = reference.find(command.orderId);
        final RandomCommand was = order == null ? null : order.copy();
        final CommandResult result = command.giveTo(reference);
        if (result == CommandResult.SUCCESS)
        {
            eventBook.begin(command);
        }
        assertEquals(result, given % 3 == 0 ? command.giveInTwoStepsTo(book) :
            given % 3 == 1 ? command.giveAtOnceTo(book) : command.giveTo(book));
        assertTrue(expectedEvents.isEqualTo(events), "executions differ");
        assertEquals(reference.band.reached, book.consumeBandReached(), "whether the band was reached");
        assertTrue(result == CommandResult.SUCCESS || events.isEmpty(), "a refusal does not call the listener");
        if (result == CommandResult.SUCCESS)
        {
            eventBook.end();
        }
        compareBest();
        compareSizes();
        if (inspects)
        {
            compareState(result);
        }
        tally.count(command, was, result, events);
    }

    private void compareBest()
    {
        final ReferenceBook.Order bid = reference.best(Side.ASK, 0);
        final ReferenceBook.Order ask = reference.best(Side.BID, Long.MAX_VALUE);
        final long bidPrice = book.bestPrice(Side.BID);
        final long askPrice = book.bestPrice(Side.ASK);
        assertEquals(bid == null ? -1 : bid.price, bidPrice, "best bid");
        assertEquals(ask == null ? -1 : ask.price, askPrice, "best ask");
        assertTrue(bidPrice < askPrice || askPrice == -1, "best bid and best ask meet");
        assertEquals(reference.lastTrade, book.lastTradePrice(), "last trade");
        assertEquals(reference.lastTrade, eventBook.lastTrade(), "last trade of the events");
        assertEquals(reference.orders.size(), book.orderCount(), "orders");
        assertEquals(reference.orders.size(), eventBook.orderCount(), "orders of the events");
    }

    private void compareSizes()
    {
        final ReferenceBook.Order order = reference.find(command.orderId);
        book.readSizes(command.orderId, (open, filled) ->
        {
            assertEquals(order == null ? 0 : order.size - order.filled, open, "open size");
            assertEquals(order == null ? 0 : order.filled, filled, "filled size");
        });
    }

    private void compareState(final CommandResult result)
    {
        listing.clear();
        expected.clear();
        reported.clear();
        assertEquals(reference.nextExpiry(), book.nextExpiryNs(), "next expiry");
        for (final byte side : SIDES)
        {
            assertEquals(reference.bestOfOthers(side, command.uid), book.bestPriceOfOthers(side, command.uid),
                "best price of others");
            book.forEachOrder(side, listing);
            side(reference, side).forEach(order -> report(order, expected));
            eventBook.side(side).forEach(row -> row.report(reported));
        }
        book.forEachStop(listing);
        reference.orders.stream().filter(order -> order.waits).forEach(order -> report(order, expected));
        eventBook.stops().forEach(row -> row.report(reported));
        assertTrue(expected.isEqualTo(listing), "orders differ from the reference's");
        assertTrue(reported.isEqualTo(listing), "the events report other orders");
        compareLevels();
        final Tape stateBefore = state;
        final long hashBefore = hash;
        state = spare;
        spare = stateBefore;
        record(reference, state);
        hash = book.stateHash();
        final boolean same = state.isEqualTo(stateBefore);
        assertTrue(same || result == CommandResult.SUCCESS, "the reference changed in a refusal");
        assertEquals(same, hashBefore == hash, "the hash shows whether the book changed");
        // It reads the whole window.
        if (given % (1 + book.spec().windowTicks() / 1_024) == 0)
        {
            book.verify();
        }
    }

    private static List<ReferenceBook.Order> side(final ReferenceBook reference, final byte side)
    {
        final List<ReferenceBook.Order> orders = new ArrayList<>(reference.orders);
        orders.removeIf(order -> order.waits || order.side != side);
        final Comparator<ReferenceBook.Order> byPrice = Comparator.comparingLong(order -> order.price);
        orders.sort(side == Side.ASK ? byPrice : byPrice.reversed());
        return orders;
    }

    private static void report(final ReferenceBook.Order order, final OrderConsumer consumer)
    {
        consumer.onOrder(order.orderId, order.uid, order.side, order.price, order.size, order.filled, order.reserve);
    }

    private void compareLevels()
    {
        listing.clear();
        expected.clear();
        reported.clear();
        for (final byte side : SIDES)
        {
            final Levels levels = new Levels(side, expected);
            side(reference, side).forEach(order -> levels.add(order.price, order.shown));
            levels.end();
            assertEquals(levels.count, book.forEachLevel(side, -1, listing));
            assertEquals(levels.count, book.levelCount(side));
            assertEquals(levels.volume, book.volumeAt(side, levels.price));
            assertEquals(0, book.volumeAt((byte)(1 - side), book.bestPrice(side)), "the other side, at a best price");
            final Levels ofEvents = new Levels(side, reported);
            eventBook.side(side).forEach(row -> ofEvents.add(row.price, row.shown));
            ofEvents.end();
        }
        assertTrue(expected.isEqualTo(listing), "levels differ from the reference's");
        assertTrue(reported.isEqualTo(listing), "the events report other levels");
        if (marketDataBook != null)
        {
            compareMarketData();
        }
    }

    private void compareMarketData()
    {
        reported.clear();
        marketDataBook.reportLevels(reported);
        assertTrue(expected.isEqualTo(reported), "the market data report other levels");
        expected.clear();
        reported.clear();
        for (final byte side : SIDES)
        {
            side(reference, side).forEach(order ->
                expected.add(Tape.STATE, side, order.price, order.orderId, order.shown));
        }
        marketDataBook.reportOrders(reported);
        assertTrue(expected.isEqualTo(reported), "the market data report other orders");
        assertEquals(marketDataBook.orderSequence(), book.orderSequence());
        assertEquals(marketDataBook.levelSequence(), book.levelSequence());
    }

    /** All state that the reference's future depends on. */
    static void record(final ReferenceBook reference, final Tape tape)
    {
        tape.clear();
        tape.add(Tape.STATE, reference.lastTrade);
        for (final byte side : SIDES)
        {
            side(reference, side).forEach(order -> add(tape, order));
        }
        reference.orders.stream().filter(order -> order.waits).forEach(order -> add(tape, order));
        reference.orders.stream().filter(order -> order.orderType == OrderType.GTD)
            .sorted(Comparator.comparingLong(order -> order.accepted))
            .forEach(order -> tape.add(Tape.STATE, order.orderId));
    }

    private static void add(final Tape tape, final ReferenceBook.Order order)
    {
        report(order, tape);
        tape.add(Tape.STATE, order.orderType, order.selfTrade, order.parameter, order.shown);
    }

    /** Inside a callback the book is consistent, except for the incoming order. */
    private void lookWithinCommand()
    {
        if (!inspects || eventBook.leaves())
        {
            return;
        }
        listing.clear();
        reported.clear();
        for (final byte side : SIDES)
        {
            book.forEachOrder(side, listing);
            eventBook.side(side).forEach(row -> row.report(reported));
            book.forEachLevel(side, -1, listing);
            final Levels levels = new Levels(side, reported);
            eventBook.side(side).forEach(row -> levels.add(row.price, row.shown));
            levels.end();
        }
        assertTrue(reported.isEqualTo(listing), "within the command, the events report another book");
        assertTrue(book.bestPrice(Side.BID) < book.bestPrice(Side.ASK) || book.bestPrice(Side.ASK) == -1);
    }

    /** Adds up orders by level. */
    private static final class Levels
    {
        private final byte side;
        private final Tape out;
        private int count;
        private long price = -1;
        private long volume;
        private int orders;

        Levels(final byte side, final Tape out)
        {
            this.side = side;
            this.out = out;
        }

        void add(final long orderPrice, final long shown)
        {
            if (orderPrice != price)
            {
                end();
                count++;
                price = orderPrice;
                volume = 0;
                orders = 0;
            }
            volume += shown;
            orders++;
        }

        void end()
        {
            if (count > 0)
            {
                out.onLevel(side, price, volume, orders);
            }
        }
    }
}
