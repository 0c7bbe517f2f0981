package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * A pooled command for the {@link MatchingService}. Subclass it to carry more.
 * <p>
 * Each filler sets every field of this class, so nothing of the event's last use survives. Nothing is checked here: the
 * engine answers a command that makes no sense with a result code. Whoever holds the event fills it before it is
 * published; whoever is handed it reads it until the handler returns.
 * <p>
 * A filler of an order sets the policy ALLOW, no time, and as the reserve price of a bid its limit or its budget, or,
 * where it has neither (MARKET, STOP), {@link SymbolSpec#MAX_PRICE}; 0 for an ask. Where users have balances, a spot
 * bid without a limit needs a {@linkplain #reservePrice(long) reserve price} that its user can pay.
 */
public class OrderCommand extends ControlCommand
{
    /**
     * A command that nobody filled: the engine refuses it as UNKNOWN_COMMAND.
     */
    public OrderCommand()
    {
    }

    @Override
    final OrderCommand self()
    {
        return this;
    }

    /**
     * Place a GTC order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
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
        return limited(OrderType.GTC, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, 0);
    }

    /**
     * Place an IOC order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
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
        return limited(OrderType.IOC, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, 0);
    }

    /**
     * Place a FOK order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand fillOrKill(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize)
    {
        return limited(OrderType.FOK, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, 0);
    }

    /**
     * Place a POST_ONLY order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand postOnly(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize)
    {
        return limited(OrderType.POST_ONLY, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, 0);
    }

    /**
     * Place a MARKET order. Its price is 0.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand market(
        final int newSymbol, final long newOrderId, final long newUid, final byte newSide, final long newSize)
    {
        return unlimited(OrderType.MARKET, newSide, newSymbol, newOrderId, newUid, newSize, 0);
    }

    /**
     * Place a STOP order. Its price is 0.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param stopPrice  a last trade there or beyond triggers it, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand stop(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long stopPrice,
        final long newSize)
    {
        return unlimited(OrderType.STOP, newSide, newSymbol, newOrderId, newUid, newSize, stopPrice);
    }

    /**
     * Place a STOP_LIMIT order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param stopPrice  a last trade there or beyond triggers it, in price steps.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand stopLimit(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long stopPrice,
        final long newPrice,
        final long newSize)
    {
        return limited(OrderType.STOP_LIMIT, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, stopPrice);
    }

    /**
     * Place an ICEBERG order.
     *
     * @param newSymbol   the symbol.
     * @param newOrderId  any number that no order of the symbol has now.
     * @param newUid      its user, any number.
     * @param newSide     see {@link Side}.
     * @param newPrice    limit, in price steps.
     * @param newSize     all of it, in lots.
     * @param displaySize how much of it is shown at a time, 1 to its size, in lots.
     * @return this.
     */
    public final OrderCommand iceberg(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize,
        final long displaySize)
    {
        return limited(OrderType.ICEBERG, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, displaySize);
    }

    /**
     * Place a GTD order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param newPrice   limit, in price steps.
     * @param newSize    in lots.
     * @param expiryNs   when it leaves, of the clock that the commands' times are of.
     * @return this.
     */
    public final OrderCommand goodTillDate(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long newPrice,
        final long newSize,
        final long expiryNs)
    {
        return limited(OrderType.GTD, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, expiryNs);
    }

    /**
     * Place a FOK_BUDGET order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
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
        return limited(OrderType.FOK_BUDGET, newSide, newSymbol, newOrderId, newUid, budget, newSize, 0);
    }

    /**
     * Place an IOC_BUDGET order.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId any number that no order of the symbol has now.
     * @param newUid     its user, any number.
     * @param newSide    see {@link Side}.
     * @param budget     of a bid the sum of price times size, at most; of an ask its limit, in price steps.
     * @param newSize    in lots.
     * @return this.
     */
    public final OrderCommand immediateBudget(
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final byte newSide,
        final long budget,
        final long newSize)
    {
        return limited(OrderType.IOC_BUDGET, newSide, newSymbol, newOrderId, newUid, budget, newSize, 0);
    }

    private OrderCommand limited(
        final byte newOrderType,
        final byte newSide,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize,
        final long newParameter)
    {
        return set(CommandType.PLACE, newOrderType, newSide, SelfTradePolicy.ALLOW, newSymbol, newOrderId, newUid,
            newPrice, newSize, newSide == Side.BID ? newPrice : 0, newParameter, 0);
    }

    private OrderCommand unlimited(
        final byte newOrderType,
        final byte newSide,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newSize,
        final long newParameter)
    {
        return set(CommandType.PLACE, newOrderType, newSide, SelfTradePolicy.ALLOW, newSymbol, newOrderId, newUid, 0,
            newSize, newSide == Side.BID ? SymbolSpec.MAX_PRICE : 0, newParameter, 0);
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

    /**
     * Give an order another price and size.
     *
     * @param newSymbol  the symbol.
     * @param newOrderId the order.
     * @param newUid     its user.
     * @param newPrice   its new limit, in price steps.
     * @param newSize    its new size, what has traded counted in, in lots.
     * @return this.
     */
    public final OrderCommand replace(
        final int newSymbol, final long newOrderId, final long newUid, final long newPrice, final long newSize)
    {
        return change(CommandType.REPLACE, newSymbol, newOrderId, newUid, newPrice, newSize);
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
}
