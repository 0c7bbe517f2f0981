package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.util.Objects;

/**
 * The resting orders of one symbol of an external market, rebuilt from its order-by-order feed (market by order, level
 * 3). The book applies the feed's messages and matches nothing. An order that crosses the other side rests: real feeds
 * cross for a moment, and recorded samples may stay crossed.
 * <p>
 * Prices and sizes are longs in the smallest step of the feed: price steps and lots, shares or contracts. An impossible
 * call returns a result other than {@link CommandResult#SUCCESS} and changes nothing. A sound feed never causes these
 * results, so callers can count them as anomalies of the feed. Only queries throw an exception, for an invalid side
 * byte.
 * <p>
 * The parts are the same as in {@link OrderBook}: orders are rows of an {@link OrderArena}, an {@link OrderIndex} finds
 * them by id, and a {@link PriceLadder} finds levels by price. There is one ladder per side, because both sides may
 * have a level at a crossed price. The constructor allocates all memory: as much as {@link SymbolSpec} counts, plus the
 * levels a second time. These take 56 bytes per order of the capacity and 32 per price of the window.
 * <p>
 * One thread. Has no clock: the same calls always give the same book.
 */
public final class MarketByOrderBook
{
    private final SymbolSpec spec;
    private final long maxSize;
    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder bids;
    private final PriceLadder asks;

    /**
     * Creates an empty book.
     * @param spec symbol and limits; the book treats spot symbols and futures alike.
     */
    public MarketByOrderBook(final SymbolSpec spec)
    {
        this.spec = Objects.requireNonNull(spec, "spec");
        maxSize = spec.maxSize();
        final int orders = spec.orderCapacity();
        final int window = spec.windowTicks();
        // Worst case: all orders are on one side, each with its own level outside the window.
        final int levels = window + orders;
        arena = new OrderArena(orders, 2 * levels);
        bids = new PriceLadder(arena, 0, window, orders);
        asks = new PriceLadder(arena, levels, window, orders);
        index = arena.newIndex();
    }

    /**
     * Adds a resting order at the end of the queue at its price. The checks are in the order of the results below.
     * @param orderId any number that no order of this book has; free again when its order is gone.
     * @param side    see {@link Side}.
     * @param price   0 to {@link SymbolSpec#MAX_PRICE} price steps.
     * @param size    1 to {@link SymbolSpec#maxSize()} lots.
     * @return SUCCESS, WRONG_SIDE, WRONG_SIZE, WRONG_PRICE, DUPLICATE_ORDER or BOOK_FULL.
     */
    public CommandResult add(final long orderId, final byte side, final long price, final long size)
    {
        final CommandResult checked = Side.isValid(side) ? check(price, size) : CommandResult.WRONG_SIDE;
        if (checked != CommandResult.SUCCESS)
        {
            return checked;
        }
        if (index.find(orderId) != OrderArena.NONE)
        {
            return CommandResult.DUPLICATE_ORDER;
        }
        if (arena.isFull())
        {
            return CommandResult.BOOK_FULL;
        }
        enter(arena.allocate(), orderId, side, price, size);
        return CommandResult.SUCCESS;
    }

    private CommandResult check(final long price, final long size)
    {
        if (size < 1 || size > maxSize)
        {
            return CommandResult.WRONG_SIZE;
        }
        return isPrice(price) ? CommandResult.SUCCESS : CommandResult.WRONG_PRICE;
    }

    private static boolean isPrice(final long price)
    {
        return price >= 0 && price <= SymbolSpec.MAX_PRICE;
    }

    private void enter(final int h, final long orderId, final int side, final long price, final long size)
    {
        final long[] rows = arena.rows;
        final int row = h << OrderArena.ROW_SHIFT;
        rows[row] = orderId;
        rows[row + OrderArena.PRICE] = price;
        rows[row + OrderArena.SIZE] = size;
        rows[row + OrderArena.FILLED] = 0;
        rows[row + OrderArena.ATTRIBUTES] = side;
        // User and reserve price are never written here: both stay 0.
        index.add(orderId, h);
        ladder(side).enter(side, price, h, size);
    }

    /**
     * Reduces an order by a cancelled quantity. The order keeps its place in the queue. It is removed when nothing is
     * left.
     * @param orderId  the order.
     * @param quantity lots, 1 to the open quantity of the order.
     * @return SUCCESS, UNKNOWN_ORDER or WRONG_SIZE.
     */
    public CommandResult reduce(final long orderId, final long quantity)
    {
        final int h = index.find(orderId);
        final CommandResult checked = checkTake(h, quantity);
        if (checked == CommandResult.SUCCESS && reduceOpen(h, quantity))
        {
            arena.rows[(h << OrderArena.ROW_SHIFT) + OrderArena.SIZE] -= quantity;
        }
        return checked;
    }

    /**
     * Applies a trade of a resting order, in part or completely. As {@link #reduce}, but the quantity counts as filled
     * in {@link #forEachOrder}. The book checks neither the trade price nor whether the order was first in its queue,
     * because auctions and hidden orders are exceptions; the caller may check them.
     * @param orderId  the resting order.
     * @param quantity lots, 1 to the open quantity of the order.
     * @return SUCCESS, UNKNOWN_ORDER or WRONG_SIZE.
     */
    public CommandResult execute(final long orderId, final long quantity)
    {
        final int h = index.find(orderId);
        final CommandResult checked = checkTake(h, quantity);
        if (checked == CommandResult.SUCCESS && reduceOpen(h, quantity))
        {
            arena.rows[(h << OrderArena.ROW_SHIFT) + OrderArena.FILLED] += quantity;
        }
        return checked;
    }

    private CommandResult checkTake(final int h, final long quantity)
    {
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        return quantity < 1 || quantity > arena.open(h) ? CommandResult.WRONG_SIZE : CommandResult.SUCCESS;
    }

    /** Takes a quantity off an order. Returns whether the order still rests; the caller then updates its row. */
    private boolean reduceOpen(final int h, final long quantity)
    {
        if (quantity == arena.open(h))
        {
            remove(h);
            return false;
        }
        final int side = arena.side(h);
        final PriceLadder ladder = ladder(side);
        ladder.reduce(ladder.levelAt(side, arena.field(h, OrderArena.PRICE)), quantity);
        return true;
    }

    /**
     * Removes an order with its whole open quantity.
     * @param orderId the order.
     * @return SUCCESS or UNKNOWN_ORDER.
     */
    public CommandResult cancel(final long orderId)
    {
        final int h = index.find(orderId);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        remove(h);
        return CommandResult.SUCCESS;
    }

    /**
     * Replaces an order by a new one on the same side. The new order goes to the end of the queue at its price, even if
     * only the id is different. The checks are in the order of the results below.
     * @param orderId    the order to remove.
     * @param newOrderId id of the new order: any number that no other order of this book has.
     * @param price      price of the new order, 0 to {@link SymbolSpec#MAX_PRICE} price steps.
     * @param size       size of the new order, 1 to {@link SymbolSpec#maxSize()} lots.
     * @return SUCCESS, WRONG_SIZE, WRONG_PRICE, UNKNOWN_ORDER or DUPLICATE_ORDER; a full book accepts a replacement,
     *     too.
     */
    public CommandResult replace(final long orderId, final long newOrderId, final long price, final long size)
    {
        final CommandResult checked = check(price, size);
        if (checked != CommandResult.SUCCESS)
        {
            return checked;
        }
        final int h = index.find(orderId);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        if (newOrderId != orderId && index.find(newOrderId) != OrderArena.NONE)
        {
            return CommandResult.DUPLICATE_ORDER;
        }
        final int side = arena.side(h);
        remove(h);
        enter(arena.allocate(), newOrderId, side, price, size);
        return CommandResult.SUCCESS;
    }

    private void remove(final int h)
    {
        final int side = arena.side(h);
        final PriceLadder ladder = ladder(side);
        ladder.leave(side, ladder.levelAt(side, arena.field(h, OrderArena.PRICE)), h, arena.open(h));
        index.remove(arena.id(h), h);
        arena.free(h);
    }

    /** Removes all orders, for example when the feed restarts. Takes time in proportion to their number. */
    public void clear()
    {
        for (int side = 0; side < 2; side++)
        {
            final PriceLadder ladder = ladder(side);
            for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.bestLevel(side))
            {
                remove(arena.next(ladder.queue(level)));
            }
        }
    }

    /**
     * Best price of a side. While the feed is crossed, the best bid is at or above the best ask.
     * @param side see {@link Side}.
     * @return price steps, -1 when the side is empty.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public long bestPrice(final byte side)
    {
        final long key = checkedLadder(side).bestKey(side);
        return key == PriceLadder.NO_KEY ? -1 : PriceLadder.key(side, key);
    }

    /**
     * Volume at the best price of a side.
     * @param side see {@link Side}.
     * @return lots, 0 when the side is empty.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public long bestVolume(final byte side)
    {
        final PriceLadder ladder = checkedLadder(side);
        final int level = ladder.bestLevel(side);
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Volume at a price.
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public long volumeAt(final byte side, final long price)
    {
        final PriceLadder ladder = checkedLadder(side);
        final int level = isPrice(price) ? ladder.levelAt(side, price) : PriceLadder.NONE;
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Number of resting orders.
     * @return number of orders, at most the capacity.
     */
    public int orderCount()
    {
        return arena.used();
    }

    /**
     * Number of price levels of a side that have orders. Takes time in proportion to their number.
     * @param side see {@link Side}.
     * @return number of levels.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public int levelCount(final byte side)
    {
        return checkedLadder(side).levelCount(side);
    }

    /**
     * Reports the best levels of a side, best first. Allocates nothing.
     * @param side      see {@link Side}.
     * @param maxLevels greatest number of levels to report; negative for all.
     * @param consumer  receives the levels; it must not change the book.
     * @return number of reported levels.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        final PriceLadder ladder = checkedLadder(side);
        return ladder.forEachLevel(side, ladder.bestLevel(side), maxLevels, consumer);
    }

    /**
     * Reports the resting orders of a side by priority. Allocates nothing. The size of an order is its original size
     * less all quantities of {@link #reduce}; its filled quantity is the sum of all {@link #execute}. User and reserve
     * price are 0.
     * @param side     see {@link Side}.
     * @param consumer receives the orders; it must not change the book.
     * @throws IllegalArgumentException when the byte is not a side.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        checkedLadder(side).forEachOrder(side, consumer);
    }

    /**
     * Reports one resting order, as {@link #forEachOrder} does.
     * @param orderId  the order.
     * @param consumer receives the order if it rests; it must not change the book.
     * @return false when no such order rests.
     */
    public boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        final int h = index.find(orderId);
        if (h != OrderArena.NONE)
        {
            arena.report(h, consumer);
        }
        return h != OrderArena.NONE;
    }

    /**
     * Checks that all parts of the book agree: queues, totals, best prices, bitmaps, id table and rows in use. Takes
     * time in proportion to the capacity; for tests.
     * @throws IllegalStateException when they do not; the message names the part and the place.
     */
    public void verify()
    {
        BookState.verifyApart(arena, index, bids, asks);
    }

    /**
     * Symbol and limits of the book.
     * @return the spec of the constructor.
     */
    public SymbolSpec spec()
    {
        return spec;
    }

    private PriceLadder ladder(final int side)
    {
        return side == Side.BID ? bids : asks;
    }

    private PriceLadder checkedLadder(final byte side)
    {
        return ladder(Side.checked(side));
    }
}
