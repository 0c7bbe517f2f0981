package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.util.Objects;

/**
 * The resting orders of one symbol of a market elsewhere, rebuilt from its feed of single orders (market by order,
 * level 3): what the feed says is done, nothing is matched. A price that crosses the other side just rests, because
 * feeds do cross, some for a moment, samples for good.
 * <p>
 * Prices and sizes are longs in the smallest step of the feed: price steps and lots, shares or contracts. A call that
 * cannot be done answers with another result than {@link CommandResult#SUCCESS} and has changed nothing; a sound feed
 * gives none, so whoever calls counts them as anomalies of the feed. Beyond these results there are no errors, but
 * for a side byte handed to a question.
 * <p>
 * The parts are those of {@link OrderBook}: orders are rows of an {@link OrderArena}, found by id in an {@link
 * OrderIndex}, their levels by price in a {@link PriceLadder}, here one for each side, because at a crossed price both
 * sides may have a level. All memory is allocated by the constructor: what {@link SymbolSpec} counts, and the levels
 * once more, 56 bytes for each order of the capacity and 32 for each price of the window.
 * <p>
 * One thread. Knows no clock: the same calls give the same book, always.
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
     * An empty book.
     *
     * @param spec its symbol and its limits; whether it is spot or a future makes no difference.
     */
    public MarketByOrderBook(final SymbolSpec spec)
    {
        this.spec = Objects.requireNonNull(spec, "spec");
        maxSize = spec.maxSize();
        final int orders = spec.orderCapacity();
        final int window = spec.windowTicks();
        // In the worst case all orders are on one side, and each has a level of its own, outside of the window.
        final int levels = window + orders;
        arena = new OrderArena(orders, 2 * levels);
        bids = new PriceLadder(arena, 0, window, orders);
        asks = new PriceLadder(arena, levels, window, orders);
        index = arena.newIndex();
    }

    /**
     * An order came to rest, behind all others at its price. The checks come in the order of the results below.
     *
     * @param orderId any number that no order here has; free again once its order is gone.
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
        // User and reserve price are never written here: 0.
        index.add(orderId, h);
        ladder(side).enter(side, price, h, size);
    }

    /**
     * A part of an order was taken back, or all that is left. It keeps its place in the queue; when nothing is left it
     * is gone.
     *
     * @param orderId  the order.
     * @param quantity lots, 1 to what is left of the order.
     * @return SUCCESS, UNKNOWN_ORDER or WRONG_SIZE.
     */
    public CommandResult reduce(final long orderId, final long quantity)
    {
        final int h = index.find(orderId);
        final CommandResult checked = checkTake(h, quantity);
        if (checked == CommandResult.SUCCESS && takeOff(h, quantity))
        {
            arena.rows[(h << OrderArena.ROW_SHIFT) + OrderArena.SIZE] -= quantity;
        }
        return checked;
    }

    /**
     * An order traded, in part or completely. As {@link #reduce}, but the quantity counts as filled, which
     * {@link #forEachOrder} tells. At which price it traded does not matter to the book, nor whether the order was the
     * first of its queue: auctions and hidden orders make exceptions, so that is for the caller to judge.
     *
     * @param orderId  the order that rests.
     * @param quantity lots, 1 to what is left of the order.
     * @return SUCCESS, UNKNOWN_ORDER or WRONG_SIZE.
     */
    public CommandResult execute(final long orderId, final long quantity)
    {
        final int h = index.find(orderId);
        final CommandResult checked = checkTake(h, quantity);
        if (checked == CommandResult.SUCCESS && takeOff(h, quantity))
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

    /** Whether the order is still there, its row still to be changed. */
    private boolean takeOff(final int h, final long quantity)
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
     * An order is gone, whatever was left of it.
     *
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
     * An order was replaced by one of the same side, which stands behind all others at its price, also if nothing but
     * the id is new. The checks come in the order of the results below.
     *
     * @param orderId    the order that goes.
     * @param newOrderId the one that comes: any number that no other order here has.
     * @param price      of the one that comes, 0 to {@link SymbolSpec#MAX_PRICE} price steps.
     * @param size       of the one that comes, 1 to {@link SymbolSpec#maxSize()} lots.
     * @return SUCCESS, WRONG_SIZE, WRONG_PRICE, UNKNOWN_ORDER or DUPLICATE_ORDER; a full book replaces as well.
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

    /**
     * All orders are gone, as when the feed starts anew. Takes time in proportion to their number.
     */
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
     * Best price of a side. The bid's is at or above the ask's while the feed is crossed.
     *
     * @param side see {@link Side}.
     * @return price steps, -1 when the side is empty.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestPrice(final byte side)
    {
        final long key = checkedLadder(side).bestKey(side);
        return key == PriceLadder.NO_KEY ? -1 : PriceLadder.key(side, key);
    }

    /**
     * Volume that rests at the best price of a side.
     *
     * @param side see {@link Side}.
     * @return lots, 0 when the side is empty.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestVolume(final byte side)
    {
        final PriceLadder ladder = checkedLadder(side);
        final int level = ladder.bestLevel(side);
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Volume that rests at a price.
     *
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long volumeAt(final byte side, final long price)
    {
        final PriceLadder ladder = checkedLadder(side);
        final int level = isPrice(price) ? ladder.levelAt(side, price) : PriceLadder.NONE;
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * How many orders rest.
     *
     * @return number of orders, at most the capacity.
     */
    public int orderCount()
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
    public int levelCount(final byte side)
    {
        return checkedLadder(side).levelCount(side);
    }

    /**
     * Tell the best levels of a side, best first. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels how many at most; negative for all.
     * @param consumer  is told; it must not change the book.
     * @return how many it was told.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        return checkedLadder(side).forEachLevel(side, maxLevels, consumer);
    }

    /**
     * Tell the resting orders of a side in the order of their priority. Allocates nothing. An order's size is the one
     * it came with less what {@link #reduce} took off, what {@link #execute} took off is filled; its user and its
     * reserve price are 0.
     *
     * @param side     see {@link Side}.
     * @param consumer is told; it must not change the book.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        checkedLadder(side).forEachOrder(side, consumer);
    }

    /**
     * Tell one resting order, as {@link #forEachOrder} does.
     *
     * @param orderId  the order.
     * @param consumer is told, if there is such an order; it must not change the book.
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
     * Check that everything in here agrees with everything else: queues, totals, best prices, bitmaps, id table, rows
     * in use. Takes time in proportion to the book's capacity; for tests.
     *
     * @throws IllegalStateException when it does not; the message says what and where.
     */
    public void verify()
    {
        BookState.verifyApart(arena, index, bids, asks);
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

    private PriceLadder ladder(final int side)
    {
        return side == Side.BID ? bids : asks;
    }

    private PriceLadder checkedLadder(final byte side)
    {
        return ladder(Side.checked(side));
    }
}
