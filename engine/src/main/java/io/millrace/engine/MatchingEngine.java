package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.OrderSizes;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;
import io.millrace.engine.tables.Fnv;

import java.util.List;
import java.util.Objects;

/**
 * Matching engine: the order books of several symbols, with one set of commands, and optionally users, accounts and
 * positions. With users, the engine checks the funds of each order before it is placed, and settles each command before
 * the next one.
 * <p>
 * Every command returns a {@link CommandResult}. A command whose result is not SUCCESS changes nothing and reports
 * nothing, except that GTD orders due at the command's time expire. The constructor and {@link #addSymbol} allocate all
 * memory. The {@link SymbolSpec} of a symbol determines its memory, 8.6 MB by default, so a thousand symbols need
 * smaller capacities.
 * <p>
 * Not thread-safe; call from one thread. The engine reads no clock: {@link #time} sets its time.
 */
public final class MatchingEngine
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    private final ListenerGuard guard = new ListenerGuard("the engine");
    private final OrderReader orders = new OrderReader();
    private final EngineContext context;
    private final ExecutionListener listener;
    private final long configuration;
    private SymbolTable symbols;
    // Of the symbols, with its length minus one: each command waits for its symbol, and for each read on the way to it.
    private TradedSymbol[] likely;
    private int likelyMask;
    private EngineReports reports;
    /** Empty when the engine keeps no users. */
    private ExpiryQueue expiries;
    private RiskEngine risk;
    /** Whether users have a rate limit, so that their commands are counted. */
    private boolean hasRateLimit;
    private long timeNs;
    private boolean isMuted;

    /**
     * An engine without users.
     *
     * @param symbols  the symbols, each once, at least one.
     * @param listener receives the executions of all books.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
     */
    public MatchingEngine(final List<SymbolSpec> symbols, final ExecutionListener listener)
    {
        this(EngineContext.of(symbols), listener);
    }

    /**
     * An engine with the configuration of a context.
     * @param context  is copied.
     * @param listener receives the executions of all books, each after it is settled.
     * @throws IllegalArgumentException when a symbol is given twice, terms are wrong, missing or not allowed, or a
     *                                  capacity is out of range. The message names the problem.
     */
    public MatchingEngine(final EngineContext context, final ExecutionListener listener)
    {
        this.context = Objects.requireNonNull(context, "context").conclude();
        this.listener = guard.wrap(Objects.requireNonNull(listener, "listener"));
        configuration = this.context.hash();
        begin();
    }

    private void begin()
    {
        timeNs = 0;
        final RiskEngine users = context.createRisk();
        use(users, new SymbolTable(context, users, guard, listener), context.createExpiries());
    }

    private void use(final RiskEngine users, final SymbolTable table, final ExpiryQueue queue)
    {
        reports = new EngineReports(guard, table, users);
        table.muteMarketData(isMuted);
        risk = users;
        hasRateLimit = users != null && users.hasRateLimit();
        expiries = queue;
        symbols = table;
        likely = table.likely();
        likelyMask = likely.length - 1;
    }

    /**
     * Executes a command about an order. For PLACE the checks run in this order: user, symbol, halted, rate, open
     * orders, the book's checks, expiry, the amount to reserve.
     *
     * @param symbol  the symbol.
     * @param command any command; unchanged, and free for reuse after the return. The reserve price of a spot bid is
     *                the amount reserved for each lot, in price steps, or its budget. Without users the uid is any
     *                number.
     * @return of PLACE: SUCCESS; UNKNOWN_USER, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT, TOO_MANY_ORDERS; results of
     *         {@link OrderBook#check}; WRONG_EXPIRY; results of {@link io.millrace.engine.risk.SymbolRisk#reserve}. Of
     *         other commands the results of {@link #cancel}, {@link #reduce}, {@link #move} and {@link #replace};
     *         UNKNOWN_COMMAND for another number.
     */
    public CommandResult execute(final int symbol, final CommandFields command)
    {
        return execute(find(symbol), symbol, command);
    }

    /**
     * As {@link #execute(int, CommandFields)}, and reads the sizes of the command's order: faster than {@link
     * OrderBook#readSizes} after it.
     *
     * @param symbol  the symbol.
     * @param command any command; unchanged, and free for reuse after the return.
     * @param sizes   called once if the command succeeded and its order may be open; otherwise not called.
     * @return as execute.
     */
    public CommandResult execute(final int symbol, final CommandFields command, final OrderSizes sizes)
    {
        final TradedSymbol found = find(symbol);
        final CommandResult result = execute(found, symbol, command);
        return result == SUCCESS ? found.readSizes(command, sizes) : result;
    }

    private CommandResult execute(final TradedSymbol found, final int symbol, final CommandFields command)
    {
        // The book alone can check the rest. The other commands have their own checks in a fixed order. Without users,
        // only a GTD order branches on PLACE before the book does: it is unpredictable. The book gets numbers, read
        // here, where the compiler knows the class of the command: the book would test it for each field.
        if (found == null || found.needsChecks || command.commandType() >= BookCommand.REPLACE ||
            (risk != null || command.orderType() == OrderType.GTD) && command.commandType() == BookCommand.PLACE)
        {
            return executeChecked(found, symbol, command);
        }
        return risk == null ? found.book.execute(command.commandType(), command.orderType(), command.side(),
            command.selfTradePolicy(), command.orderId(), command.uid(), command.price(), command.size(),
            command.reservePrice(), command.parameter()) : found.book.change(command.commandType(), command.orderId(),
            command.uid(), command.price(), command.size());
    }

    private CommandResult executeChecked(final TradedSymbol found, final int symbol, final CommandFields command)
    {
        return switch (command.commandType())
        {
            case BookCommand.PLACE -> place(found, command);
            case BookCommand.CANCEL -> cancel(symbol, command.orderId(), command.uid());
            case BookCommand.REDUCE -> reduce(symbol, command.orderId(), command.uid(), command.size());
            case BookCommand.MOVE -> move(symbol, command.orderId(), command.uid(), command.price());
            case BookCommand.REPLACE ->
                replace(symbol, command.orderId(), command.uid(), command.price(), command.size());
            case BookCommand.REPLACE_OPEN ->
                replaceOpen(symbol, command.orderId(), command.uid(), command.price(), command.size());
            default -> CommandResult.UNKNOWN_COMMAND;
        };
    }

    private CommandResult place(final TradedSymbol found, final CommandFields command)
    {
        final boolean expires = command.orderType() == OrderType.GTD;
        if (risk == null && !expires)
        {
            final CommandResult checked = TradedSymbol.check(found);
            return checked != SUCCESS ? checked : found.settled(found.book.execute(command));
        }
        final int user = user(command.uid());
        final CommandResult checked = checkPlace(found, user, command);
        if (checked != SUCCESS)
        {
            return checked;
        }
        found.book.accept(command);
        if (risk != null)
        {
            if (expires)
            {
                expiries.add(found, command.parameter());
            }
            found.risk.endOfCommand();
            risk.countCommand(user, timeNs);
        }
        return found.settled(SUCCESS);
    }

    /** Handle of a user; NONE if unknown or if the engine keeps no users. */
    private int user(final long uid)
    {
        return risk == null ? RiskEngine.NONE : risk.user(uid);
    }

    /** Does all checks of a placement and reserves the funds for the order. */
    private CommandResult checkPlace(final TradedSymbol found, final int user, final CommandFields command)
    {
        if (risk != null && user == RiskEngine.NONE)
        {
            return CommandResult.UNKNOWN_USER;
        }
        final CommandResult trading = checkTrading(found, user, OrderType.rests(command.orderType()));
        if (trading != SUCCESS)
        {
            return trading;
        }
        final CommandResult checked = found.book.check(command);
        if (checked != SUCCESS)
        {
            return checked;
        }
        if (command.orderType() == OrderType.GTD && command.parameter() <= timeNs)
        {
            return CommandResult.WRONG_EXPIRY;
        }
        return risk == null ? SUCCESS : found.risk.reserve(user, command);
    }

    /** Whether a symbol exists and is not halted, and a known user's limits allow the command. */
    private CommandResult checkTrading(final TradedSymbol symbol, final int user, final boolean opensOrder)
    {
        final CommandResult checked = TradedSymbol.check(symbol);
        return checked != SUCCESS || user == RiskEngine.NONE ? checked : risk.check(user, timeNs, opensOrder);
    }

    /**
     * Cancels an order: see {@link OrderBook#cancel}. Works on a halted symbol, and is not subject to the rate limit.
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS, UNKNOWN_SYMBOL or a result of the book.
     */
    public CommandResult cancel(final int symbol, final long orderId, final long uid)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.cancel(orderId, uid);
    }

    /**
     * Reduces the size of an order: see {@link OrderBook#reduce}. Works on a halted symbol, and is not subject to the
     * rate limit.
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, at least 1.
     * @return SUCCESS, UNKNOWN_SYMBOL or a result of the book.
     */
    public CommandResult reduce(final int symbol, final long orderId, final long uid, final long reduceBy)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.reduce(orderId, uid, reduceBy);
    }

    /**
     * Moves an order to another price, see {@link OrderBook#move}.
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @return SUCCESS, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT or a result of the book.
     */
    public CommandResult move(final int symbol, final long orderId, final long uid, final long newPrice)
    {
        final TradedSymbol found = find(symbol);
        // The user matters only with a rate limit.
        final CommandResult checked = hasRateLimit ? checkTrading(found, user(uid), false) : TradedSymbol.check(found);
        return checked != SUCCESS ? checked : count(uid, found.settled(found.book.move(orderId, uid, newPrice)));
    }

    /** Counts a command against its user's rate limit, if it succeeded. */
    private CommandResult count(final long uid, final CommandResult result)
    {
        final int user = hasRateLimit && result == SUCCESS ? user(uid) : RiskEngine.NONE;
        if (user != RiskEngine.NONE)
        {
            risk.countCommand(user, timeNs);
        }
        return result;
    }

    /**
     * Changes the price of an order, its size, or both, see {@link OrderBook#replace}. The funds for an increase are
     * checked as for a new order.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @param newSize  its new size, including the filled part, in lots.
     * @return SUCCESS, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT; results of {@link
     *     OrderBook#replace}; results of {@link io.millrace.engine.risk.SymbolRisk#reserveMore}.
     */
    public CommandResult replace(
        final int symbol, final long orderId, final long uid, final long newPrice, final long newSize)
    {
        final TradedSymbol found = find(symbol);
        final int user = user(uid);
        final CommandResult checked = checkReplace(found, user, orderId, uid, newPrice, newSize);
        return checked != SUCCESS ? checked :
            count(uid, found.settled(found.book.replace(orderId, uid, newPrice, newSize)));
    }

    /**
     * Changes the price of an order, its open size, or both, see {@link OrderBook#replaceOpen}: otherwise as {@link
     * #replace}.
     *
     * @param symbol      the symbol.
     * @param orderId     the order.
     * @param uid         its user.
     * @param newPrice    its new limit, in price steps.
     * @param newOpenSize its new size without the filled part, in lots.
     * @return as replace.
     */
    public CommandResult replaceOpen(
        final int symbol, final long orderId, final long uid, final long newPrice, final long newOpenSize)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL :
            replace(symbol, orderId, uid, newPrice, found.book.totalSize(orderId, uid, newOpenSize));
    }

    /** Does all checks of a REPLACE and reserves the funds for the growth. */
    private CommandResult checkReplace(
        final TradedSymbol found, final int user, final long orderId, final long uid, final long newPrice,
        final long newSize)
    {
        final CommandResult trading = checkTrading(found, user, false);
        if (trading != SUCCESS || user == RiskEngine.NONE)
        {
            return trading;
        }
        final CommandResult checked = found.book.checkReplace(orderId, uid, newPrice, newSize);
        return checked == SUCCESS ? orders.reserveGrowth(found, user, orderId, newSize) : checked;
    }

    /**
     * Cancels the orders of a user in a symbol: see {@link OrderBook#massCancel}. Works on a halted symbol, and is not
     * subject to the rate limit.
     *
     * @param symbol the symbol.
     * @param uid    the user, known or not.
     * @param side   see {@link Side}; {@link Side#BOTH} for all.
     * @return SUCCESS, also when there are no orders; UNKNOWN_SYMBOL or WRONG_SIDE.
     */
    public CommandResult massCancel(final int symbol, final long uid, final byte side)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.massCancel(uid, side);
    }

    /**
     * Cancels the orders of a user in all symbols, as when its client has disconnected: symbol by symbol, in ascending
     * order. Takes time in proportion to the symbols and the user's orders. Works on halted symbols, and is not subject
     * to the rate limit.
     *
     * @param uid  the user, known or not.
     * @param side see {@link Side}; {@link Side#BOTH} for all.
     * @return SUCCESS, also when there are no orders; or WRONG_SIDE.
     */
    public CommandResult massCancelUser(final long uid, final byte side)
    {
        ListenerGuard.command(guard);
        return symbols.massCancel(uid, side, risk == null ? timeNs : 0);
    }

    /**
     * Cancels the orders of all users in a symbol: see {@link OrderBook#massCancelAll}. Works on a halted symbol.
     *
     * @param symbol the symbol.
     * @param side   see {@link Side}; {@link Side#BOTH} for all.
     * @return SUCCESS, also when there are no orders; UNKNOWN_SYMBOL or WRONG_SIDE.
     */
    public CommandResult massCancelSymbol(final int symbol, final byte side)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.massCancelAll(side);
    }

    /**
     * Reports an order of a user, resting or untriggered. Allocates nothing.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param consumer receives it; it must not give a command.
     * @return SUCCESS, UNKNOWN_SYMBOL or UNKNOWN_ORDER.
     */
    public CommandResult orderStatus(
        final int symbol, final long orderId, final long uid, final OrderConsumer consumer)
    {
        return reports.order(find(symbol), orderId, uid, consumer);
    }

    /**
     * Reports the open orders of a user in a symbol: see {@link OrderBook#forEachOpenOrder}. Allocates nothing.
     *
     * @param symbol    the symbol.
     * @param uid       the user, known or not.
     * @param fromId    least order id.
     * @param maxOrders greatest number of orders to report.
     * @param consumer  receives them; it must not give a command.
     * @return SUCCESS or UNKNOWN_SYMBOL.
     */
    public CommandResult openOrders(
        final int symbol, final long uid, final long fromId, final int maxOrders, final OrderConsumer consumer)
    {
        return reports.orders(find(symbol), uid, fromId, maxOrders, consumer);
    }

    /**
     * Restores the state after the constructor. For tests: allocates everything again, and references to old books
     * become stale.
     *
     * @return SUCCESS.
     */
    public CommandResult reset()
    {
        ListenerGuard.command(guard);
        begin();
        return CommandResult.SUCCESS;
    }

    /**
     * Sets the time of the next commands. A new GTD order must expire after it. With users, the due orders of all books
     * expire now, ordered by expiry, then symbol, then acceptance. Call it before each command, so that no due order
     * reserves funds or sets a price. Without users, each command of a symbol first expires the due orders of that
     * symbol. The call costs one comparison if no order is due. Otherwise it costs a few heap operations for each order
     * that expires or has left its book before.
     * <p>
     * 0 means that the next commands have no time, even after commands with a time. Then no order expires, and a new
     * GTD order needs an expiry of at least 1. The rate limit counts such a command in the user's latest interval. The
     * last time is not kept, because shards would keep different times and give different results.
     *
     * @param timeNs in nanoseconds of any clock; 0 or less for none.
     */
    public void time(final long timeNs)
    {
        ListenerGuard.command(guard);
        this.timeNs = timeNs;
        if (expiries.isDue(timeNs))
        {
            expiries.expire(timeNs);
        }
    }

    /** The symbol, after its due orders have expired; or null. */
    private TradedSymbol find(final int symbol)
    {
        ListenerGuard.command(guard);
        final TradedSymbol entry = likely[symbol & likelyMask];
        final TradedSymbol found = entry != null && entry.number == symbol ? entry : symbols.findByHash(symbol);
        if (risk == null && timeNs > 0 && found != null)
        {
            found.book.expire(timeNs);
        }
        return found;
    }

    /**
     * Expires the due GTD orders of all books. Order with users: see {@link #time}; without users,
     * by symbol.
     *
     * @param timeNs the time now, 1 or more; as with {@link #time}, also the time of the next commands.
     * @return SUCCESS or WRONG_TIME.
     */
    public CommandResult tick(final long timeNs)
    {
        ListenerGuard.command(guard);
        if (timeNs < 1)
        {
            return CommandResult.WRONG_TIME;
        }
        time(timeNs);
        for (int i = 0; risk == null && i < symbols.count(); i++)
        {
            symbols.at(i).book.expire(timeNs);
        }
        return CommandResult.SUCCESS;
    }

    /**
     * Adds a symbol. Allocates its book.
     *
     * @param spec  the symbol; WRONG_TERMS when it is null or its capacity is above {@link
     *              EngineContext#maxOrderCapacity}.
     * @param terms its terms; null if and only if the engine keeps no users.
     * @return SUCCESS, WRONG_TERMS, SYMBOL_EXISTS, SYMBOLS_FULL or CURRENCIES_FULL.
     * @throws OutOfMemoryError when there is no memory for its book; the symbol is not added then.
     */
    public CommandResult addSymbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        ListenerGuard.command(guard);
        return spec != null && spec.orderCapacity() > context.maxOrderCapacity ? CommandResult.WRONG_TERMS :
            symbols.add(spec, terms);
    }

    /**
     * Halts a symbol: it refuses PLACE, MOVE and REPLACE. GTD orders still expire.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_HALTED.
     */
    public CommandResult haltSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.halt();
    }

    /**
     * Resumes trading of a halted symbol.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_HALTED.
     */
    public CommandResult resumeSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.resume();
    }

    /**
     * Removes a symbol without orders and positions. Its number can be used again.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_EMPTY.
     */
    public CommandResult removeSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : symbols.remove(found, expiries);
    }

    /**
     * Adds a user, see {@link RiskEngine#addUser}.
     *
     * @param uid its number, any.
     * @return SUCCESS, NO_RISK, USER_EXISTS or USERS_FULL.
     */
    public CommandResult addUser(final long uid)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.addUser(uid);
    }

    /**
     * Adds an amount to a user's balance, or subtracts it, see {@link RiskEngine#adjustBalance}.
     *
     * @param uid          the user.
     * @param currency     the currency.
     * @param amount       in currency units; negative to subtract.
     * @param adjustmentId 1 or more, greater than the user's last adjustment id.
     * @return SUCCESS, NO_RISK, UNKNOWN_USER, ALREADY_APPLIED_SAME, ALREADY_APPLIED_MANY, BALANCE_OVERFLOW,
     *     BALANCE_NSF, RISK_MARGIN, RISK_DEBT, CURRENCIES_FULL or ACCOUNTS_FULL.
     */
    public CommandResult adjustBalance(final long uid, final int currency, final long amount, final long adjustmentId)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.adjustBalance(uid, currency, amount, adjustmentId);
    }

    /**
     * Suspends a user without funds, orders and positions, see {@link RiskEngine#suspendUser}.
     *
     * @param uid the user.
     * @return SUCCESS, NO_RISK, UNKNOWN_USER, USER_HAS_POSITIONS, USER_HAS_ORDERS or USER_HAS_BALANCE.
     */
    public CommandResult suspendUser(final long uid)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.suspendUser(uid);
    }

    /**
     * Resumes a suspended user, see {@link RiskEngine#resumeUser}.
     *
     * @param uid the user.
     * @return SUCCESS, NO_RISK, USER_NOT_SUSPENDED or USERS_FULL.
     */
    public CommandResult resumeUser(final long uid)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.resumeUser(uid);
    }

    /**
     * Reports the best levels of a book: bids, best first, then asks. Allocates nothing.
     * @param symbol   the symbol.
     * @param depth    greatest number of levels of each side; negative for all.
     * @param consumer receives the levels; it must not give a command.
     * @return SUCCESS or UNKNOWN_SYMBOL.
     */
    public CommandResult bookReport(final int symbol, final int depth, final PriceLevelConsumer consumer)
    {
        return reports.book(find(symbol), depth, consumer);
    }

    /**
     * Reports a user's accounts, positions and the open orders of each symbol. Takes time in proportion to all orders
     * of all books; allocates nothing.
     *
     * @param uid      the user.
     * @param consumer receives the rows; it must not give a command.
     * @return SUCCESS, NO_RISK or UNKNOWN_USER.
     */
    public CommandResult userReport(final long uid, final UserReportConsumer consumer)
    {
        return reports.user(uid, consumer);
    }

    /**
     * Reports a user's accounts and positions, without the orders. Allocates nothing.
     *
     * @param uid      the user.
     * @param consumer receives the rows; it must not give a command.
     * @return SUCCESS, NO_RISK or UNKNOWN_USER.
     */
    public CommandResult accountReport(final long uid, final UserReportConsumer consumer)
    {
        return reports.accounts(uid, consumer);
    }

    /**
     * Reports the totals of all currencies and futures, see {@link RiskEngine#totals}. Allocates nothing.
     *
     * @param consumer receives the rows; it must not give a command.
     * @return SUCCESS or NO_RISK.
     */
    public CommandResult totalsReport(final TotalsConsumer consumer)
    {
        return reports.totals(consumer);
    }

    /**
     * The book of a symbol.
     *
     * @param symbol the symbol.
     * @return the book; null for an unknown symbol. With users, do not call its commands directly, because the funds of
     *         the orders would not be reserved.
     */
    public OrderBook book(final int symbol)
    {
        return symbols.book(symbol);
    }

    /**
     * The book of a symbol or of the next greater one, to iterate over all books in ascending order.
     *
     * @param symbol any number.
     * @return the book, null when no symbol has this number or a greater one.
     */
    public OrderBook bookFrom(final int symbol)
    {
        return symbols.bookFrom(symbol);
    }

    /**
     * Whether a symbol is halted.
     *
     * @param symbol the symbol.
     * @return true when it exists and is halted.
     */
    public boolean isHalted(final int symbol)
    {
        return symbols.isHalted(symbol);
    }

    /**
     * Hash of the state, equal for equal engines on every JVM. It is the sum, which may wrap, of a hash for each symbol
     * and of the {@linkplain RiskEngine#stateHash() hash of users, accounts and positions}. So the hashes of engines
     * that share no symbols, users and currencies add up to the hash of one engine with all of them.
     * <p>
     * The hash of a symbol is FNV-1a of 64 bits, {@linkplain Fnv#mix mixed}, over these little-endian longs: 6; symbol,
     * type (SPOT 0, FUTURE 1), order capacity, least, greatest and least ask price of its {@link SymbolSpec};
     * if the spec {@linkplain SymbolSpec#hasTradingLimits() has trading limits}, greatest order size, and policy, ticks
     * and reference price of its price band;
     * {@linkplain OrderBook#stateHash() hash of its book}; 1 if it is halted, otherwise 0. Not included: the engine's
     * time, see {@link #timedHash}, and capacities and user limits of the context. Takes time in proportion to the
     * state; allocates nothing.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return symbols.hash() + (risk == null ? 0 : risk.stateHash());
    }

    /**
     * Hash of {@link #stateHash} and the engine's time. Engines with equal hashes also give the same results to later
     * commands without a new {@link #time}. The time is not part of {@link #stateHash}, because each shard has the time
     * of its last command and a refused command also changes the time. With {@link
     * io.millrace.engine.service.MatchingService} it makes no difference, because the service sets the time before each
     * command.
     *
     * @return 64 bits; 0 and all negative times mean no time and give the same hash.
     */
    public long timedHash()
    {
        return Fnv.mix(Fnv.add(Fnv.add(Fnv.OFFSET, stateHash()), Math.max(0, timeNs)));
    }

    /**
     * Number of the configuration: of all symbols, limits and capacities of the {@link EngineContext}, without the
     * market data. Engines of the same number and the same build give the same results to the same commands, so a
     * snapshot or a journal of one fits the other.
     *
     * @return 64 bits.
     */
    public long configuration()
    {
        return configuration;
    }

    /**
     * Stops or resumes the messages of the market data, for a replay. Their sequences continue to count.
     *
     * @param muted true to stop the calls of the listeners.
     */
    public void muteMarketData(final boolean muted)
    {
        ListenerGuard.command(guard);
        isMuted = muted;
        symbols.muteMarketData(muted);
    }

    /**
     * Whether changes of the books are reported to a listener.
     *
     * @return as configured.
     */
    public boolean hasMarketData()
    {
        return context.hasMarketData();
    }

    /** Copies the state. */
    void save(final EngineSnapshot into)
    {
        ListenerGuard.command(guard);
        into.begin(risk != null, configuration, timeNs);
        symbols.save(into);
        if (risk != null)
        {
            risk.take(into.users());
        }
    }

    /** Replaces the state. The new one is complete and checked before the old one goes. */
    void restore(final EngineSnapshot from)
    {
        ListenerGuard.command(guard);
        from.check(configuration, risk != null, context.greatestOrderCapacity());
        final RiskEngine restoredRisk = context.createRisk();
        final SymbolTable restored = new SymbolTable(
            context.symbols(), context.totalCapacity(), restoredRisk, context.feeds(guard), listener);
        final ExpiryQueue queue = context.createExpiries();
        restored.restore(from, queue, symbols);
        use(restoredRisk, restored, queue);
        timeNs = from.timeNs();
    }

    /**
     * Checks the books by {@link OrderBook#verify}, and the sums of the money by {@link RiskEngine#verify}. For tests;
     * takes time in proportion to the state.
     *
     * @throws IllegalStateException when a check fails; the message names the check and the place.
     */
    public void verify()
    {
        symbols.verify();
        if (risk != null)
        {
            expiries.verify(symbols);
            risk.verify();
        }
    }
}
