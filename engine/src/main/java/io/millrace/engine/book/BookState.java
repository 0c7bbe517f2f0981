package io.millrace.engine.book;

/**
 * Walks over the whole state of a book: its hash, and whether its parts agree. Stateless.
 */
final class BookState
{
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final int HASHED_COLUMNS = OrderArena.RESERVE + 1;

    private BookState()
    {
    }

    static long hash(final OrderArena arena, final PriceLadder ladder)
    {
        long hash = FNV_OFFSET;
        for (int side = 0; side < 2; side++)
        {
            for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
            {
                final int queue = arena.queue(level);
                for (int h = arena.next(queue); h != queue; h = arena.next(h))
                {
                    for (int column = 0; column < HASHED_COLUMNS; column++)
                    {
                        hash = add(hash, arena.field(h, column));
                    }
                }
            }
        }
        return hash;
    }

    /** One more long, its lowest byte first. */
    private static long add(final long hash, final long value)
    {
        long result = hash;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            result = (result ^ value >>> shift & 0xff) * FNV_PRIME;
        }
        return result;
    }

    static void verify(final OrderArena arena, final OrderIndex index, final PriceLadder ladder)
    {
        final long bestBid = ladder.bestKey(Side.BID);
        final long bestAsk = ladder.bestKey(Side.ASK);
        expect(bestBid == PriceLadder.NO_KEY || bestAsk == PriceLadder.NO_KEY ||
            PriceLadder.key(Side.BID, bestBid) < bestAsk, "best bid and best ask cross", bestAsk);
        verifyApart(arena, index, ladder, ladder);
    }

    /** The same for two sides that may cross; they share a ladder, or each has its own. */
    static void verifyApart(
        final OrderArena arena, final OrderIndex index, final PriceLadder bids, final PriceLadder asks)
    {
        final int orders = verifySide(Side.BID, arena, index, bids) + verifySide(Side.ASK, arena, index, asks);
        expect(orders == arena.used(), "rows in use are not the orders in queues", arena.used() - orders);
        expect(orders == ordersOf(bids, asks), "orders of levels are not the orders in queues", orders);
        final int ids = index.verifiedSize();
        expect(ids >= 0, "the id table disagrees with itself or with its overflow", ids);
        expect(ids == orders, "ids in the table are not the orders in queues", ids - orders);
    }

    private static long ordersOf(final PriceLadder bids, final PriceLadder asks)
    {
        final long first = bids.verifiedOrders();
        final long second = bids == asks ? 0 : asks.verifiedOrders();
        return first < 0 || second < 0 ? -1 : first + second;
    }

    private static int verifySide(
        final int side, final OrderArena arena, final OrderIndex index, final PriceLadder ladder)
    {
        int orders = 0;
        int levels = 0;
        long keyBefore = Long.MIN_VALUE;
        for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
        {
            final long price = ladder.price(side, level);
            final long key = PriceLadder.key(side, price);
            expect(levels > 0 || key == ladder.bestKey(side), "the best level does not have the best price", price);
            expect(key > keyBefore, "levels out of order", price);
            expect(ladder.levelAt(side, price) == level, "a level is not found by its price", price);
            orders += verifyLevel(side, level, price, arena, index, ladder);
            keyBefore = key;
            levels++;
        }
        expect(levels == ladder.levelCount(side), "count of levels is wrong", levels);
        expect(levels > 0 || ladder.bestKey(side) == PriceLadder.NO_KEY, "an empty side has a best price", side);
        return orders;
    }

    private static int verifyLevel(
        final int side,
        final int level,
        final long price,
        final OrderArena arena,
        final OrderIndex index,
        final PriceLadder ladder)
    {
        final int queue = ladder.queue(level);
        int orders = 0;
        long volume = 0;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            final long id = arena.id(h);
            expect(arena.previous(arena.next(h)) == h, "links of an order disagree", id);
            expect(index.find(id) == h, "an order is not found by its id", id);
            expect(index.steps(id) <= OrderIndex.MAX_STEPS, "an order is found in too many steps", id);
            expect(arena.side(h) == side, "an order stands on the other side", id);
            expect(arena.field(h, OrderArena.PRICE) == price, "an order stands at another price", id);
            expect(arena.open(h) > 0 && arena.field(h, OrderArena.FILLED) >= 0, "an order has nothing left", id);
            volume += arena.open(h);
            orders++;
        }
        expect(orders > 0 && orders == ladder.orders(level), "count of orders is wrong at a price", price);
        expect(volume == ladder.volume(level), "volume is wrong at a price", price);
        return orders;
    }

    private static void expect(final boolean holds, final String what, final long where)
    {
        if (!holds)
        {
            throw new IllegalStateException("order book: " + what + ": " + where);
        }
    }
}
