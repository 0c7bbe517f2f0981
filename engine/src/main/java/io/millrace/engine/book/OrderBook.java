package io.millrace.engine.book;

import java.util.Objects;

/**
 * The resting orders of one symbol, matched by price, then by time of arrival.
 */
public final class OrderBook
{
    private final SymbolSpec spec;
    private final ExecutionListener listener;

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
    }

    /**
     * Place a new order.
     *
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param orderId      any number that no resting order has.
     * @param uid          its user, any number.
     * @param price        limit or budget.
     * @param size         lots.
     * @param reservePrice carried along, handed to the listener.
     * @return SUCCESS or why not.
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
        throw new UnsupportedOperationException();
    }

    /**
     * Take an order out.
     *
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or UNKNOWN_ORDER.
     */
    public CommandResult cancel(final long orderId, final long uid)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Make an order smaller.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, at least 1.
     * @return SUCCESS, WRONG_SIZE or UNKNOWN_ORDER.
     */
    public CommandResult reduce(final long orderId, final long uid, final long reduceBy)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Give an order another price.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit.
     * @return SUCCESS, WRONG_PRICE, UNKNOWN_ORDER or PRICE_OVER_RISK_LIMIT.
     */
    public CommandResult move(final long orderId, final long uid, final long newPrice)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Best price of a side.
     *
     * @param side see {@link Side}.
     * @return the price, -1 when the side is empty.
     */
    public long bestPrice(final byte side)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Volume that rests at a price.
     *
     * @param side  see {@link Side}.
     * @param price in price steps.
     * @return lots, 0 when there is no such level.
     */
    public long volumeAt(final byte side, final long price)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * How many orders rest.
     *
     * @return number of orders.
     */
    public int orderCount()
    {
        throw new UnsupportedOperationException();
    }

    /**
     * How many price levels of a side have orders.
     *
     * @param side see {@link Side}.
     * @return number of levels.
     */
    public int levelCount(final byte side)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Tell the best levels of a side, best first. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels how many at most; negative for all.
     * @param consumer  is told.
     * @return how many it was told.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Tell the resting orders of a side in the order of their priority. Allocates nothing.
     *
     * @param side     see {@link Side}.
     * @param consumer is told.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Tell one resting order.
     *
     * @param orderId  the order.
     * @param consumer is told, if there is such an order.
     * @return false when no such order rests.
     */
    public boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * A number that is equal for equal books: FNV-1a over the resting orders of both sides in the order of their priority.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        throw new UnsupportedOperationException();
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
