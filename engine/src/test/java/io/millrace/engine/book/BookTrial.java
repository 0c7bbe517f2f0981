package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** A book, the reference and the book of the events, given the same random commands and compared after each. */
final class BookTrial
{
    private static final byte[] SIDES = {Side.BID, Side.ASK};

    private final long seed;
    private final Map<String, Integer> tally;
    private final RandomCommands commands;
    private final OrderBook book;
    private final ReferenceBook reference;
    private final EventBook eventBook = new EventBook();
    private final Tape events = new Tape();
    private final Tape expectedEvents = new Tape();
    private final Tape orders = new Tape();
    private Tape expectedOrders = new Tape();
    private Tape ordersBefore = new Tape();
    private final Tape toldOrders = new Tape();
    private final Tape levels = new Tape();
    private final Tape expectedLevels = new Tape();
    private RandomCommand command;
    private long hash;

    BookTrial(final long seed, final Map<String, Integer> tally)
    {
        this.seed = seed;
        this.tally = tally;
        commands = new RandomCommands(seed);
        book = new OrderBook(commands.spec(), new Listeners(events, eventBook, this::checkWithinCommand));
        reference = new ReferenceBook(commands.spec(), expectedEvents);
        hash = book.stateHash();
    }

    void run(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            command = commands.next(reference, expectedOrders);
            try
            {
                step();
            }
            catch (final RuntimeException | AssertionError ex)
            {
                fail("seed " + seed + " (" + commands + "), command " + i + ": " + command + "\nevents" + events +
                    "\nexpected" + expectedEvents + "\norders" + orders + "\nexpected" + expectedOrders, ex);
            }
        }
    }

    private void step()
    {
        events.clear();
        expectedEvents.clear();
        final CommandResult expected = command.giveTo(reference);
        eventBook.begin(command);
        final CommandResult result = command.giveTo(book);
        assertEquals(expected, result);
        assertTrue(expectedEvents.isEqualTo(events), "executions differ");
        assertTrue(result == CommandResult.SUCCESS || events.isEmpty(), "a refusal tells the listener nothing");
        eventBook.end(result);
        compareState();
        count(result);
    }

    private void compareState()
    {
        compareOrders(null);
        final Tape swapped = ordersBefore;
        ordersBefore = expectedOrders;
        expectedOrders = swapped;
        expectedOrders.clear();
        reference.forEachOrder(Side.BID, expectedOrders);
        reference.forEachOrder(Side.ASK, expectedOrders);
        assertTrue(expectedOrders.isEqualTo(orders), "orders differ from the reference's");
        final long hashNow = book.stateHash();
        assertEquals(ordersBefore.isEqualTo(orders), hash == hashNow, "the hash tells whether the book changed");
        hash = hashNow;
        assertEquals(expectedOrders.orders(), book.orderCount());
        book.verify();
    }

    /** Inside a callback the book is in order, but for the order that is on its way. */
    private void checkWithinCommand()
    {
        compareOrders(command.type == CommandType.MOVE ? command.orderId : null);
    }

    /** The book's own listings, against the events alone and against each other. */
    private void compareOrders(final Long onItsWay)
    {
        orders.clear();
        toldOrders.clear();
        levels.clear();
        expectedLevels.clear();
        for (final byte side : SIDES)
        {
            book.forEachOrder(side, orders);
            final LevelSummer sums = new LevelSummer(side, toldOrders, expectedLevels);
            eventBook.forEachOrder(side, sums, onItsWay);
            sums.end();
            assertEquals(sums.levels, book.forEachLevel(side, -1, levels));
            assertEquals(sums.levels, book.levelCount(side));
            assertEquals(sums.best, book.bestPrice(side));
            assertEquals(sums.lastVolume, book.volumeAt(side, sums.lastPrice));
            assertEquals(0, book.volumeAt((byte)(1 - side), sums.best), "the other side has nothing at a best price");
        }
        assertTrue(toldOrders.isEqualTo(orders), () -> "the events tell of other orders:" + toldOrders);
        assertTrue(expectedLevels.isEqualTo(levels), () -> "levels" + levels + "\nexpected" + expectedLevels);
        final long bid = book.bestPrice(Side.BID);
        final long ask = book.bestPrice(Side.ASK);
        assertTrue(bid < ask || ask == -1, () -> "best bid " + bid + ", best ask " + ask);
    }

    private void count(final CommandResult result)
    {
        final String name = CommandType.name(command.type);
        add(result.name());
        if (result == CommandResult.SUCCESS)
        {
            final Map<Long, Integer> kinds = new TreeMap<>();
            events.forEach((kind, fields, first) ->
            {
                kinds.merge(kind, 1, Integer::sum);
                if (kind == Tape.TRADE && fields[first + 1] == fields[first + 4])
                {
                    add("trade with oneself");
                }
            });
            final String order = command.type == CommandType.PLACE ? " " + OrderType.name(command.orderType) : "";
            final String what = kinds.containsKey(Tape.TRADE) && kinds.containsKey(Tape.REJECT) ? " in part" :
                kinds.containsKey(Tape.TRADE) ? " trades" : kinds.containsKey(Tape.REJECT) ? " rejected" :
                kinds.containsKey(Tape.REDUCE) ? " reduced" : " rests";
            add(name + order + what);
            if (kinds.getOrDefault(Tape.TRADE, 0) > 3)
            {
                add("sweep");
            }
        }
    }

    private void add(final String what)
    {
        tally.merge(what, 1, Integer::sum);
    }

    /** Sums up orders to levels, and passes them on. */
    private static final class LevelSummer implements OrderConsumer
    {
        final byte side;
        final Tape orders;
        final Tape out;
        int levels;
        long best = -1;
        long lastPrice = -1;
        long lastVolume;
        int lastOrders;

        LevelSummer(final byte side, final Tape orders, final Tape out)
        {
            this.side = side;
            this.orders = orders;
            this.out = out;
        }

        @Override
        public void onOrder(
            final long orderId,
            final long uid,
            final byte orderSide,
            final long price,
            final long size,
            final long filled,
            final long reservePrice)
        {
            orders.onOrder(orderId, uid, orderSide, price, size, filled, reservePrice);
            if (price != lastPrice)
            {
                end();
                best = levels == 0 ? price : best;
                levels++;
                lastPrice = price;
                lastVolume = 0;
                lastOrders = 0;
            }
            lastVolume += size - filled;
            lastOrders++;
        }

        void end()
        {
            if (levels > 0)
            {
                out.onLevel(side, lastPrice, lastVolume, lastOrders);
            }
        }
    }
}
