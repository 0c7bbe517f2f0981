package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

/**
 * The queries of an {@link OrderBook}. They change nothing. One thread.
 */
abstract class BookQueries
{
    /**
     * Greatest number of orders that {@link #bestPriceOfOthers} inspects: 64 rows of 64 bytes are 4 KB, a few
     * microseconds with cold caches. If all of them belong to the user, they hide the later orders.
     */
    public static final int MAX_INSPECTED = 64;

    /** Result of {@link #bestPriceOfOthers} when no other user has an order. */
    public static final long NO_PRICE = -1;

    /** Result of {@link #bestPriceOfOthers} when the user's own orders hide whether others have any. */
    public static final long HIDDEN_PRICE = -2;

    final ListenerGuard guard;
    final SymbolSpec spec;
    final RestingOrders resting;
    final OrderArena arena;
    final OrderIndex index;
    final PriceLadder ladder;

    BookQueries(final ListenerGuard guard, final SymbolSpec spec, final RestingOrders resting)
    {
        this.guard = guard;
        this.spec = spec;
        this.resting = resting;
        arena = resting.arena;
        index = resting.index;
        ladder = resting.ladder;
    }

    final int find(final long orderId, final long uid)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE || arena.field(h, OrderArena.UID) != uid ? OrderArena.NONE : h;
    }

    final UserOrders users()
    {
        if (resting.users == null)
        {
            throw new IllegalStateException("the book of symbol " + spec.symbol() + " does not keep the orders of " +
                "each user: create it with keepsUsers");
        }
        return resting.users;
    }

    /**
     * The size of an order with another open size.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param openSize in lots.
     * @return the filled size plus the open size; the open size if there is no such order; 0 (no order has it) if
     *     the open size is below 1 or the sum exceeds a long.
     */
    public long totalSize(final long orderId, final long uid, final long openSize)
    {
        final int h = find(orderId, uid);
        final long filled = h == OrderArena.NONE ? 0 : arena.field(h, OrderArena.FILLED);
        return openSize < 1 || openSize > Long.MAX_VALUE - filled ? 0 : filled + openSize;
    }

    /** Check before a copy or a restoration: refused whenever a command is refused. */
    void checkCommand()
    {
        ListenerGuard.command(guard);
    }

    RestingOrders orders()
    {
        return resting;
    }

    /**
     * Best price of a side.
     *
     * @param side see {@link Side}.
     * @return price steps, -1 when the side is empty.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestPrice(final byte side)
    {
        final long key = ladder.bestKey(Side.checked(side));
        return key == PriceLadder.NO_KEY ? -1 : PriceLadder.key(side, key);
    }

    /**
     * Best price of a side without a user's own orders. Inspects at most {@value #MAX_INSPECTED} orders, the first in
     * priority.
     *
     * @param side see {@link Side}.
     * @param uid  the user.
     * @return price steps. {@link #NO_PRICE} when the side is empty or all its orders are the user's. {@link
     *         #HIDDEN_PRICE} when the first {@value #MAX_INSPECTED} orders are the user's and there are more.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestPriceOfOthers(final byte side, final long uid)
    {
        return resting.bestPriceOfOthers(Side.checked(side), uid);
    }

    /**
     * Volume that rests at a price, without the hidden size of icebergs.
     *
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long volumeAt(final byte side, final long price)
    {
        final int level = ladder.occupiedLevelAt(Side.checked(side), price);
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Visible volume that trades before a resting order at its price. Takes time in proportion to the orders ahead.
     *
     * @param orderId the order.
     * @return lots, 0 for the first order of its queue; -1 when no such order rests.
     */
    public long volumeAhead(final long orderId)
    {
        final int h = index.find(orderId);
        if (h == OrderArena.NONE || OrderType.isStop(arena.type(h)))
        {
            return -1;
        }
        long volume = 0;
        for (int ahead = arena.previous(h); ahead < arena.capacity; ahead = arena.previous(ahead))
        {
            volume += arena.shown(ahead);
        }
        return volume;
    }

    /**
     * Visits the orders at a price by priority, until the visitor stops. Allocates nothing.
     *
     * @param side    see {@link Side}.
     * @param price   in price steps, any number.
     * @param visitor receives the orders; must not call the book with a command.
     * @return number of visited orders, the last one included.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int visitOrders(final byte side, final long price, final OrderVisitor visitor)
    {
        final int level = ladder.occupiedLevelAt(Side.checked(side), price);
        if (level == PriceLadder.NONE)
        {
            return 0;
        }
        ListenerGuard.enter(guard);
        try
        {
            final int queue = ladder.queue(level);
            int visited = 0;
            boolean goesOn = true;
            for (int h = arena.next(queue); goesOn && h != queue; h = arena.next(h))
            {
                visited++;
                goesOn = visitor.onOrder(arena.id(h), arena.field(h, OrderArena.UID), arena.shown(h), arena.open(h));
            }
            return visited;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Price of the last trade.
     *
     * @return price steps, -1 when there was none.
     */
    public long lastTradePrice()
    {
        return resting.lastTrade();
    }

    /**
     * Number of the last trade.
     *
     * @return from 1; 0 when there was none.
     */
    public long lastTradeId()
    {
        return resting.lastTradeId();
    }

    /**
     * Open size of an order, resting or untriggered.
     *
     * @param orderId the order.
     * @return lots; 0 when there is no such order.
     */
    public long openSize(final long orderId)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE ? 0 : arena.open(h);
    }

    /**
     * Whether an order exists, resting or untriggered, and belongs to a user.
     *
     * @param orderId the order.
     * @param uid     the user.
     * @return false for an unknown order and for another user's.
     */
    public boolean isOrderOf(final long orderId, final long uid)
    {
        return find(orderId, uid) != OrderArena.NONE;
    }

    /**
     * Filled size of an order, resting or untriggered.
     *
     * @param orderId the order.
     * @return lots; 0 when there is no such order.
     */
    public long filledSize(final long orderId)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE ? 0 : arena.field(h, OrderArena.FILLED);
    }

    /**
     * Open and filled size of an order, resting or untriggered. Fastest for the order of the last command. Allocates
     * nothing.
     *
     * @param orderId the order.
     * @param reader  called once.
     */
    public void readSizes(final long orderId, final OrderSizes reader)
    {
        if (!readLatestSizes(orderId, reader))
        {
            readSizes(index.find(orderId), reader);
        }
    }

    private void readSizes(final int h, final OrderSizes reader)
    {
        if (h == OrderArena.NONE)
        {
            reader.onSizes(0, 0);
        }
        else
        {
            reader.onSizes(arena.open(h), arena.field(h, OrderArena.FILLED));
        }
    }

    /**
     * As {@link #readSizes(long, OrderSizes)}, but without a search: only if the book remembers the order as the one
     * that it placed, moved or reduced last, and it is still open.
     *
     * @param orderId the order.
     * @param reader  called once if it is that order.
     * @return whether it is.
     */
    public boolean readLatestSizes(final long orderId, final OrderSizes reader)
    {
        final int latest = arena.latest;
        final boolean isLatest = latest != OrderArena.NONE && arena.id(latest) == orderId;
        if (isLatest)
        {
            readSizes(latest, reader);
        }
        return isLatest;
    }

    /**
     * Expiry of the next GTD order.
     *
     * @return in nanoseconds, 1 or more; 0 when there is none.
     */
    public long nextExpiryNs()
    {
        final int h = resting.expiries.first();
        return h == OrderArena.NONE ? 0 : arena.field(h, OrderArena.PARAMETER);
    }

    /**
     * Number of orders, resting or untriggered.
     *
     * @return number of orders, at most the capacity.
     */
    public int orderCount()
    {
        return arena.used();
    }

    /**
     * Number of price levels of a side that have orders. Takes time in proportion to this number.
     *
     * @param side see {@link Side}.
     * @return number of levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int levelCount(final byte side)
    {
        return ladder.levelCount(Side.checked(side));
    }

    /**
     * Number of price levels of a side outside the ladder's window, where commands are slower. If there are often many,
     * {@link SymbolSpec#withWindowTicks} gives the symbol a larger window. The window never contains bids below {@link
     * SymbolSpec#minAskPrice}.
     *
     * @param side {@link Side#BID} or {@link Side#ASK}.
     * @return 0 to {@link #levelCount}.
     */
    public int sparseLevelCount(final byte side)
    {
        return ladder.sparseCount(Side.checked(side));
    }

    /**
     * Reports the best levels of a side, best first, without the hidden size of icebergs. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels greatest number of levels; negative for all.
     * @param consumer  receives them; must not call the book with a command.
     * @return number of reported levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        return forEachLevelFrom(side, -1, maxLevels, consumer);
    }

    /**
     * Reports levels of a side from a price on, best first, without the hidden size of icebergs. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param price     price of the first level; if it has no orders, the next worse level; negative: the best.
     * @param maxLevels greatest number of levels; negative for all.
     * @param consumer  receives them; must not call the book with a command.
     * @return number of reported levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevelFrom(
        final byte side, final long price, final int maxLevels, final PriceLevelConsumer consumer)
    {
        final int first =
            price < 0 ? ladder.bestLevel(Side.checked(side)) : ladder.levelFrom(Side.checked(side), price);
        ListenerGuard.enter(guard);
        try
        {
            return ladder.forEachLevel(side, first, maxLevels, consumer);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports a user's orders, resting or untriggered, in the order of their ids. Takes time in proportion to the
     * user's orders. Allocates nothing.
     *
     * @param uid       the user.
     * @param fromId    least order id.
     * @param maxOrders greatest number of orders to report.
     * @param consumer  receives them; must not call the book with a command.
     * @throws IllegalStateException when the book does not keep the orders of each user.
     */
    public void forEachOpenOrder(
        final long uid, final long fromId, final int maxOrders, final OrderConsumer consumer)
    {
        final UserOrders users = users();
        ListenerGuard.enter(guard);
        try
        {
            int left = maxOrders;
            for (int h = users.first(uid); h != OrderArena.NONE && left > 0; h = users.next(uid, h))
            {
                if (arena.id(h) >= fromId)
                {
                    arena.report(h, consumer);
                    left--;
                }
            }
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports the resting orders of a side in the order of priority. Allocates nothing.
     *
     * @param side     see {@link Side}.
     * @param consumer receives them; must not call the book with a command.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            ladder.forEachOrder(Side.checked(side), consumer);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports the untriggered stops in the order of acceptance; the price of a STOP is 0. Allocates nothing.
     *
     * @param consumer receives them; must not call the book with a command.
     */
    public void forEachStop(final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int queue = resting.stops.queue();
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                arena.report(h, consumer);
            }
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports one order, resting or untriggered.
     *
     * @param orderId  the order.
     * @param consumer receives it, if it exists; must not call the book with a command.
     * @return false when there is no such order.
     */
    public boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int h = index.find(orderId);
            if (h != OrderArena.NONE)
            {
                arena.report(h, consumer);
            }
            return h != OrderArena.NONE;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Sequence of the last level message to the market data listener.
     *
     * @return from 1; 0 when there was none.
     */
    public long levelSequence()
    {
        return resting.feed == null ? 0 : resting.feed.levelSequence();
    }

    /**
     * Sequence of the last order message to the market data listener.
     *
     * @return from 1; 0 when there was none.
     */
    public long orderSequence()
    {
        return resting.feed == null ? 0 : resting.feed.orderSequence();
    }

    /**
     * Sequence of the last message of the tape, which has trades and status, to the market data listener.
     *
     * @return from 1; 0 when there was none.
     */
    public long tapeSequence()
    {
        return resting.feed == null ? 0 : resting.feed.tapeSequence();
    }

    /**
     * A number that is equal for equal books, on every JVM: FNV-1a, 64 bits, {@linkplain
     * io.millrace.engine.tables.Fnv#mix mixed} at the end, over little-endian longs. First come the price of the last
     * trade (-1 for none) and the last acceptance number (0 for none). Then come the resting orders, bids first, each
     * side in the order of priority, then the untriggered stops in the order of acceptance. An order gives id, user,
     * price, size, filled, attributes (side, type, self-trade policy), reserve price and parameter. An ICEBERG then
     * gives its display size, a GTD order and a stop their acceptance number. The sequences of market data are not
     * included. They exist only with a listener and do not affect matching, so a replay without listeners has the same
     * hash. The number of the last trade is not included either: it does not affect matching. Takes time in proportion
     * to the number of orders; allocates nothing.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return BookState.hash(resting, lastTradePrice());
    }

    /**
     * Checks that the parts of the book agree: queues, totals, best prices, bitmaps, id table, rows in use. Takes time
     * in proportion to the book; for tests and for the end of a benchmark.
     *
     * @throws IllegalStateException when they do not; the message names the part and the place.
     */
    public void verify()
    {
        BookState.verify(resting);
    }

    /**
     * The symbol and its limits.
     *
     * @return as given.
     */
    public SymbolSpec spec()
    {
        return spec;
    }
}
