package io.millrace.engine.book;

import io.millrace.engine.tables.Fnv;
import io.millrace.engine.tables.OrderIndex;

/**
 * What can be asked of an order book between its commands, and from inside of its listeners; the commands are those of
 * {@link OrderBook}. One thread, that of the commands: a look at the levels tidies up behind them.
 */
abstract class BookView
{
    /**
     * How many orders {@link #bestPriceOfOthers} looks at: 64 rows of 64 bytes are 4 KB, a few microseconds when none
     * of them is in a cache, and who has more at the front of a side alone does not depend on what stands behind them.
     */
    public static final int MAX_LOOKS = 64;

    /**
     * Answer of {@link #bestPriceOfOthers} when nobody else has an order.
     */
    public static final long NO_PRICE = -1;

    /**
     * Answer of {@link #bestPriceOfOthers} when the user's own orders hide whether others have any.
     */
    public static final long HIDDEN_PRICE = -2;

    final ListenerGuard guard;
    private final SymbolSpec spec;
    private final RestingOrders resting;
    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder ladder;

    BookView(final SymbolSpec spec, final RestingOrders resting, final ListenerGuard guard)
    {
        this.guard = guard;
        this.spec = spec;
        this.resting = resting;
        arena = resting.arena;
        index = resting.index;
        ladder = resting.ladder;
    }

    /** As for a command: for whoever copies or restores the book. */
    final void checkCommand()
    {
        ListenerGuard.command(guard);
    }

    final RestingOrders orders()
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
    public final long bestPrice(final byte side)
    {
        final long key = ladder.bestKey(Side.checked(side));
        return key == PriceLadder.NO_KEY ? -1 : PriceLadder.key(side, key);
    }

    /**
     * Best price of a side, not counting a user's own orders. Looks at {@value #MAX_LOOKS} orders at most, the first
     * in priority.
     *
     * @param side see {@link Side}.
     * @param uid  the user.
     * @return price steps; {@link #NO_PRICE} when all orders of the side are the user's or it is empty; {@link
     *     #HIDDEN_PRICE} when the first {@value #MAX_LOOKS} orders are the user's and there are more.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final long bestPriceOfOthers(final byte side, final long uid)
    {
        int looks = 0;
        for (int level = ladder.bestLevel(Side.checked(side)); level != PriceLadder.NONE;
            level = ladder.worse(side, level))
        {
            final int queue = ladder.queue(level);
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                if (looks == MAX_LOOKS)
                {
                    return HIDDEN_PRICE;
                }
                if (arena.field(h, OrderArena.UID) != uid)
                {
                    return ladder.price(side, level);
                }
                looks++;
            }
        }
        return NO_PRICE;
    }

    /**
     * Volume that rests at a price, without what icebergs do not show.
     *
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final long volumeAt(final byte side, final long price)
    {
        final int level = ladder.occupiedLevelAt(Side.checked(side), price);
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Price of the last trade.
     *
     * @return price steps, -1 when there was none.
     */
    public final long lastTradePrice()
    {
        return resting.lastTrade();
    }

    /**
     * When the next GTD order expires.
     *
     * @return its expiry in nanoseconds, 1 or more; 0 when there is none.
     */
    public final long nextExpiryNs()
    {
        final int h = resting.expiries.first();
        return h == OrderArena.NONE ? 0 : arena.field(h, OrderArena.PARAMETER);
    }

    /**
     * How many orders there are, resting or untriggered.
     *
     * @return number of orders, at most the capacity.
     */
    public final int orderCount()
    {
        return arena.used();
    }

    /**
     * How many price levels of a side have orders. Counts them: takes time in proportion to their number.
     *
     * @param side see {@link Side}.
     * @return number of levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final int levelCount(final byte side)
    {
        return ladder.levelCount(Side.checked(side));
    }

    /**
     * Tell the best levels of a side, best first, without what icebergs do not show. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels how many at most; negative for all.
     * @param consumer  is told; it must not call the book with a command.
     * @return how many it was told.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            return ladder.forEachLevel(Side.checked(side), maxLevels, consumer);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell levels of a side from a price on, best first, without what icebergs do not show. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param price     the first level is there or, if there is none, the next worse one; negative: the best.
     * @param maxLevels how many at most; negative for all.
     * @param consumer  is told; it must not call the book with a command.
     * @return how many it was told.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final int forEachLevelFrom(
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
     * Tell the orders of a user, resting or untriggered, that lie in some of the book's rows: a look at so many rows of
     * 64 bytes, however many orders there are. Where an order lies says nothing and never changes while it is there.
     * Allocates nothing.
     *
     * @param uid       the user.
     * @param firstRow  0, or what the call before gave back.
     * @param maxRows   how many rows to look at, at most.
     * @param maxOrders how many orders to tell, at most.
     * @param consumer  is told; it must not call the book with a command.
     * @return the row to go on with; -1 when all have been looked at.
     */
    public final int forEachOrderOf(
        final long uid, final int firstRow, final int maxRows, final int maxOrders, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int end = arena.used() == 0 ? 0 : arena.capacity;
            final int last = Math.min(end, firstRow + Math.min(maxRows, end));
            int told = 0;
            int h = Math.max(0, firstRow);
            for (; h < last && told < maxOrders; h++)
            {
                // A row that is free has the fields of its last order.
                if (arena.field(h, OrderArena.UID) == uid && index.find(arena.id(h)) == h)
                {
                    arena.tell(h, consumer);
                    told++;
                }
            }
            return h < end ? h : -1;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell the resting orders of a side in the order of their priority. Allocates nothing.
     *
     * @param side     see {@link Side}.
     * @param consumer is told; it must not call the book with a command.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public final void forEachOrder(final byte side, final OrderConsumer consumer)
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
     * Tell the untriggered stops in the order of their acceptance; the price of a STOP is 0. Allocates nothing.
     *
     * @param consumer is told; it must not call the book with a command.
     */
    public final void forEachStop(final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int queue = resting.stops.queue();
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                arena.tell(h, consumer);
            }
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell one order, resting or untriggered.
     *
     * @param orderId  the order.
     * @param consumer is told, if there is such an order; it must not call the book with a command.
     * @return false when there is no such order.
     */
    public final boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int h = index.find(orderId);
            if (h != OrderArena.NONE)
            {
                arena.tell(h, consumer);
            }
            return h != OrderArena.NONE;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Sequence of the last message of levels that the market data listener was told.
     *
     * @return from 1; 0 when there was none.
     */
    public final long levelSequence()
    {
        return resting.feed == null ? 0 : resting.feed.levelSequence();
    }

    /**
     * Sequence of the last message of orders that the market data listener was told.
     *
     * @return from 1; 0 when there was none.
     */
    public final long orderSequence()
    {
        return resting.feed == null ? 0 : resting.feed.orderSequence();
    }

    /**
     * A number that is equal for equal books, on every JVM: FNV-1a, 64 bits, {@linkplain Fnv#mix mixed} at the end,
     * over the price of the last trade (-1 for none), the number of the last acceptance (0 for none), the resting
     * orders, bids first, each side in the order of priority, then the untriggered stops as they were accepted. Each
     * gives little-endian longs: id, user, price, size, filled, attributes (side, type, self-trade policy), reserve
     * price, parameter; of an ICEBERG then the display size, of a GTD and a stop the number of its acceptance. The
     * sequences of market data are not in it: they count only where somebody listens, and decide nothing, so a replay
     * without listeners has the same hash. Takes time in proportion to the number of orders; allocates nothing.
     *
     * @return 64 bits.
     */
    public final long stateHash()
    {
        return BookState.hash(resting, lastTradePrice());
    }

    /**
     * Check that everything in here agrees with everything else: queues, totals, best prices, bitmaps, id table, rows
     * in use. Takes time in proportion to the book; for tests and for the end of a benchmark.
     *
     * @throws IllegalStateException when it does not; the message says what and where.
     */
    public final void verify()
    {
        BookState.verify(resting);
    }

    /**
     * The symbol and its limits.
     *
     * @return as given.
     */
    public final SymbolSpec spec()
    {
        return spec;
    }
}
