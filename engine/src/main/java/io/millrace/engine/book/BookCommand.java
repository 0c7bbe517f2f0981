package io.millrace.engine.book;

/**
 * A command about an order, mutable and reusable: fill one instance again for each command instead of allocating. Begin
 * with {@link #place}, {@link #cancel}, {@link #reduce}, {@link #move} or {@link #replace}, then set the other fields
 * that the command needs.
 * <pre>
 *  command  orderType, side, selfTradePolicy, parameter, reservePrice  orderId  uid  price      size
 *  PLACE    x                                                          x        x    x          x
 *  CANCEL                                                              x        x
 *  REDUCE                                                              x        x               by
 *  MOVE                                                                x        x    new price
 *  REPLACE                                                             x        x    new price  new size
 *  REPLACE_OPEN                                                        x        x    new price  new open size
 * </pre>
 * The book checks these fields and ignores all others. It reads the command until the call returns, so a listener must
 * not change it. The numbers of the commands never change; {@link io.millrace.engine.CommandType} has the same numbers.
 * One thread.
 */
public final class BookCommand implements CommandFields
{
    /**
     * Places a new order.
     */
    public static final byte PLACE = 1;

    /**
     * Removes an order.
     */
    public static final byte CANCEL = 2;

    /**
     * Reduces the size of an order.
     */
    public static final byte REDUCE = 3;

    /**
     * Changes the price of an order.
     */
    public static final byte MOVE = 4;

    /**
     * Changes the price and the size of an order.
     */
    public static final byte REPLACE = 5;

    /**
     * Changes the price and the open size of an order.
     */
    public static final byte REPLACE_OPEN = 21;

    private byte commandType;
    private byte orderType;
    private byte side;
    private byte selfTradePolicy;
    private long orderId;
    private long uid;
    private long price;
    private long size;
    private long reservePrice;
    private long parameter;

    /**
     * A command with all fields 0, which the book refuses as UNKNOWN_COMMAND.
     */
    public BookCommand()
    {
    }

    /** Sets all fields. */
    BookCommand set(
        final byte commandType, final byte orderType, final byte side, final byte selfTradePolicy, final long orderId,
        final long uid, final long price, final long size, final long reservePrice, final long parameter)
    {
        this.commandType = commandType;
        this.orderType = orderType;
        this.side = side;
        this.selfTradePolicy = selfTradePolicy;
        this.orderId = orderId;
        this.uid = uid;
        this.price = price;
        this.size = size;
        this.reservePrice = reservePrice;
        this.parameter = parameter;
        return this;
    }

    /**
     * Begins a new order. Resets every other field to 0, and with it the self-trade policy to ALLOW.
     *
     * @param orderType see {@link OrderType}.
     * @param side      see {@link Side}.
     * @return this.
     */
    public BookCommand place(final byte orderType, final byte side)
    {
        commandType = PLACE;
        this.orderType = orderType;
        this.side = side;
        selfTradePolicy = SelfTradePolicy.ALLOW;
        orderId = 0;
        uid = 0;
        price = 0;
        size = 0;
        reservePrice = 0;
        parameter = 0;
        return this;
    }

    /**
     * Removes an order.
     *
     * @param orderId the order.
     * @param uid     its user.
     * @return this.
     */
    public BookCommand cancel(final long orderId, final long uid)
    {
        return commandType(CANCEL).orderId(orderId).uid(uid);
    }

    /**
     * Reduces the size of an order.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, 1 or more.
     * @return this.
     */
    public BookCommand reduce(final long orderId, final long uid, final long reduceBy)
    {
        return commandType(REDUCE).orderId(orderId).uid(uid).size(reduceBy);
    }

    /**
     * Changes the price of an order.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @return this.
     */
    public BookCommand move(final long orderId, final long uid, final long newPrice)
    {
        return commandType(MOVE).orderId(orderId).uid(uid).price(newPrice);
    }

    /**
     * Changes the price and the size of an order.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @param newSize  its new size including filled lots.
     * @return this.
     */
    public BookCommand replace(final long orderId, final long uid, final long newPrice, final long newSize)
    {
        return commandType(REPLACE).orderId(orderId).uid(uid).price(newPrice).size(newSize);
    }

    /**
     * Changes the price and the open size of an order.
     *
     * @param orderId     the order.
     * @param uid         its user.
     * @param newPrice    its new limit, in price steps.
     * @param newOpenSize its new size without filled lots.
     * @return this.
     */
    public BookCommand replaceOpen(final long orderId, final long uid, final long newPrice, final long newOpenSize)
    {
        return commandType(REPLACE_OPEN).orderId(orderId).uid(uid).price(newPrice).size(newOpenSize);
    }

    /**
     * Sets the type of the command alone, for a caller that copies commands field by field.
     *
     * @param commandType a constant of this class.
     * @return this.
     */
    public BookCommand commandType(final byte commandType)
    {
        this.commandType = commandType;
        return this;
    }

    /**
     * Sets the order type.
     *
     * @param orderType see {@link OrderType}.
     * @return this.
     */
    public BookCommand orderType(final byte orderType)
    {
        this.orderType = orderType;
        return this;
    }

    /**
     * Sets the side.
     *
     * @param side see {@link Side}.
     * @return this.
     */
    public BookCommand side(final byte side)
    {
        this.side = side;
        return this;
    }

    /**
     * Sets the self-trade policy.
     *
     * @param selfTradePolicy see {@link SelfTradePolicy}.
     * @return this.
     */
    public BookCommand selfTradePolicy(final byte selfTradePolicy)
    {
        this.selfTradePolicy = selfTradePolicy;
        return this;
    }

    /**
     * Sets the id of the order.
     *
     * @param orderId of a new order: any number that no order of the book has. The id is free again when the order has
     *                left the book.
     * @return this.
     */
    public BookCommand orderId(final long orderId)
    {
        this.orderId = orderId;
        return this;
    }

    /**
     * Sets the user of the order.
     *
     * @param uid any number.
     * @return this.
     */
    public BookCommand uid(final long uid)
    {
        this.uid = uid;
        return this;
    }

    /**
     * Sets the price.
     *
     * @param price limit or new limit in price steps. Of FOK_BUDGET and of an IOC_BUDGET bid: the budget in price steps
     *              times lots. MARKET and STOP ignore it.
     * @return this.
     */
    public BookCommand price(final long price)
    {
        this.price = price;
        return this;
    }

    /**
     * Sets the size.
     *
     * @param size size, reduction or new size, in lots.
     * @return this.
     */
    public BookCommand size(final long size)
    {
        this.size = size;
        return this;
    }

    /**
     * Sets the reserve price of a new order.
     *
     * @param reservePrice in price steps, any number; listeners get it with each execution. A spot bid cannot move
     *                     above it, and one without a limit (MARKET, STOP) does not trade above it.
     * @return this.
     */
    public BookCommand reservePrice(final long reservePrice)
    {
        this.reservePrice = reservePrice;
        return this;
    }

    /**
     * Sets the parameter of a new order.
     *
     * @param parameter of STOP and STOP_LIMIT the stop price, of ICEBERG the display size in lots, of GTD the expiry in
     *                  nanoseconds; of other types 0.
     * @return this.
     */
    public BookCommand parameter(final long parameter)
    {
        this.parameter = parameter;
        return this;
    }

    @Override
    public byte commandType()
    {
        return commandType;
    }

    @Override
    public byte orderType()
    {
        return orderType;
    }

    @Override
    public byte side()
    {
        return side;
    }

    @Override
    public byte selfTradePolicy()
    {
        return selfTradePolicy;
    }

    @Override
    public long orderId()
    {
        return orderId;
    }

    @Override
    public long uid()
    {
        return uid;
    }

    @Override
    public long price()
    {
        return price;
    }

    @Override
    public long size()
    {
        return size;
    }

    @Override
    public long reservePrice()
    {
        return reservePrice;
    }

    @Override
    public long parameter()
    {
        return parameter;
    }

    @Override
    public String toString()
    {
        return "command " + commandType + " " + OrderType.name(orderType) + " " + Side.name(side) + " " +
            SelfTradePolicy.name(selfTradePolicy) + " order " + orderId + " uid " + uid + " price " + price + " size " +
            size + " reserve " + reservePrice + " parameter " + parameter;
    }
}
