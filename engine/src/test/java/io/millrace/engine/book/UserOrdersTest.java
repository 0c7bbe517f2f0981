package io.millrace.engine.book;

import io.millrace.engine.EventCounter;
import io.millrace.engine.Execution;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Mass cancels, open orders and the status of an order: they agree with a list of all orders of the book, and cost what
 * they touch.
 */
class UserOrdersTest
{
    private static final int USERS = 9;
    private static final int IDS = 300;

    private final List<String> events = new ArrayList<>();
    private final Execution.Listener recorder = this::record;

    private void record(final Execution e)
    {
        if (e.kind() == Execution.Kind.REDUCE)
        {
            events.add(ExecutionReason.name(e.reason()) + " " + e.orderId() + "/" + e.uid() + " " + e.size() + " " +
                e.completed());
        }
    }

    private static OrderBook book(final SymbolSpec spec, final ExecutionListener listener)
    {
        return new OrderBook(spec, listener, null, null, true);
    }

    private static SymbolSpec spec(final int capacity)
    {
        return SymbolSpec.future(1).withOrderCapacity(capacity).withWindowTicks(64);
    }

    /** Open size of each order of a user, by id; of the sides that the other number says. */
    private static Map<Long, Long> ordersOf(final OrderBook book, final long uid, final int side)
    {
        final Map<Long, Long> found = new TreeMap<>();
        final OrderConsumer reader = (id, user, orderSide, price, size, filled, reserve) ->
        {
            if (user == uid && (side == Side.BOTH || side == orderSide))
            {
                found.put(id, size - filled);
            }
        };
        book.forEachOrder(Side.BID, reader);
        book.forEachOrder(Side.ASK, reader);
        book.forEachStop(reader);
        return found;
    }

    private static void random(final OrderBook book, final BookCommand command, final Random random)
    {
        final long id = random.nextInt(IDS) - IDS / 2;
        final long uid = Math.floorMod(id, USERS);
        final long price = 100 + random.nextInt(21) + (random.nextInt(20) == 0 ? 500 : 0);
        final byte side = (byte)random.nextInt(2);
        switch (random.nextInt(8))
        {
            case 0 -> book.cancel(id, uid);
            case 1 -> book.move(id, uid, price);
            case 2 -> book.replaceOpen(id, uid, price, 1 + random.nextInt(9));
            default ->
            {
                final byte type = random.nextInt(3) == 0 ? OrderType.GTC : (byte)random.nextInt(OrderType.GTD + 1);
                command.place(type, side).orderId(id).uid(uid).price(price).size(1 + random.nextInt(9))
                    .parameter(OrderType.isStop(type) ? price : type == OrderType.ICEBERG ? 1 :
                    type == OrderType.GTD ? 7 : 0);
                book.execute(command);
            }
        }
    }

    @Test
    void shouldCancelAndListExactlyTheOrdersOfTheUser()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("UserOrdersTest: -Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        final BookCommand command = new BookCommand();
        for (final int capacity : new int[] {1, 3, 64, 200})
        {
            final OrderBook book = book(spec(capacity), recorder);
            for (int i = 0; i < 6_000; i++)
            {
                random(book, command, random);
                if (i % 30 == 0)
                {
                    // First: a walk over a damaged list may have no end.
                    book.verify();
                    check(book, random.nextInt(USERS + 1), (byte)random.nextInt(3), random.nextInt(IDS) - IDS / 2);
                    book.verify();
                }
            }
        }
    }

    private void check(final OrderBook book, final long uid, final byte side, final long from)
    {
        final List<Long> listed = new ArrayList<>();
        book.forEachOpenOrder(uid, from, 4,
            (id, user, orderSide, price, size, filled, reserve) -> listed.add(id));
        assertEquals(ordersOf(book, uid, Side.BOTH).keySet().stream().filter(id -> id >= from).limit(4).toList(),
            listed);
        for (final Map.Entry<Long, Long> order : ordersOf(book, uid, Side.BOTH).entrySet())
        {
            assertEquals(order.getValue(), book.openSize(order.getKey()));
        }
        final List<String> expected = ordersOf(book, uid, side).entrySet().stream().map(order ->
            "MASS_CANCEL " + order.getKey() + "/" + uid + " " + order.getValue() + " true").toList();
        events.clear();
        assertEquals(CommandResult.SUCCESS, book.massCancel(uid, side));
        assertEquals(expected, events);
        assertTrue(ordersOf(book, uid, side).isEmpty());
    }

    @Test
    void shouldSpreadUsersOverTheBuckets()
    {
        final int users = 1_024;
        final UserOrders orders = new UserOrders(new OrderArena(users, 1));
        for (int shift = 0; shift <= 50; shift++)
        {
            final int[] inBucket = new int[users];
            for (long i = 1; i <= users; i++)
            {
                inBucket[orders.bucket(i << shift) - users]++;
            }
            assertTrue(Arrays.stream(inBucket).max().getAsInt() <= 8, "multiples of 2^" + shift);
        }
    }

    @Test
    void shouldCancelAllOrdersOfASideByPriorityAndThenStops()
    {
        final OrderBook book = book(spec(16), recorder);
        final BookCommand command = new BookCommand();
        book.execute(command.place(OrderType.GTC, Side.BID).orderId(3).uid(1).price(99).size(5));
        book.execute(command.place(OrderType.GTC, Side.BID).orderId(2).uid(2).price(100).size(5));
        book.execute(command.place(OrderType.GTC, Side.ASK).orderId(1).uid(1).price(101).size(5));
        book.execute(command.place(OrderType.STOP, Side.BID).orderId(5).uid(1).size(5).parameter(120));
        book.execute(command.place(OrderType.STOP, Side.BID).orderId(4).uid(2).size(5).parameter(110));
        events.clear();
        assertEquals(CommandResult.WRONG_SIDE, book.massCancelAll((byte)3));
        assertEquals(CommandResult.SUCCESS, book.massCancelAll(Side.BID));
        assertEquals(List.of("MASS_CANCEL 2/2 5 true", "MASS_CANCEL 3/1 5 true", "MASS_CANCEL 5/1 5 true",
            "MASS_CANCEL 4/2 5 true"), events);
        assertEquals(1, book.orderCount());
        assertEquals(CommandResult.SUCCESS, book.massCancelAll(Side.BOTH));
        assertEquals(0, book.orderCount());
        book.verify();
    }

    @Test
    void shouldRefuseABookThatDoesNotKeepTheOrdersOfUsers()
    {
        final OrderBook book = new OrderBook(spec(16), recorder);
        assertEquals("the book of symbol 1 does not keep the orders of each user: create it with keepsUsers",
            assertThrows(IllegalStateException.class, () -> book.massCancel(1, Side.BOTH)).getMessage());
        assertEquals(CommandResult.SUCCESS, book.massCancelAll(Side.BOTH));
    }

    @Test
    void shouldAllocateNothingAndLeaveTheOthersAlone()
    {
        final EventCounter counter = new EventCounter();
        final OrderBook book = book(spec(4_096), counter);
        final BookCommand command = new BookCommand();
        final Random random = new Random(1);
        final long[] ids = random.longs(64).toArray();
        for (int i = 0; i < 1_000; i++)
        {
            book.execute(command.place(OrderType.GTC, Side.BID).orderId(i).uid(1).price(100 + i % 50).size(1));
        }
        Allocations.shouldBeNone(() ->
        {
            for (int round = 0; round < 2_000; round++)
            {
                for (final long id : ids)
                {
                    book.execute(command.place(OrderType.GTC, (byte)(id & 1)).orderId(id).uid(2)
                        .price((id & 1) == 0 ? 50 : 200).size(5));
                }
                book.forEachOpenOrder(2, Long.MIN_VALUE, 99, counter);
                book.massCancel(2, Side.ASK);
                book.replaceOpen(ids[0], 2, 51, 3);
                book.massCancel(2, (byte)7);
                book.massCancel(2, Side.BOTH);
            }
        });
        assertEquals(1_000, book.orderCount());
        book.verify();
    }
}
