package io.millrace.engine.service;

import io.millrace.pool.BasePoolAware;

/**
 * A pooled event of the {@link MarketDataPublisher}: how an order (L3) or a price level (L2) of a book changed.
 * <pre>
 *               ORDER_ADDED   ORDER_REDUCED   ORDER_REMOVED   LEVEL_CHANGED
 *  symbol       x             x               x               x
 *  sequence     of orders     of orders       of orders       of levels        each symbol's from 1, without gaps
 *  side, price  the order's   the order's     the order's     the level's      price in price steps
 *  orderId      x             x               x               0
 *  size         it shows      it shows now    0               its orders show  in lots; 0 when the level is gone
 *  orderCount   0             0               0               x                0 when the level is gone
 * </pre>
 * Only the publisher fills it; whoever is handed it reads it until the handler returns.
 */
public final class MarketDataEvent extends BasePoolAware
{
    private int symbol;
    private int orderCount;
    private byte kind;
    private byte side;
    private long sequence;
    private long orderId;
    private long price;
    private long size;

    /**
     * An event that nobody filled.
     */
    public MarketDataEvent()
    {
    }

    void set(
        final byte newKind,
        final int newSymbol,
        final long newSequence,
        final byte newSide,
        final long newOrderId,
        final long newPrice,
        final long newSize,
        final int newOrderCount)
    {
        checkLive();
        kind = newKind;
        symbol = newSymbol;
        sequence = newSequence;
        side = newSide;
        orderId = newOrderId;
        price = newPrice;
        size = newSize;
        orderCount = newOrderCount;
    }

    /**
     * What it tells.
     *
     * @return see {@link MarketDataKind}.
     */
    public byte kind()
    {
        return kind;
    }

    /**
     * Which book.
     *
     * @return number of the symbol.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * Number of the message among those of the symbol that are of the same kind, orders or levels.
     *
     * @return from 1, without gaps but for events that were lost, dropped or conflated.
     */
    public long sequence()
    {
        return sequence;
    }

    /**
     * Which side.
     *
     * @return see {@link io.millrace.engine.book.Side}.
     */
    public byte side()
    {
        return side;
    }

    /**
     * Which order.
     *
     * @return the order's id; 0 for a level.
     */
    public long orderId()
    {
        return orderId;
    }

    /**
     * Price of the order or level.
     *
     * @return in price steps.
     */
    public long price()
    {
        return price;
    }

    /**
     * What the order shows now, or all orders of the level.
     *
     * @return in lots; 0 when it is gone.
     */
    public long size()
    {
        return size;
    }

    /**
     * How many orders the level has.
     *
     * @return number of orders; 0 when it is gone, and for an order.
     */
    public int orderCount()
    {
        return orderCount;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return MarketDataKind.name(kind) + " " + sequence + " symbol " + symbol + " side " + side + " order " +
            orderId + " price " + price + " size " + size + " orders " + orderCount;
    }
}
