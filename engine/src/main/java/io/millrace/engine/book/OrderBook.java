package io.millrace.engine.book;

import java.util.Objects;

/**
 * The resting orders of one symbol, matched by price, then by time of arrival: a new order trades at the prices of the
 * orders that rest, the best price first and at one price the oldest first.
 * <p>
 * Prices and sizes are longs in the smallest step of the symbol. Commands are checked before anything happens: whatever
 * does not answer {@link CommandResult#SUCCESS} has changed nothing and told the listener nothing.
 * <p>
 * Orders live in an {@link OrderArena} as rows of longs, queues are links of ints, levels are found in a {@link
 * PriceLadder}, orders by id in an {@link OrderIndex}. All memory is allocated by the constructor.
 * <p>
 * One thread. Knows no clock: the same commands give the same executions, always.
 */
public final class OrderBook
{
    private final SymbolSpec spec;
    private final ExecutionListener listener;
    private final long maxSize;
    private final boolean spot;
    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder ladder;
    private final Matcher matcher;

    /**
     * An empty book.
     *
     * @param spec     its symbol and its limits.
     * @param listener hears the executions.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener)
    {
        this.spec = Objects.requireNonNull(spec, "spec");
        this.listener = Objects.requireNonNull(listener, "listener");
        maxSize = spec.maxSize();
        spot = spec.type() == SymbolType.SPOT;
        // In the worst case every order has a level of its own, outside of the window.
        arena = new OrderArena(spec.orderCapacity(), spec.windowTicks() + spec.orderCapacity());
        ladder = new PriceLadder(arena, spec.windowTicks(), spec.orderCapacity());
        index = new OrderIndex(arena);
        matcher = new Matcher(arena, index, ladder, listener);
    }

    /**
     * Place a new order. The checks come in the order of the results below.
     *
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param orderId      any number that no resting order of this book has; free again once its order is gone.
     * @param uid          its user, any number.
     * @param price        the limit, 0 to {@link SymbolSpec#MAX_PRICE} price steps; of FOK_BUDGET the budget, 0 or
     *                     more; of MARKET not looked at.
     * @param size         1 to {@link SymbolSpec#maxSize()} lots.
     * @param reservePrice in price steps, any number; carried along and told to the listener; a spot bid cannot move
     *                     above it.
     * @return SUCCESS, UNKNOWN_ORDER_TYPE, WRONG_SIDE, WRONG_SIZE, WRONG_PRICE, DUPLICATE_ORDER or BOOK_FULL.
     */
    public CommandResult place(
        final byte type,
        final byte side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final CommandResult checked = check(type, side, price, size);
        if (checked != CommandResult.SUCCESS)
        {
            return checked;
        }
        if (index.find(orderId) != OrderArena.NONE)
        {
            return CommandResult.DUPLICATE_ORDER;
        }
        if (type == OrderType.GTC)
        {
            return placeLimit(side, orderId, uid, price, size, reservePrice);
        }
        placeImmediate(type, side, orderId, uid, price, size, reservePrice);
        return CommandResult.SUCCESS;
    }

    private CommandResult check(final byte type, final byte side, final long price, final long size)
    {
        if (!OrderType.isValid(type))
        {
            return CommandResult.UNKNOWN_ORDER_TYPE;
        }
        if (!Side.isValid(side))
        {
            return CommandResult.WRONG_SIDE;
        }
        if (size < 1 || size > maxSize)
        {
            return CommandResult.WRONG_SIZE;
        }
        return type == OrderType.MARKET || isPrice(price) || type == OrderType.FOK_BUDGET && price >= 0 ?
            CommandResult.SUCCESS : CommandResult.WRONG_PRICE;
    }

    private static boolean isPrice(final long price)
    {
        return price >= 0 && price <= SymbolSpec.MAX_PRICE;
    }

    private CommandResult placeLimit(
        final int side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        long filled = 0;
        if (matcher.crosses(side, price))
        {
            filled = matcher.trade(side, orderId, uid, reservePrice, Matcher.limitKey(side, price), size, 0);
        }
        else if (arena.isFull())
        {
            return CommandResult.BOOK_FULL;
        }
        if (filled < size)
        {
            // There is a row: what crosses and still has a rest has completed an order.
            final int h = arena.allocate();
            final long[] rows = arena.rows;
            final int row = h << OrderArena.ROW_SHIFT;
            rows[row] = orderId;
            rows[row + OrderArena.UID] = uid;
            rows[row + OrderArena.PRICE] = price;
            rows[row + OrderArena.SIZE] = size;
            rows[row + OrderArena.FILLED] = filled;
            rows[row + OrderArena.ATTRIBUTES] = side;
            rows[row + OrderArena.RESERVE] = reservePrice;
            index.add(orderId, h);
            ladder.enter(side, price, h, size - filled);
        }
        return CommandResult.SUCCESS;
    }

    private void placeImmediate(
        final byte type,
        final byte side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final long limitKey = type == OrderType.IOC ? Matcher.limitKey(side, price) : Matcher.ANY_KEY;
        final long fillable = type == OrderType.FOK_BUDGET ?
            matcher.withinBudget(side, price, size) ? size : 0 : matcher.available(side, limitKey, size);
        if (fillable < size)
        {
            listener.onReject(orderId, uid, side, type == OrderType.MARKET ? 0 : price, size - fillable, reservePrice);
        }
        if (fillable > 0)
        {
            matcher.trade(side, orderId, uid, reservePrice, limitKey, size, 0);
        }
    }

    /**
     * Take an order out of the book. The listener hears one reduction by all that was left of it.
     *
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or UNKNOWN_ORDER.
     */
    public CommandResult cancel(final long orderId, final long uid)
    {
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        takeOff(h, orderId, uid, Long.MAX_VALUE);
        return CommandResult.SUCCESS;
    }

    /**
     * Make an order smaller, by at most what is left of it. It keeps its place in the queue; when nothing is left it is
     * taken out. The listener hears one reduction.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, 1 or more.
     * @return SUCCESS, WRONG_SIZE or UNKNOWN_ORDER.
     */
    public CommandResult reduce(final long orderId, final long uid, final long reduceBy)
    {
        if (reduceBy < 1)
        {
            return CommandResult.WRONG_SIZE;
        }
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        takeOff(h, orderId, uid, reduceBy);
        return CommandResult.SUCCESS;
    }

    private void takeOff(final int h, final long orderId, final long uid, final long wanted)
    {
        final long[] rows = arena.rows;
        final int row = h << OrderArena.ROW_SHIFT;
        final int side = arena.side(h);
        final long price = rows[row + OrderArena.PRICE];
        final long open = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        final int level = ladder.levelAt(side, price);
        final boolean completed = wanted >= open;
        if (completed)
        {
            matcher.remove(side, level, h, orderId, open);
        }
        else
        {
            rows[row + OrderArena.SIZE] -= wanted;
            ladder.reduce(level, wanted);
        }
        listener.onReduce(orderId, uid, (byte)side, price, completed ? open : wanted, completed,
            rows[row + OrderArena.RESERVE]);
    }

    /**
     * Give an order another price. It leaves its queue, trades as if it came just now, and what is left of it goes to
     * the end of the queue at its new price, also if that is the old one.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, 0 to {@link SymbolSpec#MAX_PRICE} price steps.
     * @return SUCCESS, WRONG_PRICE, UNKNOWN_ORDER or PRICE_OVER_RISK_LIMIT.
     */
    public CommandResult move(final long orderId, final long uid, final long newPrice)
    {
        if (!isPrice(newPrice))
        {
            return CommandResult.WRONG_PRICE;
        }
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        final long[] rows = arena.rows;
        final int row = h << OrderArena.ROW_SHIFT;
        final int side = arena.side(h);
        final long reservePrice = rows[row + OrderArena.RESERVE];
        if (spot && side == Side.BID && newPrice > reservePrice)
        {
            return CommandResult.PRICE_OVER_RISK_LIMIT;
        }
        final long size = rows[row + OrderArena.SIZE];
        final long filled = rows[row + OrderArena.FILLED];
        ladder.leave(side, ladder.levelAt(side, rows[row + OrderArena.PRICE]), h, size - filled);
        rows[row + OrderArena.PRICE] = newPrice;
        if (matcher.crosses(side, newPrice))
        {
            moveAcross(h, side, orderId, uid, reservePrice, newPrice, size, filled);
        }
        else
        {
            ladder.enter(side, newPrice, h, size - filled);
        }
        return CommandResult.SUCCESS;
    }

    private void moveAcross(
        final int h,
        final int side,
        final long orderId,
        final long uid,
        final long reservePrice,
        final long price,
        final long size,
        final long filledBefore)
    {
        final long filled =
            matcher.trade(side, orderId, uid, reservePrice, Matcher.limitKey(side, price), size, filledBefore);
        if (filled < size)
        {
            arena.rows[(h << OrderArena.ROW_SHIFT) + OrderArena.FILLED] = filled;
            ladder.enter(side, price, h, size - filled);
        }
        else
        {
            index.remove(orderId, h);
            arena.free(h);
        }
    }

    private int find(final long orderId, final long uid)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE || arena.field(h, OrderArena.UID) != uid ? OrderArena.NONE : h;
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
     * Volume that rests at a price.
     *
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long volumeAt(final byte side, final long price)
    {
        // The two sides share the window; what is better than the best belongs to the other one.
        if (PriceLadder.key(Side.checked(side), price) < ladder.bestKey(side) || !isPrice(price))
        {
            return 0;
        }
        final int level = ladder.levelAt(side, price);
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
     * How many price levels of a side have orders.
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
     * Tell the best levels of a side, best first. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels how many at most; negative for all.
     * @param consumer  is told; it must not call the book with a command.
     * @return how many it was told.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        return ladder.forEachLevel(Side.checked(side), maxLevels, consumer);
    }

    /**
     * Tell the resting orders of a side in the order of their priority. Allocates nothing.
     *
     * @param side     see {@link Side}.
     * @param consumer is told; it must not call the book with a command.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        ladder.forEachOrder(Side.checked(side), consumer);
    }

    /**
     * Tell one resting order.
     *
     * @param orderId  the order.
     * @param consumer is told, if there is such an order; it must not call the book with a command.
     * @return false when no such order rests.
     */
    public boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        final int h = index.find(orderId);
        if (h != OrderArena.NONE)
        {
            arena.tell(h, consumer);
        }
        return h != OrderArena.NONE;
    }

    /**
     * A number that is equal for equal books, on every JVM: FNV-1a, 64 bits, over the resting orders, bids first, each
     * side in the order of priority, seven little-endian longs for each (id, user, price, size, filled, side, reserve
     * price). Takes time in proportion to the number of orders; allocates nothing.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return BookState.hash(arena, ladder);
    }

    /**
     * Check that everything in here agrees with everything else: queues, totals, best prices, bitmaps, id table, rows
     * in use. Takes time in proportion to the book; for tests and for the end of a benchmark.
     *
     * @throws IllegalStateException when it does not; the message says what and where.
     */
    public void verify()
    {
        BookState.verify(arena, index, ladder);
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
