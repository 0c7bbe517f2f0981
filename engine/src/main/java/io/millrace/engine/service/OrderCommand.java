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
 * A pooled command for the {@link MatchingService}. Subclass it to add fields.
 * <p>
 * Each filler sets every field of this class, so no value of an earlier use remains. Fillers check nothing: the engine
 * refuses a wrong command with a result code. Fill the event before you publish it. A handler may read it until the
 * handler returns.
 * <p>
 * A filler returns this object as the type that the caller expects. So {@code publish(claim().limit(...))} compiles for
 * a source of a subclass. If the object is not of that type, the call throws a {@link ClassCastException}.
 * <p>
 * A filler of an order sets policy ALLOW and no time. The reserve price of a bid is its limit or budget, or {@link
 * SymbolSpec#MAX_PRICE} without either (MARKET, STOP). An ask's reserve price is 0. With users, a spot bid without a
 * limit needs a {@linkplain #reservePrice(long) reserve price} that its user can pay.
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
 *  REPLACE_OPEN        x         x             x    new price  new open size
 *  MASS_CANCEL         x                       x                       side, or both
 *  MASS_CANCEL_USER                            x                       side, or both
 *  MASS_CANCEL_SYMBOL  x                                               side, or both
 *  ORDER_STATUS        x         x             x
 *  OPEN_ORDERS         x                       x    begins at
 *  ORDER_BOOK_REQUEST  x         levels reported    begins at  depth   side it begins with
 *  ADD_USER, SUSPEND_USER, RESUME_USER         x
 *  BALANCE_ADJUSTMENT  currency  adjustment    x               amount
 *  ADD_SYMBOL          x                                               spec, terms
 *  HALT_SYMBOL, RESUME_SYMBOL, REMOVE_SYMBOL
 *                      x
 *  USER_REPORT                                 x    begins at
 *  TOTALS_REPORT                                    begins at
 *  STATE_HASH, TICK, NOP, RESET                                        timestampNs, correlation: all commands have both
 * </pre>
 * The engine ignores unmarked fields. The fields end at byte 112 of the object, with ZGC at 128, so within its second
 * cache line:
 * <pre>
 *  offset (compressed references and class pointers)
 *   0       32      36                        40            104     108     112
 *   +-------+--------+-------------------------+-------------+-------+-------+
 *   | pool  | symbol | type, type, side, policy| eight longs | spec  | terms |
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
    private long correlation;
    private SymbolSpec spec;
    private SymbolTerms terms;

    /**
     * An empty command, which the engine refuses as UNKNOWN_COMMAND.
     */
    public OrderCommand()
    {
    }

    /**
     * Sets every field, with policy ALLOW and parameter 0, for decoders.
     *
     * @param commandType  see {@link CommandType}.
     * @param orderType    see {@link OrderType}; of PLACE only.
     * @param side         see {@link Side}; of PLACE only.
     * @param symbol       the symbol.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit, budget or new limit, in price steps.
     * @param size         size or reduction, in lots.
     * @param reservePrice passed on to the executions, in price steps.
     * @param timestampNs  time of the command, in nanoseconds.
     * @return this.
     */
    public final <C extends OrderCommand> C set(
        final byte commandType, final byte orderType, final byte side, final int symbol, final long orderId,
        final long uid, final long price, final long size, final long reservePrice, final long timestampNs)
    {
        return set(commandType, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid,
            price, size, reservePrice, 0, timestampNs);
    }

    /**
     * Sets every field, without spec and terms, for decoders.
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
     * @param reservePrice    passed on to the executions, in price steps.
     * @param parameter       stop price, display size or expiry time; of PLACE only.
     * @param timestampNs     time of the command, in nanoseconds.
     * @return this.
     */
    public final <C extends OrderCommand> C set(
        final byte commandType, final byte orderType, final byte side, final byte selfTradePolicy, final int symbol,
        final long orderId, final long uid, final long price, final long size, final long reservePrice,
        final long parameter, final long timestampNs)
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
        correlation = 0;
        // No test of the old values: a load would wait for a line that the stores only request.
        return definition(null, null);
    }

    /** This object as the type that the caller expects. */
    @SuppressWarnings("unchecked")
    private <C extends OrderCommand> C self()
    {
        return (C)this;
    }

    /** Sets spec and terms, after a set. */
    final <C extends OrderCommand> C definition(final SymbolSpec spec, final SymbolTerms terms)
    {
        this.spec = spec;
        this.terms = terms;
        return self();
    }

    /**
     * Sets the reserve price, after a filler.
     *
     * @param reservePrice price for which a bid reserves funds, in price steps. A spot bid cannot be moved above it,
     *                     and a bid without a limit does not trade above it.
     * @return this.
     */
    public final <C extends OrderCommand> C reservePrice(final long reservePrice)
    {
        this.reservePrice = reservePrice;
        return self();
    }

    /**
     * Sets the self-trade policy, after a filler, which sets ALLOW.
     *
     * @param selfTradePolicy see {@link SelfTradePolicy}.
     * @return this.
     */
    public final <C extends OrderCommand> C selfTradePolicy(final byte selfTradePolicy)
    {
        this.selfTradePolicy = selfTradePolicy;
        return self();
    }

    /**
     * Continues a report, after the filler of its first command.
     *
     * @param result RESULT of the previous command, which {@linkplain ExecutionEvent#hasMore() has more}.
     * @return this.
     */
    public final <C extends OrderCommand> C continueFrom(final ExecutionEvent result)
    {
        side = result.side();
        price = result.next();
        orderId = result.levelsReported();
        return self();
    }

    /**
     * Sets the time, after a filler, which sets 0. The engine has no other time: orders expire by it. A command without
     * a time sets the engine's time to none, see {@link io.millrace.engine.MatchingEngine#time(long)}.
     *
     * @param timestampNs in nanoseconds of a clock that all publishers share; 0 for none.
     * @return this.
     */
    public final <C extends OrderCommand> C timestampNs(final long timestampNs)
    {
        this.timestampNs = timestampNs;
        return self();
    }

    /**
     * Sets the client's request id, after a filler, which sets 0. The engine does not interpret it: it is in every
     * {@link ExecutionEvent#correlation()} of this command, and in the command's record in a journal.
     *
     * @param correlation any number; 0 for none.
     * @return this.
     */
    public final <C extends OrderCommand> C correlation(final long correlation)
    {
        this.correlation = correlation;
        return self();
    }

    /**
     * Places a GTC order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C limit(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.GTC, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Places an IOC order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C immediate(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.IOC, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Places a FOK order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C fillOrKill(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.FOK, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Places a POST_ONLY order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param price   limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C postOnly(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size)
    {
        return limited(OrderType.POST_ONLY, side, symbol, orderId, uid, price, size, 0);
    }

    /**
     * Places a MARKET order. Its price is 0.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C market(
        final int symbol, final long orderId, final long uid, final byte side, final long size)
    {
        return unlimited(OrderType.MARKET, side, symbol, orderId, uid, size, 0);
    }

    /**
     * Places a STOP order. Its price is 0.
     *
     * @param symbol    the symbol.
     * @param orderId   any number that no order of the symbol has now.
     * @param uid       its user, any number.
     * @param side      see {@link Side}.
     * @param stopPrice a last trade there or beyond triggers it, in price steps.
     * @param size      in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C stop(
        final int symbol, final long orderId, final long uid, final byte side, final long stopPrice, final long size)
    {
        return unlimited(OrderType.STOP, side, symbol, orderId, uid, size, stopPrice);
    }

    /**
     * Places a STOP_LIMIT order.
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
    public final <C extends OrderCommand> C stopLimit(
        final int symbol, final long orderId, final long uid, final byte side, final long stopPrice, final long price,
        final long size)
    {
        return limited(OrderType.STOP_LIMIT, side, symbol, orderId, uid, price, size, stopPrice);
    }

    /**
     * Places an ICEBERG order.
     * @param symbol      the symbol.
     * @param orderId     any number that no order of the symbol has now.
     * @param uid         its user, any number.
     * @param side        see {@link Side}.
     * @param price       limit, in price steps.
     * @param size        visible and hidden size together, in lots.
     * @param displaySize greatest visible size at a time, 1 to its size, in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C iceberg(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size,
        final long displaySize)
    {
        return limited(OrderType.ICEBERG, side, symbol, orderId, uid, price, size, displaySize);
    }

    /**
     * Places a GTD order.
     * @param symbol   the symbol.
     * @param orderId  any number that no order of the symbol has now.
     * @param uid      its user, any number.
     * @param side     see {@link Side}.
     * @param price    limit, in price steps.
     * @param size     in lots.
     * @param expiryNs its expiry, on the clock of the commands' times, in nanoseconds.
     * @return this.
     */
    public final <C extends OrderCommand> C goodTillDate(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size,
        final long expiryNs)
    {
        return limited(OrderType.GTD, side, symbol, orderId, uid, price, size, expiryNs);
    }

    /**
     * Places a FOK_BUDGET order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param budget  sum of price times size: at most for a bid, at least for an ask.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C fillOrKillBudget(
        final int symbol, final long orderId, final long uid, final byte side, final long budget, final long size)
    {
        return limited(OrderType.FOK_BUDGET, side, symbol, orderId, uid, budget, size, 0);
    }

    /**
     * Places an IOC_BUDGET order.
     *
     * @param symbol  the symbol.
     * @param orderId any number that no order of the symbol has now.
     * @param uid     its user, any number.
     * @param side    see {@link Side}.
     * @param budget  of a bid the maximum sum of price times size; of an ask its limit, in price steps.
     * @param size    in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C immediateBudget(
        final int symbol, final long orderId, final long uid, final byte side, final long budget, final long size)
    {
        return limited(OrderType.IOC_BUDGET, side, symbol, orderId, uid, budget, size, 0);
    }

    private <C extends OrderCommand> C limited(
        final byte orderType, final byte side, final int symbol, final long orderId, final long uid, final long price,
        final long size, final long parameter)
    {
        return set(CommandType.PLACE, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid,
            price, size, side == Side.BID ? price : 0, parameter, 0);
    }

    private <C extends OrderCommand> C unlimited(
        final byte orderType, final byte side, final int symbol, final long orderId, final long uid, final long size,
        final long parameter)
    {
        return set(CommandType.PLACE, orderType, side, SelfTradePolicy.ALLOW, symbol, orderId, uid, 0,
            size, side == Side.BID ? SymbolSpec.MAX_PRICE : 0, parameter, 0);
    }

    /**
     * Cancels an order.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return this.
     */
    public final <C extends OrderCommand> C cancel(final int symbol, final long orderId, final long uid)
    {
        return change(CommandType.CANCEL, symbol, orderId, uid, 0, 0);
    }

    /**
     * Reduces the size of an order.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param by      lots, at least 1; becomes {@link #size()}.
     * @return this.
     */
    public final <C extends OrderCommand> C reduce(final int symbol, final long orderId, final long uid, final long by)
    {
        return change(CommandType.REDUCE, symbol, orderId, uid, 0, by);
    }

    /**
     * Moves an order to another price.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param price   its new limit, in price steps.
     * @return this.
     */
    public final <C extends OrderCommand> C move(final int symbol, final long orderId, final long uid, final long price)
    {
        return change(CommandType.MOVE, symbol, orderId, uid, price, 0);
    }

    /**
     * Changes the price and the size of an order.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @param price   its new limit, in price steps.
     * @param size    its new size, including the filled part, in lots.
     * @return this.
     */
    public final <C extends OrderCommand> C replace(
        final int symbol, final long orderId, final long uid, final long price, final long size)
    {
        return change(CommandType.REPLACE, symbol, orderId, uid, price, size);
    }

    /**
     * Changes the price and the open size of an order. So trades that were executed before the command do not matter.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param price    its new limit, in price steps.
     * @param openSize its new size without the filled part, in lots, 1 or more.
     * @return this.
     */
    public final <C extends OrderCommand> C replaceOpen(
        final int symbol, final long orderId, final long uid, final long price, final long openSize)
    {
        return change(CommandType.REPLACE_OPEN, symbol, orderId, uid, price, openSize);
    }

    private <C extends OrderCommand> C change(
        final byte commandType, final int symbol, final long orderId, final long uid, final long price, final long size)
    {
        return set(commandType, OrderType.GTC, Side.BID, symbol, orderId, uid, price, size, 0, 0);
    }

    private <C extends OrderCommand> C control(
        final byte commandType, final byte side, final int symbol, final long orderId, final long uid,
        final long price, final long size, final long timeNs)
    {
        return set(commandType, OrderType.GTC, side, symbol, orderId, uid, price, size, 0, timeNs);
    }

    /**
     * Cancels the orders of a user in a symbol, in the order of their ids.
     *
     * @param symbol the symbol.
     * @param uid    the user.
     * @param side   see {@link Side}; {@link Side#BOTH} for all.
     * @return this.
     */
    public final <C extends OrderCommand> C massCancel(final int symbol, final long uid, final byte side)
    {
        return control(CommandType.MASS_CANCEL, side, symbol, 0, uid, 0, 0, 0);
    }

    /**
     * Cancels the orders of a user in all symbols: symbol by symbol, in the order of their ids.
     *
     * @param uid  the user.
     * @param side see {@link Side}; {@link Side#BOTH} for all.
     * @return this.
     */
    public final <C extends OrderCommand> C massCancelUser(final long uid, final byte side)
    {
        return control(CommandType.MASS_CANCEL_USER, side, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Cancels the orders of all users in a symbol: bids and asks by priority, then stops by acceptance.
     *
     * @param symbol the symbol.
     * @param side   see {@link Side}; {@link Side#BOTH} for all.
     * @return this.
     */
    public final <C extends OrderCommand> C massCancelSymbol(final int symbol, final byte side)
    {
        return control(CommandType.MASS_CANCEL_SYMBOL, side, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Requests an order, resting or untriggered.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return this.
     */
    public final <C extends OrderCommand> C orderStatus(final int symbol, final long orderId, final long uid)
    {
        return control(CommandType.ORDER_STATUS, Side.BID, symbol, orderId, uid, 0, 0, 0);
    }

    /**
     * Requests the open orders of a user in a symbol, in the order of their ids.
     *
     * @param symbol the symbol.
     * @param uid    the user.
     * @return this.
     */
    public final <C extends OrderCommand> C openOrders(final int symbol, final long uid)
    {
        return control(CommandType.OPEN_ORDERS, Side.BID, symbol, 0, uid, Long.MIN_VALUE, 0, 0);
    }

    /**
     * Adds a user.
     *
     * @param uid the user, any number.
     * @return this.
     */
    public final <C extends OrderCommand> C addUser(final long uid)
    {
        return control(CommandType.ADD_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Deposits into an account, or withdraws from it.
     *
     * @param uid          the user.
     * @param currency     of the account.
     * @param amount       in units of the currency; negative for a withdrawal.
     * @param adjustmentId greater than the user's last adjustment id.
     * @return this.
     */
    public final <C extends OrderCommand> C adjustBalance(
        final long uid, final int currency, final long amount, final long adjustmentId)
    {
        return control(CommandType.BALANCE_ADJUSTMENT, Side.BID, currency, adjustmentId, uid, 0, amount, 0);
    }

    /**
     * Suspends a user without funds, positions and orders.
     *
     * @param uid the user.
     * @return this.
     */
    public final <C extends OrderCommand> C suspendUser(final long uid)
    {
        return control(CommandType.SUSPEND_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Resumes a suspended user.
     *
     * @param uid the user.
     * @return this.
     */
    public final <C extends OrderCommand> C resumeUser(final long uid)
    {
        return control(CommandType.RESUME_USER, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Adds a symbol. The only command with objects, which the caller allocates.
     *
     * @param spec  the symbol and its limits.
     * @param terms its currencies, fees and margins; null for an engine without users.
     * @return this.
     */
    public final <C extends OrderCommand> C addSymbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        return control(CommandType.ADD_SYMBOL, Side.BID, spec.symbol(), 0, 0, 0, 0, 0).definition(spec, terms);
    }

    /**
     * Halts a symbol: it accepts CANCEL and REDUCE only.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final <C extends OrderCommand> C haltSymbol(final int symbol)
    {
        return control(CommandType.HALT_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Resumes trading of a halted symbol.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final <C extends OrderCommand> C resumeSymbol(final int symbol)
    {
        return control(CommandType.RESUME_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Removes a symbol without orders and positions.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public final <C extends OrderCommand> C removeSymbol(final int symbol)
    {
        return control(CommandType.REMOVE_SYMBOL, Side.BID, symbol, 0, 0, 0, 0, 0);
    }

    /**
     * Requests the levels of a book, best first, bids before asks.
     *
     * @param symbol the symbol.
     * @param depth  levels of each side; negative for all.
     * @return this.
     */
    public final <C extends OrderCommand> C orderBook(final int symbol, final long depth)
    {
        return control(CommandType.ORDER_BOOK_REQUEST, Side.BID, symbol, 0, 0, -1, depth, 0);
    }

    /**
     * Requests a user's accounts, positions and open orders.
     *
     * @param uid the user.
     * @return this.
     */
    public final <C extends OrderCommand> C userReport(final long uid)
    {
        return control(CommandType.USER_REPORT, Side.BID, 0, 0, uid, 0, 0, 0);
    }

    /**
     * Requests the totals of each currency and the open interest of each future.
     *
     * @return this.
     */
    public final <C extends OrderCommand> C totalsReport()
    {
        return control(CommandType.TOTALS_REPORT, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Requests the hash of the state.
     *
     * @return this.
     */
    public final <C extends OrderCommand> C stateHash()
    {
        return control(CommandType.STATE_HASH, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Sets the time and expires the due orders of all books.
     * @param timeNs on the clock of the commands' times, at least 1; becomes {@link #timestampNs()}.
     * @return this.
     */
    public final <C extends OrderCommand> C tick(final long timeNs)
    {
        return control(CommandType.TICK, Side.BID, 0, 0, 0, 0, 0, timeNs);
    }

    /**
     * Does nothing; returns a RESULT.
     *
     * @return this.
     */
    public final <C extends OrderCommand> C nop()
    {
        return control(CommandType.NOP, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Restores the initial state. For tests: the service refuses it without {@link MatchingService#allowReset}.
     *
     * @return this.
     */
    public final <C extends OrderCommand> C reset()
    {
        return control(CommandType.RESET, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Type of the command.
     *
     * @return see {@link CommandType}; 0 for an empty event.
     */
    @Override
    public final byte commandType()
    {
        return commandType;
    }

    /**
     * Type of a placed order.
     *
     * @return see {@link OrderType}.
     */
    @Override
    public final byte orderType()
    {
        return orderType;
    }

    /**
     * Side of a placed order, or the first side of a report.
     *
     * @return see {@link Side}.
     */
    @Override
    public final byte side()
    {
        return side;
    }

    /**
     * Policy for a placed order that would trade with another order of its user.
     *
     * @return see {@link SelfTradePolicy}.
     */
    @Override
    public final byte selfTradePolicy()
    {
        return selfTradePolicy;
    }

    /**
     * Symbol; of BALANCE_ADJUSTMENT the currency.
     *
     * @return number of the symbol or the currency.
     */
    public final int symbol()
    {
        return symbol;
    }

    /**
     * Order id; for BALANCE_ADJUSTMENT the adjustment id; for ORDER_BOOK_REQUEST the number of levels of its side that
     * earlier commands reported.
     * @return the order id, the adjustment id, or a number of levels.
     */
    @Override
    public final long orderId()
    {
        return orderId;
    }

    /**
     * User of the command.
     *
     * @return the user's id.
     */
    @Override
    public final long uid()
    {
        return uid;
    }

    /**
     * Limit, budget (FOK_BUDGET, IOC_BUDGET), new limit (MOVE, REPLACE), or where a report begins.
     *
     * @return in price steps; of a budget, price steps times lots.
     */
    @Override
    public final long price()
    {
        return price;
    }

    /**
     * Size, new size or reduction; amount of an adjustment; depth of a report.
     *
     * @return in lots; of an adjustment in units of the currency; of a report in levels for each side.
     */
    @Override
    public final long size()
    {
        return size;
    }

    /**
     * Price for which a bid reserves funds.
     *
     * @return in price steps.
     */
    @Override
    public final long reservePrice()
    {
        return reservePrice;
    }

    /**
     * Parameter of an order type: stop price of STOP and STOP_LIMIT, display size of ICEBERG, expiry time of GTD.
     *
     * @return in price steps, lots or nanoseconds; 0 for all other types.
     */
    @Override
    public final long parameter()
    {
        return parameter;
    }

    /**
     * Time of the command.
     *
     * @return in nanoseconds; 0 for none.
     */
    public final long timestampNs()
    {
        return timestampNs;
    }

    /**
     * The client's request id.
     *
     * @return any number; 0 for none.
     */
    public final long correlation()
    {
        return correlation;
    }

    /**
     * Symbol and limits of an ADD_SYMBOL.
     * @return null for all other commands, and when a decoder got an invalid one.
     */
    public final SymbolSpec spec()
    {
        return spec;
    }

    /**
     * Currencies, fees and margins of an ADD_SYMBOL.
     * @return null for all other commands, and for an engine without users.
     */
    public final SymbolTerms terms()
    {
        return terms;
    }

    @Override
    public String toString()
    {
        return CommandType.name(commandType) + " symbol " + symbol + " order " + orderId + " uid " + uid + " " +
            OrderType.name(orderType) + " " + Side.name(side) + " " + SelfTradePolicy.name(selfTradePolicy) +
            " price " + price + " size " + size + " reserve " + reservePrice + " parameter " + parameter +
            (spec == null ? "" : " " + spec) + (terms == null ? "" : " " + terms) + " at " + timestampNs + " ns" +
            (correlation == 0 ? "" : " correlation " + correlation);
    }
}
