package io.millrace.engine.service;

import io.millrace.pool.BasePoolAware;

/**
 * A pooled event of the {@link MarketDataPublisher}: the change of an order (L3) or of a price level (L2) of a book, a
 * trade (L1), or the status of a symbol.
 * <pre>
 *               ORDER_ADDED   ORDER_REDUCED   ORDER_REMOVED   LEVEL_CHANGED
 *  symbol       x             x               x               x
 *  sequence     of orders     of orders       of orders       of levels        each symbol's from 1, without gaps
 *  side, price  the order's   the order's     the order's     the level's      price in price steps
 *  orderId      x             x               x               0
 *  size         it shows      it shows now    0               its orders show  in lots; 0 when the level is gone
 *  orderCount   0             0               0               x                0 when the level is gone
 *
 *               TRADE         STATUS
 *  symbol       x             x
 *  sequence     of the tape   of the tape     each symbol's from 1, without gaps
 *  side         the taker's   0
 *  orderId      the maker's   0
 *  price        x             0               in price steps
 *  size         traded        0               in lots
 *  tradeId      x             0
 *  orderCount   0             status
 * </pre>
 * Only the publisher fills the event. A handler may read it until it returns.
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
    private long tradeId;

    /**
     * An empty event.
     */
    public MarketDataEvent()
    {
    }

    void set(
        final byte kind,
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size,
        final int orderCount,
        final long tradeId)
    {
        // Without a check: publish checks the event, where an exception does not pass through the book.
        this.kind = kind;
        this.symbol = symbol;
        this.sequence = sequence;
        this.side = side;
        this.orderId = orderId;
        this.price = price;
        this.size = size;
        this.orderCount = orderCount;
        this.tradeId = tradeId;
    }

    /**
     * Kind of the change.
     *
     * @return see {@link MarketDataKind}.
     */
    public byte kind()
    {
        return kind;
    }

    /**
     * Symbol of the book.
     *
     * @return number of the symbol.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * Number of the message; orders, levels and tape of each symbol are numbered separately.
     *
     * @return from 1, without gaps, except for lost, dropped or conflated events.
     */
    public long sequence()
    {
        return sequence;
    }

    /**
     * Side of the order or level; of a TRADE the taker's.
     *
     * @return see {@link io.millrace.engine.book.Side}.
     */
    public byte side()
    {
        return side;
    }

    /**
     * Order.
     *
     * @return the order's id, of a TRADE the maker's; 0 for a level and a STATUS.
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
     * Visible size of the order, or of all orders of the level; of a TRADE the traded size.
     *
     * @return in lots; 0 when it is gone.
     */
    public long size()
    {
        return size;
    }

    /**
     * Number of orders of the level.
     *
     * @return number of orders; 0 when it is gone, and for an order.
     */
    public int orderCount()
    {
        return orderCount;
    }

    /**
     * Number of a TRADE, equal to {@link ExecutionEvent#tradeId()}.
     *
     * @return from 1 for each symbol, without gaps; 0 for other kinds.
     */
    public long tradeId()
    {
        return tradeId;
    }

    /**
     * Status of a STATUS.
     *
     * @return see {@link io.millrace.engine.book.SymbolStatus}.
     */
    public byte status()
    {
        return (byte)orderCount;
    }

    @Override
    public String toString()
    {
        return MarketDataKind.name(kind) + " " + sequence + " symbol " + symbol + " side " + side + " order " +
            orderId + " price " + price + " size " + size + " orders " + orderCount +
            (tradeId == 0 ? "" : " trade " + tradeId);
    }
}
