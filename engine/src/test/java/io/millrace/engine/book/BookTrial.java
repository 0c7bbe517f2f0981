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
 * each: result, executions, best prices, last trade, number of orders. Compared when it looks: all orders, levels,
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
    private final Tape told = new Tape();
    private Tape state = new Tape();
    private Tape spare = new Tape();
    private long hash;
    private boolean looks;
    private boolean looked;
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

    /** Commands of a seed; looks after each so many. */
    static void run(final long seed, final int count, final int lookEvery, final BookTally tally)
    {
        final RandomCommands commands = new RandomCommands(seed, lookEvery == 1);
        final BookTrial trial = new BookTrial(commands.spec(), seed % 3 == 0, tally);
        final String from = "seed " + seed + " (" + commands + ")";
        for (int i = 0; i < count; i++)
        {
            trial.give(commands.next(trial.reference), i % lookEvery == 0, from);
        }
    }

    /** One command; a failure says what was given, from what, and what came of it. */
    void give(final RandomCommand next, final boolean look, final Object from)
    {
        command = next;
        looks = look;
        try
        {
            step();
            given++;
        }
        catch (final RuntimeException | AssertionError ex)
        {
            fail(from + ", command " + given + ": " + command + "\nevents" + events + "\nexpected" + expectedEvents +
                "\nbook" + listing + "\nexpected" + expected + "\nevents' book" + told, ex);
        }
    }

    private void step()
    {
        events.clear();
        expectedEvents.clear();
        if (looks && !looked)
        {
            record(reference, state);
            hash = book.stateHash();
        }
        looked = looks;
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
        assertTrue(result == CommandResult.SUCCESS || events.isEmpty(), "a refusal tells the listener nothing");
        if (result == CommandResult.SUCCESS)
        {
            eventBook.end();
        }
        compareBest();
        if (looks)
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

    private void compareState(final CommandResult result)
    {
        listing.clear();
        expected.clear();
        told.clear();
        assertEquals(reference.nextExpiry(), book.nextExpiryNs(), "next expiry");
        for (final byte side : SIDES)
        {
            assertEquals(reference.bestOfOthers(side, command.uid), book.bestPriceOfOthers(side, command.uid),
                "best price of others");
            book.forEachOrder(side, listing);
            side(reference, side).forEach(order -> tell(order, expected));
            eventBook.side(side).forEach(row -> row.tell(told));
        }
        book.forEachStop(listing);
        reference.orders.stream().filter(order -> order.waits).forEach(order -> tell(order, expected));
        eventBook.stops().forEach(row -> row.tell(told));
        assertTrue(expected.isEqualTo(listing), "orders differ from the reference's");
        assertTrue(told.isEqualTo(listing), "the events tell of other orders");
        compareLevels();
        final Tape stateBefore = state;
        final long hashBefore = hash;
        state = spare;
        spare = stateBefore;
        record(reference, state);
        hash = book.stateHash();
        final boolean same = state.isEqualTo(stateBefore);
        assertTrue(same || result == CommandResult.SUCCESS, "the reference changed in a refusal");
        assertEquals(same, hashBefore == hash, "the hash tells whether the book changed");
        // It looks through all of the window.
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

    private static void tell(final ReferenceBook.Order order, final OrderConsumer consumer)
    {
        consumer.onOrder(order.orderId, order.uid, order.side, order.price, order.size, order.filled, order.reserve);
    }

    private void compareLevels()
    {
        listing.clear();
        expected.clear();
        told.clear();
        for (final byte side : SIDES)
        {
            final Levels levels = new Levels(side, expected);
            side(reference, side).forEach(order -> levels.add(order.price, order.shown));
            levels.end();
            assertEquals(levels.count, book.forEachLevel(side, -1, listing));
            assertEquals(levels.count, book.levelCount(side));
            assertEquals(levels.volume, book.volumeAt(side, levels.price));
            assertEquals(0, book.volumeAt((byte)(1 - side), book.bestPrice(side)), "the other side, at a best price");
            final Levels ofEvents = new Levels(side, told);
            eventBook.side(side).forEach(row -> ofEvents.add(row.price, row.shown));
            ofEvents.end();
        }
        assertTrue(expected.isEqualTo(listing), "levels differ from the reference's");
        assertTrue(told.isEqualTo(listing), "the events tell of other levels");
        if (marketDataBook != null)
        {
            compareMarketData();
        }
    }

    private void compareMarketData()
    {
        told.clear();
        marketDataBook.tellLevels(told);
        assertTrue(expected.isEqualTo(told), "the market data tell of other levels");
        expected.clear();
        told.clear();
        for (final byte side : SIDES)
        {
            side(reference, side).forEach(order ->
                expected.add(Tape.STATE, side, order.price, order.orderId, order.shown));
        }
        marketDataBook.tellOrders(told);
        assertTrue(expected.isEqualTo(told), "the market data tell of other orders");
        assertEquals(marketDataBook.orderSequence(), book.orderSequence());
        assertEquals(marketDataBook.levelSequence(), book.levelSequence());
    }

    /** All that the reference's future depends on. */
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
        tell(order, tape);
        tape.add(Tape.STATE, order.orderType, order.selfTrade, order.parameter, order.shown);
    }

    /** Inside a callback the book is in order, but for the order that is on its way. */
    private void lookWithinCommand()
    {
        if (!looks || eventBook.leaves())
        {
            return;
        }
        listing.clear();
        told.clear();
        for (final byte side : SIDES)
        {
            book.forEachOrder(side, listing);
            eventBook.side(side).forEach(row -> row.tell(told));
            book.forEachLevel(side, -1, listing);
            final Levels levels = new Levels(side, told);
            eventBook.side(side).forEach(row -> levels.add(row.price, row.shown));
            levels.end();
        }
        assertTrue(told.isEqualTo(listing), "within the command, the events tell of another book");
        assertTrue(book.bestPrice(Side.BID) < book.bestPrice(Side.ASK) || book.bestPrice(Side.ASK) == -1);
    }

    /** Sums up orders to levels. */
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
