package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.BasePoolAware;

/**
 * A pooled command for the {@link MatchingService}. Subclass it to carry more.
 * <p>
 * Each filler sets every field of this class, so nothing of the event's last use survives. Nothing is checked here: the
 * engine answers a command that makes no sense with a result code. Whoever holds the event fills it before it is
 * published; whoever is handed it reads it until the handler returns.
 * <pre>
 *  offset (compressed class pointers)
 *   0       32      36                39  40          88
 *   +-------+--------+-----------------+---+-----------+
 *   | pool  | symbol | type, type, side| - | six longs |
 *   +-------+--------+-----------------+---+-----------+
 * </pre>
 */
public class OrderCommand extends BasePoolAware
{
    private int symbol;
    private byte commandType;
    private byte orderType;
    private byte side;
    private long orderId;
    private long uid;
    private long price;
    private long size;
    private long reservePrice;
    private long timestampNs;

    /**
     * A command that nobody filled: the engine refuses it as UNKNOWN_COMMAND.
     */
    public OrderCommand()
    {
    }

    /**
     * Place a GTC order. Its reserve price is its limit for a bid and 0 for an ask, see {@link #reservePrice(long)}.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no resting order of the symbol has.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand limit(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize)
    {
        return place(OrderType.GTC, newSide, newSymbol, newOrderId, newUid, newPrice, newSize);
    }

    /**
     * Place an IOC order. Its reserve price is its limit for a bid and 0 for an ask.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no resting order of the symbol has.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand immediate(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize)
    {
        return place(OrderType.IOC, newSide, newSymbol, newOrderId, newUid, newPrice, newSize);
    }

    /**
     * Place a MARKET order. Its price is 0. Its reserve price is the greatest price for a bid, so that it trades at any
     * price on a spot symbol too, and 0 for an ask.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no resting order of the symbol has.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand market(
        final int newSymbol, final long newOrderId, final long newUid, final byte newSide, final long newSize)
    {
        return set(CommandType.PLACE, OrderType.MARKET, newSide, newSymbol, newOrderId, newUid, 0, newSize,
            newSide == Side.BID ? SymbolSpec.MAX_PRICE : 0, 0);
    }

    /**
     * Place a FOK_BUDGET order. Its reserve price is the budget for a bid and 0 for an ask.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no resting order of the symbol has.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param budget     sum of price times size: at most for a bid, at least for an ask.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand fillOrKillBudget(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long budget,
        final long newSize)
    {
        return place(OrderType.FOK_BUDGET, newSide, newSymbol, newOrderId, newUid, budget, newSize);
    }

    private OrderCommand place(
        final byte newOrderType,
        final byte newSide,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize)
    {
        final long newReserve = newSide == Side.BID ? newPrice : 0;
        return set(CommandType.PLACE, newOrderType, newSide, newSymbol, newOrderId, newUid, newPrice, newSize,
            newReserve, 0);
    }

    /**
     * Take an order out.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId the order.
     * @param newUid     its user.
     * @return this.
     */
    public final OrderCommand cancel(final int newSymbol, final long newOrderId, final long newUid)
    {
        return change(CommandType.CANCEL, newSymbol, newOrderId, newUid, 0, 0);
    }

    /**
     * Make an order smaller.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId the order.
     * @param newUid     its user.
     * @param by         lots, at least 1; becomes {@link #size()}.
     * @return this.
     */
    public final OrderCommand reduce(final int newSymbol, final long newOrderId, final long newUid, final long by)
    {
        return change(CommandType.REDUCE, newSymbol, newOrderId, newUid, 0, by);
    }

    /**
     * Give an order another price.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId the order.
     * @param newUid     its user.
     * @param newPrice   its new limit, in price steps.
     * @return this.
     */
    public final OrderCommand move(final int newSymbol, final long newOrderId, final long newUid, final long newPrice)
    {
        return change(CommandType.MOVE, newSymbol, newOrderId, newUid, newPrice, 0);
    }

    private OrderCommand change(
        final byte newCommandType,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize)
    {
        return set(newCommandType, OrderType.GTC, Side.BID, newSymbol, newOrderId, newUid, newPrice, newSize, 0, 0);
    }

    /**
     * Set every field as it came, for decoders.
     *
     * @param newCommandType  see {@link CommandType}.
     * @param newOrderType    see {@link OrderType}; of PLACE only.
     * @param newSide         see {@link Side}; of PLACE only.
     * @param newSymbol       the symbol.
     * @param newOrderId      the order.
     * @param newUid          its user.
     * @param newPrice        limit, budget or new limit, in price steps.
     * @param newSize         size or reduction, in lots.
     * @param newReservePrice carried along, in price steps.
     * @param newTimestampNs  carried along, in nanoseconds.
     * @return this.
     */
    public final OrderCommand set(
        final byte newCommandType,
        final byte newOrderType,
        final byte newSide,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize,
        final long newReservePrice,
        final long newTimestampNs)
    {
        checkLive();
        commandType = newCommandType;
        orderType = newOrderType;
        side = newSide;
        symbol = newSymbol;
        orderId = newOrderId;
        uid = newUid;
        price = newPrice;
        size = newSize;
        reservePrice = newReservePrice;
        timestampNs = newTimestampNs;
        return this;
    }

    /**
     * Set the reserve price, after a filler.
     *
     * @param newReservePrice what a bid holds money for, in price steps: a spot bid cannot be moved above it.
     * @return this.
     */
    public final OrderCommand reservePrice(final long newReservePrice)
    {
        reservePrice = newReservePrice;
        return this;
    }

    /**
     * Set the time, after a filler. The engine carries it and reads no clock.
     *
     * @param newTimestampNs in nanoseconds, of whatever clock the publisher likes.
     * @return this.
     */
    public final OrderCommand timestampNs(final long newTimestampNs)
    {
        timestampNs = newTimestampNs;
        return this;
    }

    /**
     * What it asks for.
     *
     * @return see {@link CommandType}; 0 when nobody filled the event.
     */
    public final byte commandType()
    {
        return commandType;
    }

    /**
     * How a placed order trades.
     *
     * @return see {@link OrderType}.
     */
    public final byte orderType()
    {
        return orderType;
    }

    /**
     * Side of a placed order.
     *
     * @return see {@link Side}.
     */
    public final byte side()
    {
        return side;
    }

    /**
     * Which book.
     *
     * @return number of the symbol.
     */
    public final int symbol()
    {
        return symbol;
    }

    /**
     * Which order.
     *
     * @return the order's id.
     */
    public final long orderId()
    {
        return orderId;
    }

    /**
     * Whose order.
     *
     * @return the user's id.
     */
    public final long uid()
    {
        return uid;
    }

    /**
     * Limit, budget (FOK_BUDGET) or new limit (MOVE).
     *
     * @return in price steps; of a budget, price steps times lots.
     */
    public final long price()
    {
        return price;
    }

    /**
     * Size, or by how much to reduce.
     *
     * @return in lots.
     */
    public final long size()
    {
        return size;
    }

    /**
     * What a bid holds money for.
     *
     * @return in price steps.
     */
    public final long reservePrice()
    {
        return reservePrice;
    }

    /**
     * When the command was given, if anybody said so.
     *
     * @return in nanoseconds; 0 after a filler that takes no time.
     */
    public final long timestampNs()
    {
        return timestampNs;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return CommandType.name(commandType) + " symbol " + symbol + " order " + orderId + " uid " + uid + " " +
            OrderType.name(orderType) + " " + Side.name(side) + " price " + price + " size " + size +
            " reserve " + reservePrice + " at " + timestampNs + " ns";
    }
}
