package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.pool.BasePoolAware;

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
 * <p>
 * Fields by command:
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
public class OrderCommand extends BasePoolAware implements CommandFields
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

    /**
     * A command that nobody filled: the engine refuses it as UNKNOWN_COMMAND.
     */
    public OrderCommand()
    {
    }

    /**
     * Set every field as it came, with policy ALLOW and parameter 0, for decoders.
     *
     * @param commandType  see {@link CommandType}.
     * @param orderType    see {@link OrderType}; of PLACE only.
     * @param side         see {@link Side}; of PLACE only.
     * @param symbol       the symbol.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit, budget or new limit, in price steps.
     * @param size         size or reduction, in lots.
     * @param reservePrice carried along, in price steps.
     * @param timestampNs  time of the command, in nanoseconds.
     * @return this.
     */
    public final OrderCommand set(
        final byte commandType,
        final byte orderType,
        final byte side,
        final int symbol,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long timestampNs)
    {
        return set(commandType, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid,
            price, size, reservePrice, 0, timestampNs);
    }

    /**
     * Set every field as it came, for decoders. There are no spec and terms then.
     *
     * @param commandType     see {@link CommandType}.
     * @param orderType       see {@link OrderType}; of PLACE only.
     * @param side            see {@link Side}; of PLACE and ORDER_BOOK_REQUEST.
     * @param selfTradePolicy see {@link SelfTradePolicy}; of PLACE only.
     * @param symbol          the symbol.
     * @param orderId         the order.
     * @param uid             its user.
     * @param price           limit, budget or new limit, in price steps.
     * @param size            size or reduction, in lots.
     * @param reservePrice    carried along, in price steps.
     * @param parameter       stop price, display size or expiry time; of PLACE only.
     * @param timestampNs     time of the command, in nanoseconds.
     * @return this.
     */
    public final OrderCommand set(
        final byte commandType,
        final byte orderType,
        final byte side,
        final byte selfTradePolicy,
        final int symbol,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter,
        final long timestampNs)
    {
        checkLive();
        this.commandType = commandType;
        this.orderType = orderType;
        this.side = side;
        this.selfTradePolicy = selfTradePolicy;
        this.symbol = symbol;
        this.orderId = orderId;
        this.uid = uid;
        this.price = price;
        this.size = size;
        this.reservePrice = reservePrice;
        this.parameter = parameter;
        this.timestampNs = timestampNs;
        if (spec != null || terms != null)
        {
            definition(null, null);
        }
        return this;
    }

    /** Spec and terms, after a set. */
    final OrderCommand definition(final SymbolSpec spec, final SymbolTerms terms)
    {
        this.spec = spec;
        this.terms = terms;
        return this;
    }

    /**
     * Set the reserve price, after a filler.
     *
     * @param reservePrice what a bid holds money for, in price steps: a spot bid cannot be moved above it, and one
     *                     without a limit does not trade above it.
     * @return this.
     */
    public final OrderCommand reservePrice(final long reservePrice)
    {
        this.reservePrice = reservePrice;
        return this;
    }

    /**
     * Set the self-trade policy, after a filler, which sets ALLOW.
     *
     * @param selfTradePolicy see {@link SelfTradePolicy}.
     * @return this.
     */
    public final OrderCommand selfTradePolicy(final byte selfTradePolicy)
    {
        this.selfTradePolicy = selfTradePolicy;
        return this;
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
        return this;
    }

    /**
     * Set the time, after a filler, which sets 0. It is the only time that the engine knows: orders expire by it.
     *
     * @param timestampNs in nanoseconds, of whatever clock the publishers agree on; 0 when there is none.
     * @return this.
     */
    public final OrderCommand timestampNs(final long timestampNs)
    {
        this.timestampNs = timestampNs;
        return this;
    }

    /**
     * Place a GTC order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand limit(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.GTC, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Place an IOC order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand immediate(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.IOC, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Place a FOK order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand fillOrKill(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.FOK, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Place a POST_ONLY order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand postOnly(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.POST_ONLY, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Place a MARKET order. Its price is 0.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand market(
        final int symbol, final long orderId, final long uid, final byte side, final long size)
    {
        return unlimited(OrderType.MARKET, side, symbol, orderId, uid, size, 0);
    }

    /**
     * Place a STOP order. Its price is 0.
     *
     * @param symbol    the symbol.
     * @param orderId   any number that no order of the symbol has now.
     * @param uid       its user, any number.
     * @param side      see {@link Side}.
     * @param stopPrice a last trade there or beyond triggers it, in price steps.
     * @param size      in lots.
     * @return this.
     */
    public final OrderCommand stop(
        final int symbol, final long orderId, final long uid, final byte side, final long stopPrice, final long size)
    {
        return unlimited(OrderType.STOP, side, symbol, orderId, uid, size, stopPrice);
    }

    /**
     * Place a STOP_LIMIT order.
     *
     * @param symbol    the symbol.
     * @param orderId   any number that no order of the symbol has now.
     * @param uid       its user, any number.
     * @param side      see {@link Side}.
     * @param stopPrice a last trade there or beyond triggers it, in price steps.
     * @param price     limit, in price steps.
     * @param size      in lots.
     * @return this.
     */
    public final OrderCommand stopLimit(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long price,
        final long size)
    {
        return limited(OrderType.STOP_LIMIT, side, symbol, orderId, uid, price, size, stopPrice);
    }

    /**
     * Place an ICEBERG order.
     *
     * @param symbol      the symbol.
     * @param orderId     any number that no order of the symbol has now.
     * @param uid         its user, any number.
     * @param side        see {@link Side}.
     * @param price       limit, in price steps.
     * @param size        all of it, in lots.
     * @param displaySize how much of it is shown at a time, 1 to its size, in lots.
     * @return this.
     */
    public final OrderCommand iceberg(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long displaySize)
    {
        return limited(OrderType.ICEBERG, side, symbol, orderId, uid, price, size, displaySize);
    }

    /**
     * Place a GTD order.
     *
     * @param symbol   the symbol.
     * @param orderId  any number that no order of the symbol has now.
     * @param uid      its user, any number.
     * @param side     see {@link Side}.
     * @param price    limit, in price steps.
     * @param size     in lots.
     * @param expiryNs when it leaves, of the clock that the commands' times are of.
     * @return this.
     */
    public final OrderCommand goodTillDate(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long expiryNs)
    {
        return limited(OrderType.GTD, side, symbol, orderId, uid, price, size, expiryNs);
    }

    /**
     * Place a FOK_BUDGET order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param budget  sum of price times size: at most for a bid, at least for an ask.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand fillOrKillBudget(
        final int symbol, final long orderId, final long uid, final byte side, final long budget, final long size)
    {
        return limited(OrderType.FOK_BUDGET, side, symbol, orderId, uid, budget, size, 0);
    }

    /**
     * Place an IOC_BUDGET order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param budget  of a bid the sum of price times size, at most; of an ask its limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final OrderCommand immediateBudget(
        final int symbol, final long orderId, final long uid, final byte side, final long budget, final long size)
    {
        return limited(OrderType.IOC_BUDGET, side, symbol, orderId, uid, budget, size, 0);
    }

    private OrderCommand limited(
        final byte orderType,
        final byte side,
        final int symbol,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long parameter)
    {
        return set(CommandType.PLACE, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid,
            price, size, side == Side.BID ? price : 0, parameter, 0);
    }

    private OrderCommand unlimited(
        final byte orderType,
        final byte side,
        final int symbol,
        final long orderId,
        final long uid,
        final long size,
        final long parameter)
    {
        return set(CommandType.PLACE, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid, 0,
            size, side == Side.BID ? SymbolSpec.MAX_PRICE : 0, parameter, 0);
    }

    /**
     * Take an order out.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return this.
     */
    public final OrderCommand cancel(final int symbol, final long orderId, final long uid)
    {
        return change(CommandType.CANCEL, symbol, orderId, uid, 0, 0);
    }

    /**
     * Make an order smaller.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param by      lots, at least 1; becomes {@link #size()}.
     * @return this.
     */
    public final OrderCommand reduce(final int symbol, final long orderId, final long uid, final long by)
    {
        return change(CommandType.REDUCE, symbol, orderId, uid, 0, by);
    }

    /**
     * Give an order another price.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param price   its new limit, in price steps.
     * @return this.
     */
    public final OrderCommand move(final int symbol, final long orderId, final long uid, final long price)
    {
        return change(CommandType.MOVE, symbol, orderId, uid, price, 0);
    }

    /**
     * Give an order another price and size.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param price   its new limit, in price steps.
     * @param size    its new size, what has traded counted in, in lots.
     * @return this.
     */
    public final OrderCommand replace(
        final int symbol, final long orderId, final long uid, final long price, final long size)
    {
        return change(CommandType.REPLACE, symbol, orderId, uid, price, size);
    }

    private OrderCommand change(
        final byte commandType, final int symbol, final long orderId, final long uid, final long price, final long size)
    {
        return set(commandType, OrderType.GTC, Side.BID, symbol, orderId, uid, price, size, 0, 0);
    }

    private OrderCommand control(
        final byte commandType,
        final byte side,
        final int symbol,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long timeNs)
    {
        return set(commandType, OrderType.GTC, side, symbol, orderId, uid, price, size, 0, timeNs);
    }

    /**
     * A new user.
     *
     * @param uid the user, any number.
     * @return this.
     */
    public final OrderCommand addUser(final long uid)
    {
        return control(CommandType.ADD_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Pay into an account, or out of it.
     *
     * @param uid          the user.
     * @param currency     of the account.
     * @param amount       in units of the currency; below 0 out of it.
     * @param adjustmentId greater than that of the user's last adjustment.
     * @return this.
     */
    public final OrderCommand adjustBalance(
        final long uid, final int currency, final long amount, final long adjustmentId)
    {
        return control(CommandType.BALANCE_ADJUSTMENT, Side.BID, currency, adjustmentId, uid, 0, amount, 0);
    }

    /**
     * Take a user out that owns nothing and has no orders.
     *
     * @param uid the user.
     * @return this.
     */
    public final OrderCommand suspendUser(final long uid)
    {
        return control(CommandType.SUSPEND_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Take a suspended user in again.
     *
     * @param uid the user.
     * @return this.
     */
    public final OrderCommand resumeUser(final long uid)
    {
        return control(CommandType.RESUME_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * A new symbol. The only command that carries objects: whoever gives it allocates them.
     *
     * @param spec  the symbol and its limits.
     * @param terms what it means for money; null for an engine without users.
     * @return this.
     */
    public final OrderCommand addSymbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        return control(CommandType.ADD_SYMBOL, Side.BID, spec.symbol(), 0, 0, 0, 0, 0).definition(spec, terms);
    }

    /**
     * Take nothing but CANCEL and REDUCE from now on.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final OrderCommand haltSymbol(final int symbol)
    {
        return control(CommandType.HALT_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Trade again.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final OrderCommand resumeSymbol(final int symbol)
    {
        return control(CommandType.RESUME_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Take a symbol without orders and positions out.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final OrderCommand removeSymbol(final int symbol)
    {
        return control(CommandType.REMOVE_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Report the levels of a book, best first, bids before asks.
     *
     * @param symbol the symbol.
     * @param depth  levels of each side; negative for all.
     * @return this.
     */
    public final OrderCommand orderBook(final int symbol, final long depth)
    {
        return control(CommandType.ORDER_BOOK_REQUEST, Side.BID, symbol, 0, 0, -1, depth, 0);
    }

    /**
     * Report a user's accounts, positions and open orders.
     *
     * @param uid the user.
     * @return this.
     */
    public final OrderCommand userReport(final long uid)
    {
        return control(CommandType.USER_REPORT, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Report the totals of each currency and the open interest of each future.
     *
     * @return this.
     */
    public final OrderCommand totalsReport()
    {
        return control(CommandType.TOTALS_REPORT, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Report the hash of the state.
     *
     * @return this.
     */
    public final OrderCommand stateHash()
    {
        return control(CommandType.STATE_HASH, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Say how late it is: orders expire.
     *
     * @param timeNs of the clock that the commands' times are of, at least 1; becomes {@link #timestampNs()}.
     * @return this.
     */
    public final OrderCommand tick(final long timeNs)
    {
        return control(CommandType.TICK, Side.BID, 0, 0, 0, 0, 0, timeNs);
    }

    /**
     * Nothing; it is answered.
     *
     * @return this.
     */
    public final OrderCommand nop()
    {
        return control(CommandType.NOP, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Back to the state at the start. For tests: the service refuses it unless it was told not to.
     *
     * @return this.
     */
    public final OrderCommand reset()
    {
        return control(CommandType.RESET, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * What it asks for.
     *
     * @return see {@link CommandType}; 0 when nobody filled the event.
     */
    @Override
    public final byte commandType()
    {
        return commandType;
    }

    /**
     * How a placed order trades.
     *
     * @return see {@link OrderType}.
     */
    @Override
    public final byte orderType()
    {
        return orderType;
    }

    /**
     * Side of a placed order, or with which a report begins.
     *
     * @return see {@link Side}.
     */
    @Override
    public final byte side()
    {
        return side;
    }

    /**
     * What becomes of a placed order that meets one of its user.
     *
     * @return see {@link SelfTradePolicy}.
     */
    @Override
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
    @Override
    public final long orderId()
    {
        return orderId;
    }

    /**
     * Whose order, or which user.
     *
     * @return the user's id.
     */
    @Override
    public final long uid()
    {
        return uid;
    }

    /**
     * Limit, budget (FOK_BUDGET, IOC_BUDGET) or new limit (MOVE, REPLACE); where a report begins.
     *
     * @return in price steps; of a budget, price steps times lots.
     */
    @Override
    public final long price()
    {
        return price;
    }

    /**
     * Size, new size, or by how much to reduce; the amount of an adjustment; the depth of a report.
     *
     * @return in lots; of an adjustment in units of the currency; of a report in levels for each side.
     */
    @Override
    public final long size()
    {
        return size;
    }

    /**
     * What a bid holds money for.
     *
     * @return in price steps.
     */
    @Override
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
    @Override
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
