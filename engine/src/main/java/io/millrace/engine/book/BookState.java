package io.millrace.engine.book;

import io.millrace.engine.tables.Fnv;
import io.millrace.engine.tables.OrderIndex;

/**
 * Walks over the whole state of a book: computes its hash, and checks that its parts agree. Stateless.
 */
final class BookState
{
    private static final int HASHED_COLUMNS = OrderArena.PARAMETER + 1;

    private BookState()
    {
    }

    static long hash(final RestingOrders resting, final long lastTrade)
    {
        final OrderArena arena = resting.arena;
        final PriceLadder ladder = resting.ladder;
        long hash = Fnv.add(Fnv.add(Fnv.OFFSET, lastTrade), resting.lastAccepted());
        for (int side = 0; side < 2; side++)
        {
            for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
            {
                hash = addQueue(hash, resting, arena.queue(level));
            }
        }
        return Fnv.mix(addQueue(hash, resting, resting.stops.queue()));
    }

    private static long addQueue(final long before, final RestingOrders resting, final int queue)
    {
        final OrderArena arena = resting.arena;
        long hash = before;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            for (int column = 0; column < HASHED_COLUMNS; column++)
            {
                hash = Fnv.add(hash, arena.field(h, column));
            }
            final byte type = arena.type(h);
            if (type == OrderType.ICEBERG)
            {
                hash = Fnv.add(hash, resting.displaySize(h));
            }
            else if (type == OrderType.GTD || OrderType.isStop(type))
            {
                hash = Fnv.add(hash, resting.accepted(h));
            }
        }
        return hash;
    }

    static void verify(final RestingOrders resting)
    {
        final PriceLadder ladder = resting.ladder;
        final long bestBid = ladder.bestKey(Side.BID);
        final long bestAsk = ladder.bestKey(Side.ASK);
        expect(bestBid == PriceLadder.NO_KEY || bestAsk == PriceLadder.NO_KEY ||
            PriceLadder.key(Side.BID, bestBid) < bestAsk, "best bid and best ask cross", bestAsk);
        final int stops = resting.stops.verifiedSize();
        expect(stops >= 0, "queue and heaps of the stops disagree", stops);
        verifyOrders(resting.arena, resting.index, ladder, ladder, stops);
        expect(resting.expiries.isInOrder(), "expiries are out of order", resting.expiries.size());
        int expiring = 0;
        for (int side = 0; side < 2; side++)
        {
            for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
            {
                expiring += verifyTypes(resting, resting.arena.queue(level));
            }
        }
        expect(expiring == resting.expiries.size(), "orders that expire are not those in the heap", expiring);
        expect(resting.users == null || resting.users.verifiedSize() == resting.arena.used(),
            "orders of users are not the orders of the book", resting.arena.used());
    }

    private static int verifyTypes(final RestingOrders resting, final int queue)
    {
        final OrderArena arena = resting.arena;
        int expiring = 0;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            final long shown = arena.shown(h);
            expect(shown > 0 && shown <= arena.open(h), "an order shows more than its open size", arena.id(h));
            expect(!arena.isIceberg(h) || shown <= resting.displaySize(h), "an iceberg shows too much", arena.id(h));
            expect(!OrderType.isStop(arena.type(h)), "a stop is in the queue of a level", arena.id(h));
            if (arena.type(h) == OrderType.GTD)
            {
                expect(resting.expiries.contains(h), "an order that expires is not in the heap", arena.id(h));
                expiring++;
            }
        }
        return expiring;
    }

    /** Same check for two sides that may cross; they share a ladder or have one each. */
    static void verifyApart(
        final OrderArena arena, final OrderIndex index, final PriceLadder bids, final PriceLadder asks)
    {
        verifyOrders(arena, index, bids, asks, 0);
    }

    private static void verifyOrders(
        final OrderArena arena,
        final OrderIndex index,
        final PriceLadder bids,
        final PriceLadder asks,
        final int outside)
    {
        final int inside = verifySide(Side.BID, arena, index, bids) + verifySide(Side.ASK, arena, index, asks);
        final int orders = inside + outside;
        expect(orders == arena.used(), "rows in use are not the orders in queues", arena.used() - orders);
        expect(inside == ordersOf(bids, asks), "orders of levels are not the orders in queues", inside);
        final int ids = index.verifiedSize();
        expect(ids >= 0, "the id table disagrees with itself or with its overflow", ids);
        expect(ids == orders, "ids in the table are not the orders in queues", ids - orders);
    }

    private static long ordersOf(final PriceLadder bids, final PriceLadder asks)
    {
        final long first = verifiedOrders(bids);
        final long second = bids == asks ? 0 : verifiedOrders(asks);
        return first < 0 || second < 0 ? -1 : first + second;
    }

    /** Number of orders of all levels; -1 when totals contradict each other, or a search misses a level. */
    static long verifiedOrders(final PriceLadder ladder)
    {
        final long[] totals = ladder.totals;
        final long[] hiddens = ladder.hidden;
        long sum = 0;
        long hides = 0;
        int levels = 0;
        for (int level = 0; level < totals.length / 2; level++)
        {
            final long orders = totals[2 * level + 1];
            final long hidden = hiddens[level];
            if (orders < 0 || hidden < 0 || orders == 0 && (totals[2 * level] | hidden) != 0)
            {
                return -1;
            }
            sum += orders;
            hides += hidden;
            levels += ladder.isInside(level) && orders > 0 ? 1 : 0;
        }
        return hides == ladder.hiddenEverywhere && levels == ladder.countInside(0) + ladder.countInside(1) ? sum : -1;
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
            expect(levels != 1 || key >= ladder.best[side].second, "a level is before the second best price", price);
            expect(key > keyBefore, "levels out of order", price);
            expect(ladder.levelAt(side, price) == level, "a level is not found by its price", price);
            orders += verifyLevel(side, level, price, arena, index, ladder);
            keyBefore = key;
            levels++;
        }
        expect(levels == 0 || ladder.best[side].second >= ladder.bestKey(side), "the second best price is better",
            side);
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
        long hidden = 0;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            final long id = arena.id(h);
            expect(arena.previous(arena.next(h)) == h, "links of an order disagree", id);
            expect(index.find(id) == h, "an order is not found by its id", id);
            expect(index.steps(id) <= OrderIndex.MAX_STEPS, "an order is found in too many steps", id);
            expect(arena.side(h) == side, "an order is in a queue of the other side", id);
            expect(arena.field(h, OrderArena.PRICE) == price, "an order is in the queue of another price", id);
            expect(arena.open(h) > 0 && arena.field(h, OrderArena.FILLED) >= 0, "an order has nothing left", id);
            volume += arena.shown(h);
            hidden += arena.open(h) - arena.shown(h);
            orders++;
        }
        expect(orders > 0 && orders == ladder.orders(level), "count of orders is wrong at a price", price);
        expect(volume == ladder.volume(level), "volume is wrong at a price", price);
        expect(hidden == ladder.hidden(level), "hidden volume is wrong at a price", price);
        return orders;
    }

    private static void expect(final boolean holds, final String problem, final long where)
    {
        if (!holds)
        {
            throw new IllegalStateException("order book: " + problem + ": " + where);
        }
    }
}
