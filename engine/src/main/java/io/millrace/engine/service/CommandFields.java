package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.pool.BasePoolAware;

/**
 * The fields of an {@link OrderCommand}, and how they are set as they came and read.
 * <pre>
 *  command             symbol    orderId       uid  price      size    others
 *  PLACE               x         x             x    x          x       orderType, side, selfTradePolicy, reservePrice,
 *                                                                      parameter
 *  CANCEL              x         x             x
 *  REDUCE              x         x             x               by
 *  MOVE                x         x             x    new price
 *  REPLACE             x         x             x    new price  new size
 *  ORDER_BOOK_REQUEST  x         told before        begins at  depth   side it begins with
 *  ADD_USER, SUSPEND_USER, RESUME_USER         x
 *  BALANCE_ADJUSTMENT  currency  adjustment    x               amount
 *  ADD_SYMBOL          x                                               spec, terms
 *  HALT_SYMBOL, RESUME_SYMBOL, REMOVE_SYMBOL
 *                      x
 *  USER_REPORT                                 x    begins at
 *  TOTALS_REPORT                                    begins at
 *  STATE_HASH, TICK, NOP, RESET                                        timestampNs, which all commands have
 * </pre>
 * What has no mark is not looked at. The fields end at byte 104 of the object, within its second cache line:
 * <pre>
 *  offset (compressed class pointers)
 *   0       32      36                        40            96      100     104
 *   +-------+--------+-------------------------+-------------+-------+-------+
 *   | pool  | symbol | type, type, side, policy| seven longs | spec  | terms |
 *   +-------+--------+-------------------------+-------------+-------+-------+
 * </pre>
 */
public abstract class CommandFields extends BasePoolAware
{
    private int symbol;
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
    private long timestampNs;
    private SymbolSpec spec;
    private SymbolTerms terms;

    /** For OrderCommand alone. */
    CommandFields()
    {
    }

    /** This, as what it is. */
    abstract OrderCommand self();

    /**
     * Set every field as it came, with policy ALLOW and parameter 0, for decoders.
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
     * @param newTimestampNs  time of the command, in nanoseconds.
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
        return set(newCommandType, newOrderType, newSide, SelfTradePolicy.ALLOW, newSymbol, newOrderId, newUid,
            newPrice, newSize, newReservePrice, 0, newTimestampNs);
    }

    /**
     * Set every field as it came, for decoders. There are no spec and terms then.
     *
     * @param newCommandType     see {@link CommandType}.
     * @param newOrderType       see {@link OrderType}; of PLACE only.
     * @param newSide            see {@link Side}; of PLACE and ORDER_BOOK_REQUEST.
     * @param newSelfTradePolicy see {@link SelfTradePolicy}; of PLACE only.
     * @param newSymbol          the symbol.
     * @param newOrderId         the order.
     * @param newUid             its user.
     * @param newPrice           limit, budget or new limit, in price steps.
     * @param newSize            size or reduction, in lots.
     * @param newReservePrice    carried along, in price steps.
     * @param newParameter       stop price, display size or expiry time; of PLACE only.
     * @param newTimestampNs     time of the command, in nanoseconds.
     * @return this.
     */
    public final OrderCommand set(
        final byte newCommandType,
        final byte newOrderType,
        final byte newSide,
        final byte newSelfTradePolicy,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize,
        final long newReservePrice,
        final long newParameter,
        final long newTimestampNs)
    {
        checkLive();
        commandType = newCommandType;
        orderType = newOrderType;
        side = newSide;
        selfTradePolicy = newSelfTradePolicy;
        symbol = newSymbol;
        orderId = newOrderId;
        uid = newUid;
        price = newPrice;
        size = newSize;
        reservePrice = newReservePrice;
        parameter = newParameter;
        timestampNs = newTimestampNs;
        if (spec != null || terms != null)
        {
            definition(null, null);
        }
        return self();
    }

    /** Spec and terms, after a set. */
    final OrderCommand definition(final SymbolSpec newSpec, final SymbolTerms newTerms)
    {
        spec = newSpec;
        terms = newTerms;
        return self();
    }

    /**
     * Set the reserve price, after a filler.
     *
     * @param newReservePrice what a bid holds money for, in price steps: a spot bid cannot be moved above it, and one
     *                        without a limit does not trade above it.
     * @return this.
     */
    public final OrderCommand reservePrice(final long newReservePrice)
    {
        reservePrice = newReservePrice;
        return self();
    }

    /**
     * Set the self-trade policy, after a filler, which sets ALLOW.
     *
     * @param newSelfTradePolicy see {@link SelfTradePolicy}.
     * @return this.
     */
    public final OrderCommand selfTradePolicy(final byte newSelfTradePolicy)
    {
        selfTradePolicy = newSelfTradePolicy;
        return self();
    }

    /**
     * Go on with a report, after the filler that was used for its first rows.
     *
     * @param result RESULT of the command before, one that {@linkplain ExecutionEvent#hasMore() has more}.
     * @return this.
     */
    public final OrderCommand goOn(final ExecutionEvent result)
    {
        side = result.side();
        price = result.next();
        orderId = result.told();
        return self();
    }

    /**
     * Set the time, after a filler, which sets 0. It is the only time that the engine knows: orders expire by it.
     *
     * @param newTimestampNs in nanoseconds, of whatever clock the publishers agree on; 0 when there is none.
     * @return this.
     */
    public final OrderCommand timestampNs(final long newTimestampNs)
    {
        timestampNs = newTimestampNs;
        return self();
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
     * Side of a placed order, or with which a report begins.
     *
     * @return see {@link Side}.
     */
    public final byte side()
    {
        return side;
    }

    /**
     * What becomes of a placed order that meets one of its user.
     *
     * @return see {@link SelfTradePolicy}.
     */
    public final byte selfTradePolicy()
    {
        return selfTradePolicy;
    }

    /**
     * Which book; of BALANCE_ADJUSTMENT which currency.
     *
     * @return number of the symbol or the currency.
     */
    public final int symbol()
    {
        return symbol;
    }

    /**
     * Which order; of BALANCE_ADJUSTMENT which adjustment; of ORDER_BOOK_REQUEST how many levels of its side were told
     * before.
     *
     * @return the order's id, the adjustment's, or a number of levels.
     */
    public final long orderId()
    {
        return orderId;
    }

    /**
     * Whose order, or which user.
     *
     * @return the user's id.
     */
    public final long uid()
    {
        return uid;
    }

    /**
     * Limit, budget (FOK_BUDGET, IOC_BUDGET) or new limit (MOVE, REPLACE); where a report begins.
     *
     * @return in price steps; of a budget, price steps times lots.
     */
    public final long price()
    {
        return price;
    }

    /**
     * Size, new size, or by how much to reduce; the amount of an adjustment; the depth of a report.
     *
     * @return in lots; of an adjustment in units of the currency; of a report in levels for each side.
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
     * The one number that an order type needs besides: STOP and STOP_LIMIT the stop price, ICEBERG the display size,
     * GTD the expiry time.
     *
     * @return in price steps, lots or nanoseconds; 0 for all other types.
     */
    public final long parameter()
    {
        return parameter;
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
     * Of ADD_SYMBOL, the symbol and its limits.
     *
     * @return null for all other commands, and when what a decoder was given makes no spec.
     */
    public final SymbolSpec spec()
    {
        return spec;
    }

    /**
     * Of ADD_SYMBOL, what the symbol means for money.
     *
     * @return null for all other commands, and for an engine without users.
     */
    public final SymbolTerms terms()
    {
        return terms;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return CommandType.name(commandType) + " symbol " + symbol + " order " + orderId + " uid " + uid + " " +
            OrderType.name(orderType) + " " + Side.name(side) + " " + SelfTradePolicy.name(selfTradePolicy) +
            " price " + price + " size " + size + " reserve " + reservePrice + " parameter " + parameter +
            (spec == null ? "" : " " + spec) + (terms == null ? "" : " " + terms) + " at " + timestampNs + " ns";
    }
}
