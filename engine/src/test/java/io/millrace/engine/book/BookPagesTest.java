package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Parts of a book, for readers that must not copy all of it at once: levels from a price on, and a user's orders
 * from an id on.
 */
class BookPagesTest
{
    private static final int CAPACITY = 512;
    private static final int USERS = 5;

    private final OrderBook book =
        new OrderBook(SymbolSpec.future(1).withOrderCapacity(CAPACITY).withWindowTicks(64), new Tape(), null, null,
            true);

    private List<String> levelsFrom(final byte side, final long price, final int maxLevels)
    {
        final List<String> levels = new ArrayList<>();
        final int reported = book.forEachLevelFrom(side, price, maxLevels, (levelSide, levelPrice, volume, orders) ->
            levels.add(Side.name(levelSide) + " " + levelPrice + ": " + volume + " of " + orders));
        assertEquals(levels.size(), reported);
        return levels;
    }

    private List<String> expectedFrom(final byte side, final long price, final int maxLevels)
    {
        final List<String> levels = new ArrayList<>();
        book.forEachLevel(side, -1, (levelSide, levelPrice, volume, orders) ->
        {
            if ((price < 0 || (side == BID ? levelPrice <= price : levelPrice >= price)) &&
                (maxLevels < 0 || levels.size() < maxLevels))
            {
                levels.add(Side.name(levelSide) + " " + levelPrice + ": " + volume + " of " + orders);
            }
        });
        return levels;
    }

    private List<Long> ordersOf(final long uid, final int maxOrders)
    {
        final List<Long> ids = new ArrayList<>();
        int before;
        do
        {
            before = ids.size();
            book.forEachOpenOrder(uid, before == 0 ? Long.MIN_VALUE : ids.get(before - 1) + 1, maxOrders,
                (orderId, user, side, price, size, filled, reservePrice) ->
                {
                    assertEquals(uid, user);
                    ids.add(orderId);
                });
            assertTrue(ids.size() - before <= maxOrders);
        }
        while (ids.size() - before == maxOrders);
        return ids;
    }

    private List<Long> expectedOrdersOf(final long uid)
    {
        final List<Long> ids = new ArrayList<>();
        final OrderConsumer consumer = (orderId, user, side, price, size, filled, reservePrice) ->
        {
            if (user == uid)
            {
                ids.add(orderId);
            }
        };
        book.forEachOrder(BID, consumer);
        book.forEachOrder(ASK, consumer);
        book.forEachStop(consumer);
        return ids.stream().sorted().toList();
    }

    @Test
    void shouldStartAtAnyPriceInsideAndOutsideTheWindow()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("BookPagesTest: -Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        for (int step = 0; step < 20_000; step++)
        {
            final long id = random.nextInt(CAPACITY);
            final long uid = id % USERS;
            final long price = 1_000 + (long)(random.nextGaussian() * (step % 3 == 0 ? 400 : 20));
            final byte side = random.nextBoolean() ? BID : ASK;
            if (random.nextInt(3) == 0)
            {
                book.cancel(id, uid);
            }
            else if (random.nextInt(8) == 0)
            {
                book.execute(new BookCommand().place(OrderType.STOP, side).orderId(id).uid(uid).size(1)
                    .parameter(Math.max(0, price)));
            }
            else
            {
                book.execute(new BookCommand().place(OrderType.GTC, side).orderId(id).uid(uid).price(Math.max(0, price))
                    .size(1 + random.nextInt(5)));
            }
            final long from = random.nextInt(20) == 0 ? -1 : Math.max(0, 1_000 + (long)(random.nextGaussian() * 300));
            final int max = random.nextInt(6) - 1;
            assertEquals(expectedFrom(side, from, max), levelsFrom(side, from, max), () -> "from " + from);
            if (step % 16 == 0)
            {
                assertEquals(expectedOrdersOf(uid), ordersOf(uid, 1 + random.nextInt(9)));
            }
        }
    }

    @Test
    void shouldReportNothingOfAnEmptyBook()
    {
        for (final long price : new long[] {-1, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertEquals(List.of(), levelsFrom(BID, price, -1));
            assertEquals(List.of(), levelsFrom(ASK, price, -1));
        }
        assertEquals(List.of(), ordersOf(1, 10));
    }

    @Test
    void shouldAcceptAnyNumbers()
    {
        book.execute(new BookCommand().place(OrderType.GTC, BID).orderId(1).uid(7).size(1));
        book.execute(new BookCommand().place(OrderType.GTC, ASK).orderId(2).uid(7).price(SymbolSpec.MAX_PRICE).size(1));
        assertEquals(List.of("BID 0: 1 of 1"), levelsFrom(BID, Long.MAX_VALUE, -1));
        assertEquals(List.of("BID 0: 1 of 1"), levelsFrom(BID, 0, -1));
        assertEquals(List.of("ASK " + SymbolSpec.MAX_PRICE + ": 1 of 1"), levelsFrom(ASK, 0, -1));
        assertEquals(List.of(), levelsFrom(ASK, Long.MAX_VALUE, -1));
        assertEquals(List.of(1L, 2L), ordersOf(7, Integer.MAX_VALUE));
        book.forEachOpenOrder(7, Long.MAX_VALUE, Integer.MAX_VALUE,
            (orderId, user, side, price, size, filled, reservePrice) -> fail("order " + orderId));
        book.forEachOpenOrder(7, Long.MIN_VALUE, Integer.MIN_VALUE,
            (orderId, user, side, price, size, filled, reservePrice) -> fail("order " + orderId));
    }
}
