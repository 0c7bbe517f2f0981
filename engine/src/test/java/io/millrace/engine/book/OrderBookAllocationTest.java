package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.EventCounter;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.millrace.engine.book.CommandResult.SUCCESS;
import static io.millrace.engine.book.OrderType.FOK_BUDGET;
import static io.millrace.engine.book.OrderType.GTC;
import static io.millrace.engine.book.OrderType.IOC;
import static io.millrace.engine.book.OrderType.MARKET;
import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** 0 bytes allocated by the bare book over 1,000,000 commands and more of each kind, after warm-up. */
@Tag("normal")
class OrderBookAllocationTest
{
    private static final int COMMANDS = 1_000_000;
    /** Enough for the compilers to have seen every branch. */
    private static final int WARM_UP = 200_000;
    private static final int MAX_WINDOWS = 6;
    private static final int CAPACITY = 256;
    private static final int WINDOW = 64;
    private static final long UID = 7;
    private static final long RESERVE = SymbolSpec.MAX_PRICE;

    /** Executes at least this number of commands. */
    private interface Pass
    {
        void run(int commands);
    }

    private final BookCommand command = new BookCommand();
    private final EventCounter counter = new EventCounter();
    private OrderBook book = book(null);

    private OrderBook book(final EventCounter marketData)
    {
        return new OrderBook(
            SymbolSpec.spot(1).withOrderCapacity(CAPACITY).withWindowTicks(WINDOW), counter, marketData);
    }

    private static void shouldAllocateNothing(final Pass pass)
    {
        pass.run(WARM_UP);
        AllocationWindows.assertNothing(COMMANDS + " commands", MAX_WINDOWS, () -> pass.run(COMMANDS));
    }

    private static void expect(final CommandResult expected, final CommandResult result)
    {
        if (expected != result)
        {
            throw new AssertionError(result);
        }
    }

    private void place(final byte type, final byte side, final long id, final long price, final long size)
    {
        expect(SUCCESS, book.execute(command.place(type, side).orderId(id).uid(UID).price(price).size(size)
            .reservePrice(RESERVE)));
    }

    private void refused(final CommandResult code, final byte type, final byte side, final long price, final long size)
    {
        expect(code, book.execute(command.place(type, side).orderId(1).uid(UID).price(price).size(size)
            .reservePrice(RESERVE)));
    }

    @Test
    void shouldAllocateNothingForAnOrderThatRestsAndIsCancelled()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += CAPACITY)
            {
                for (int id = 0; id < CAPACITY; id++)
                {
                    place(GTC, (byte)(id & 1), id, (id & 1) == 0 ? 100 - id % 50 : 101 + id % 50, 5);
                }
                for (int id = 0; id < CAPACITY; id++)
                {
                    expect(SUCCESS, book.cancel(id, UID));
                }
            }
        });
        assertTrue(counter.reduces >= COMMANDS && counter.trades == 0);
    }

    @Test
    void shouldAllocateNothingForATrade()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                place(GTC, (byte)(i & 1), i, 100, 5);
                final byte type = i % 3 == 0 ? GTC : i % 3 == 1 ? IOC : FOK_BUDGET;
                place(type, (byte)(1 - (i & 1)), i + 1, type == FOK_BUDGET ? 300 : 100, 3);
                place(MARKET, (byte)(1 - (i & 1)), i + 2, 0, 2);
            }
        });
        assertTrue(counter.trades >= 2 * COMMANDS);
    }

    @Test
    void shouldAllocateNothingForASweep()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 20)
            {
                for (int id = 0; id < 20; id++)
                {
                    place(GTC, ASK, id, 100 + id * 7, 5);
                }
                place(MARKET, BID, 99, 0, 100);
            }
        });
        assertTrue(counter.trades >= COMMANDS && counter.rejects == 0);
    }

    @Test
    void shouldAllocateNothingForAReject()
    {
        place(GTC, ASK, -1, 100, 1_000);
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                place(IOC, BID, 1, 99, 5);
                place(FOK_BUDGET, BID, 1, 99, 1);
                place(MARKET, ASK, 1, 99, 1);
            }
        });
        assertTrue(counter.rejects >= 3 * COMMANDS && counter.trades == 0);
    }

    @Test
    void shouldAllocateNothingForAPartialReject()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 4)
            {
                place(GTC, ASK, 1, 100, 5);
                place(IOC, BID, 2, 100, 7);
                place(GTC, BID, 1, 100, 5);
                place(MARKET, ASK, 2, 100, 7);
            }
        });
        assertTrue(counter.rejects >= COMMANDS / 2 && counter.trades == counter.rejects);
    }

    @Test
    void shouldAllocateNothingForARefusal()
    {
        final OrderBook full = new OrderBook(SymbolSpec.spot(1).withOrderCapacity(1), counter);
        expect(SUCCESS, full.execute(command.place(GTC, BID).orderId(1).uid(UID).price(100).size(1).reservePrice(100)));
        place(GTC, BID, 1, 100, 5);
        expect(SUCCESS, book.execute(command.place(GTC, BID).orderId(2).uid(UID).price(100).size(5).reservePrice(100)));
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                refused(CommandResult.UNKNOWN_ORDER_TYPE, (byte)(11 + (i & 63)), BID, 100, 1);
                refused(CommandResult.WRONG_SIDE, GTC, (byte)(2 + (i & 63)), 100, 1);
                refused(CommandResult.WRONG_SIZE, IOC, BID, 100, -i);
                refused(CommandResult.WRONG_PRICE, IOC, BID, -1 - i, 1);
                refused(CommandResult.DUPLICATE_ORDER, GTC, ASK, i, 1);
                expect(CommandResult.BOOK_FULL, full.execute(command.place(GTC, BID).orderId(2).uid(UID).price(i)
                    .size(1).reservePrice(100)));
                expect(CommandResult.UNKNOWN_ORDER, book.cancel(3 + i, UID));
                expect(CommandResult.UNKNOWN_ORDER, book.reduce(1, UID + 1, 5));
                expect(CommandResult.WRONG_SIZE, book.reduce(1, UID, -i));
                expect(CommandResult.WRONG_PRICE, book.move(1, UID, -1 - i));
                expect(CommandResult.PRICE_OVER_RISK_LIMIT, book.move(2, UID, 101 + i));
            }
        });
        assertEquals(0, counter.trades + counter.rejects + counter.reduces);
    }

    @Test
    void shouldAllocateNothingForAReduction()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 10)
            {
                place(GTC, BID, 1, 100, 19);
                for (int k = 0; k < 10; k++)
                {
                    expect(SUCCESS, book.reduce(1, UID, 2));
                }
            }
        });
        assertTrue(counter.reduces >= COMMANDS);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldAllocateNothingForAMoveWithinTheWindow()
    {
        place(GTC, BID, 1, 100, 5);
        place(GTC, BID, 2, 100, 5);
        place(GTC, ASK, 3, 120, 5);
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                expect(SUCCESS, book.move(1 + (i & 1), UID, 90 + i % 20));
            }
        });
        assertEquals(0, counter.trades);
    }

    @Test
    void shouldAllocateNothingForAMoveThatTrades()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                place(GTC, ASK, 2, 101, 7);
                place(GTC, BID, 1, 100, 10);
                expect(SUCCESS, book.move(1, UID, 101));
                place(GTC, ASK, 3, 102, 4);
                expect(SUCCESS, book.move(3, UID, 101));
                expect(SUCCESS, book.cancel(3, UID));
            }
        });
        assertTrue(counter.trades >= 2 * COMMANDS);
    }

    @Test
    void shouldAllocateNothingForLevelsOutsideOfTheWindow()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += CAPACITY)
            {
                for (int id = 0; id < CAPACITY; id++)
                {
                    final long away = (id * 7_919L + i) % 100_000;
                    place(GTC, (byte)(id & 1), id, (id & 1) == 0 ? 1_000_000 - away : 1_000_001 + away, 5);
                }
                for (int id = 0; id < CAPACITY; id += 2)
                {
                    expect(SUCCESS, book.move(id, UID, 5L * id));
                    expect(SUCCESS, book.cancel(id, UID));
                }
                place(MARKET, BID, CAPACITY, 0, CAPACITY / 2 * 5);
            }
        });
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldAllocateNothingForIdsThatCollide()
    {
        final long[] ids = CollidingIds.of(CAPACITY, CAPACITY + 1);
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 3 * CAPACITY)
            {
                for (int n = 0; n < CAPACITY; n++)
                {
                    place(GTC, (byte)(n & 1), ids[n], (n & 1) == 0 ? 100 - n % 20 : 101 + n % 20, 5);
                }
                expect(CommandResult.DUPLICATE_ORDER, book.execute(command.place(GTC, BID).orderId(ids[CAPACITY - 1])
                    .uid(UID).price(1).size(1).reservePrice(RESERVE)));
                expect(CommandResult.UNKNOWN_ORDER, book.cancel(ids[CAPACITY], UID));
                for (int n = 0; n < CAPACITY; n++)
                {
                    expect(SUCCESS, book.move(ids[n], UID, (n & 1) == 0 ? 100 - n % 19 : 101 + n % 19));
                }
                // Bids leave one by one, from the bucket and from the overflow; asks are filled.
                for (int n = 0; n < CAPACITY; n += 2)
                {
                    expect(SUCCESS, book.cancel(ids[n * 7 % CAPACITY], UID));
                }
                place(MARKET, BID, ids[CAPACITY], 0, CAPACITY / 2 * 5);
            }
        });
        assertTrue(counter.reduces >= COMMANDS / 6 && counter.trades == counter.reduces);
        place(GTC, BID, ids[0], 100, 5);
        book.verify();
    }

    @Test
    void shouldAllocateNothingWhenTheMarketLeavesTheWindow()
    {
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i++)
            {
                // Up by 10,000 prices and down again, most of 150 orders around it.
                final long centre = 20_000 + Math.abs(i % 20_000 - 10_000);
                final int id = i % 150;
                book.cancel(id, UID);
                place(GTC, (byte)(i & 1), id, centre + ((i & 1) == 0 ? -1 - i % 40 : i % 40), 5);
            }
        });
        assertTrue(counter.trades > 0 && counter.reduces > 0);
    }

    @Test
    void shouldAllocateNothingForARandomMix()
    {
        final List<List<RandomCommand>> mixes = new ArrayList<>();
        final List<OrderBook> books = new ArrayList<>();
        for (int seed = 1; seed <= 8; seed++)
        {
            final List<RandomCommand> mix = new ArrayList<>();
            mixes.add(mix);
            books.add(recorded(seed, mix));
        }
        shouldAllocateNothing(commands ->
        {
            for (int i = 0, k = 0; i < commands; i += mixes.get(k).size(), k = (k + 1) % mixes.size())
            {
                final List<RandomCommand> mix = mixes.get(k);
                final OrderBook of = books.get(k);
                for (int n = 0; n < mix.size(); n++)
                {
                    mix.get(n).giveTo(of);
                }
            }
        });
        assertTrue(counter.trades > 0 && counter.rejects > 0 && counter.reduces > 0);
    }

    private OrderBook recorded(final long seed, final List<RandomCommand> mix)
    {
        final RandomCommands random = new RandomCommands(seed);
        final ReferenceBook reference = new ReferenceBook(random.spec(), new Tape());
        for (int i = 0; i < 2_000; i++)
        {
            final RandomCommand command = random.next(reference).copy();
            command.giveTo(reference);
            mix.add(command);
        }
        assertTrue(mix.stream().anyMatch(command -> command.type == CommandType.MOVE));
        return new OrderBook(random.spec(), counter);
    }

    @Test
    void shouldAllocateNothingForAReplacement()
    {
        place(GTC, BID, 1, 101, 5);
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 4)
            {
                place(GTC, BID, 2, 100, 5);
                expect(SUCCESS, book.replace(2, UID, 100, 4));
                expect(SUCCESS, book.replace(2, UID, 99, 6));
                expect(SUCCESS, book.cancel(2, UID));
            }
        });
        expect(SUCCESS, book.cancel(1, UID));
        assertTrue(counter.reduces >= COMMANDS / 2);
    }

    @Test
    void shouldAllocateNothingForMarketData()
    {
        book = book(counter);
        for (final Runnable kind : List.<Runnable>of(this::shouldAllocateNothingForAnOrderThatRestsAndIsCancelled,
            this::shouldAllocateNothingForAReduction, this::shouldAllocateNothingForAReplacement,
            this::shouldAllocateNothingForATrade, this::shouldAllocateNothingForASweep,
            this::shouldAllocateNothingForAMoveThatTrades, this::shouldAllocateNothingForAMoveWithinTheWindow))
        {
            counter.clear();
            kind.run();
            assertTrue(counter.count >= 2L * COMMANDS, counter.count + " messages");
        }
    }

    @Test
    void shouldAllocateNothingForQueries()
    {
        for (int id = 0; id < 50; id++)
        {
            place(GTC, (byte)(id & 1), id, (id & 1) == 0 ? 100 - id * 3 / 2 : 101 + id * 3, 5);
        }
        shouldAllocateNothing(commands ->
        {
            for (int i = 0; i < commands; i += 100)
            {
                counter.hash += book.forEachLevel(BID, -1, counter) + book.forEachLevel(ASK, 5, counter);
                book.forEachOrder(BID, counter);
                book.forEachOrder(ASK, counter);
                counter.hash += book.bestPrice(ASK) + book.volumeAt(BID, 100) + book.orderCount() +
                    book.levelCount(ASK) + book.stateHash() + (book.withOrder(i % 60, counter) ? 1 : 0);
            }
        });
        assertTrue(counter.rows >= COMMANDS / 2, "orders and levels reported");
    }
}
