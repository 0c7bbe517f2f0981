package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.tables.Fnv;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;

import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * The order books of several symbols behind one set of commands and, if wanted, users with accounts and positions: then
 * an order is covered before it is placed, and each command is settled before the next one.
 * <p>
 * All results are a {@link CommandResult}; whatever is not SUCCESS has changed nothing and told nothing, but for GTD
 * orders whose time the command brought. All memory is allocated by the constructor and by {@link #addSymbol}: for each
 * symbol what its {@link SymbolSpec} says, by default about 6 MB, so a thousand symbols want smaller capacities.
 * <p>
 * One thread. Knows no clock: time comes with {@link #time}.
 */
public final class MatchingEngine
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;
    private static final IntConsumer NOBODY = symbol ->
    {
    };

    private final ListenerGuard guard = new ListenerGuard("the engine");
    private final OrderReader orders = new OrderReader();
    private final EngineContext context;
    private final ExecutionListener listener;
    private SymbolTable symbols;
    private EngineReports reports;
    /** Empty where no users are kept. */
    private ExpiryQueue expiries;
    private RiskEngine risk;
    /** Whether users have a rate limit, so that their commands are counted. */
    private boolean limitsRate;
    private long timeNs;

    /**
     * An engine without users whose books all tell one listener.
     *
     * @param symbols  the symbols, each once, at least one.
     * @param listener hears the executions of all books.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
     */
    public MatchingEngine(final List<SymbolSpec> symbols, final ExecutionListener listener)
    {
        this(EngineContext.of(symbols), listener);
    }

    /**
     * An engine of which the context says everything.
     *
     * @param context  is copied.
     * @param listener hears the executions of all books, each when it is settled.
     * @throws IllegalArgumentException when a symbol is given twice, terms do not suit a symbol or are missing or not
     *                                  wanted, or a capacity is out of range; the message says what.
     */
    public MatchingEngine(final EngineContext context, final ExecutionListener listener)
    {
        this.context = Objects.requireNonNull(context, "context").conclude();
        this.listener = guard.around(Objects.requireNonNull(listener, "listener"));
        begin();
    }

    private void begin()
    {
        timeNs = 0;
        risk = context.createRisk();
        limitsRate = risk != null && risk.limitsRate();
        expiries = new ExpiryQueue(guard, risk == null ? 0 : context.symbols());
        symbols = new SymbolTable(context, risk, guard, listener);
        reports = new EngineReports(guard, symbols, risk);
    }

    /**
     * Carry out one of the commands about orders, as its own method does. Faster than these where kinds of commands
     * come mixed, see {@link OrderBook#execute}.
     *
     * @param command      see {@link BookCommand}.
     * @param symbol       the symbol.
     * @param type         of PLACE, as all that {@link #place(int, byte, byte, byte, long, long, long, long, long,
     *                     long)} takes; other commands do not look at what their own methods do not take.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit, budget or new limit.
     * @param size         size, new size or reduction.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time.
     * @return what the command's own method answers; UNKNOWN_COMMAND for another number.
     */
    public CommandResult execute(
        final byte command,
        final int symbol,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        final TradedSymbol found = risk == null || command != BookCommand.PLACE ? find(symbol) : null;
        // What the book can be asked for at once; all others say what is wrong in the order of their own checks.
        return found == null || found.isHalted || limitsRate || command == BookCommand.REPLACE ||
            command == BookCommand.PLACE && type == OrderType.GTD ?
            executeSingly(command, symbol, type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter) :
            found.book.execute(command, type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
    }

    private CommandResult executeSingly(
        final byte command,
        final int symbol,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        switch (command)
        {
            case BookCommand.PLACE:
                return place(symbol, type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
            case BookCommand.CANCEL:
                return cancel(symbol, orderId, uid);
            case BookCommand.REDUCE:
                return reduce(symbol, orderId, uid, size);
            case BookCommand.MOVE:
                return move(symbol, orderId, uid, price);
            case BookCommand.REPLACE:
                return replace(symbol, orderId, uid, price, size);
            default:
                return CommandResult.UNKNOWN_COMMAND;
        }
    }

    /**
     * Place an order that trades with orders of its own user and needs no parameter.
     *
     * @param symbol       the symbol.
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit or budget.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @return SUCCESS or why not.
     */
    public CommandResult place(
        final int symbol,
        final byte type,
        final byte side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        return place(symbol, type, side, SelfTradePolicy.ALLOW, orderId, uid, price, size, reservePrice, 0);
    }

    /**
     * Place a new order, see {@link OrderBook#place(byte, byte, byte, long, long, long, long, long, long)}. The checks
     * are, in this order: user, symbol, halted, rate, open orders, those of the book, expiry, what it has to hold.
     *
     * @param symbol       the symbol.
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      any number that no order of the symbol has, resting or untriggered.
     * @param uid          its user; any number where no users are kept.
     * @param price        limit in price steps, or budget in price steps times lots.
     * @param size         lots.
     * @param reservePrice of a spot bid: what is held for each lot, in price steps, or its budget; of others carried
     *                     along.
     * @param parameter    stop price, display size or expiry time, 0 for types without.
     * @return SUCCESS; UNKNOWN_USER, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT, TOO_MANY_ORDERS; what the book answers;
     *     WRONG_EXPIRY; what {@link io.millrace.engine.risk.SymbolRisk#hold} answers.
     */
    public CommandResult place(
        final int symbol,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        final TradedSymbol found = find(symbol);
        if (risk == null && type != OrderType.GTD)
        {
            final CommandResult checked = checkTrading(found);
            return checked != SUCCESS ? checked :
                found.book.place(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        }
        final int user = user(uid);
        final CommandResult checked = checkPlace(
            found, user, type, side, selfTrade, orderId, price, size, reservePrice, parameter);
        if (checked != SUCCESS)
        {
            return checked;
        }
        found.book.accept(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        if (risk != null)
        {
            if (type == OrderType.GTD)
            {
                expiries.add(found, parameter);
            }
            found.risk.end();
            risk.count(user, timeNs);
        }
        return SUCCESS;
    }

    /** Handle of a user; NONE also where no users are kept. */
    private int user(final long uid)
    {
        return risk == null ? RiskEngine.NONE : risk.user(uid);
    }

    /** All checks of a placement. Reserves what the order may cost. */
    private CommandResult checkPlace(
        final TradedSymbol found,
        final int user,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        if (risk != null && user == RiskEngine.NONE)
        {
            return CommandResult.UNKNOWN_USER;
        }
        final CommandResult trading = checkTrading(found, user, OrderType.rests(type));
        if (trading != SUCCESS)
        {
            return trading;
        }
        final CommandResult checked = found.book.check(type, side, selfTrade, orderId, price, size, parameter);
        if (checked != SUCCESS)
        {
            return checked;
        }
        if (type == OrderType.GTD && parameter <= timeNs)
        {
            return CommandResult.WRONG_EXPIRY;
        }
        return risk == null ? SUCCESS : found.risk.hold(user, type, side, orderId, price, size, reservePrice);
    }

    /** Whether a symbol trades: only then a command may do more than make an order smaller. */
    private static CommandResult checkTrading(final TradedSymbol symbol)
    {
        return symbol == null ? CommandResult.UNKNOWN_SYMBOL :
            symbol.isHalted ? CommandResult.SYMBOL_HALTED : SUCCESS;
    }

    /** Also checks the limits of the user, where users are kept and this one is known. */
    private CommandResult checkTrading(final TradedSymbol symbol, final int user, final boolean opensOrder)
    {
        final CommandResult checked = checkTrading(symbol);
        return checked != SUCCESS || user == RiskEngine.NONE ? checked : risk.admit(user, timeNs, opensOrder);
    }

    /**
     * Take an order out, see {@link OrderBook#cancel}. Also when the symbol is halted, and at any rate.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS, UNKNOWN_SYMBOL or what the book answers.
     */
    public CommandResult cancel(final int symbol, final long orderId, final long uid)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.cancel(orderId, uid);
    }

    /**
     * Make an order smaller, see {@link OrderBook#reduce}. Also when the symbol is halted, and at any rate.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, at least 1.
     * @return SUCCESS, UNKNOWN_SYMBOL or what the book answers.
     */
    public CommandResult reduce(final int symbol, final long orderId, final long uid, final long reduceBy)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? CommandResult.UNKNOWN_SYMBOL : found.book.reduce(orderId, uid, reduceBy);
    }

    /**
     * Give an order another price, see {@link OrderBook#move}.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @return SUCCESS, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT or what the book answers.
     */
    public CommandResult move(final int symbol, final long orderId, final long uid, final long newPrice)
    {
        final TradedSymbol found = find(symbol);
        // The user matters only where the rate is limited.
        final CommandResult checked = limitsRate ? checkTrading(found, user(uid), false) : checkTrading(found);
        return checked != SUCCESS ? checked : count(uid, found.book.move(orderId, uid, newPrice));
    }

    /** Counts a command against its user's rate limit, if it succeeded. */
    private CommandResult count(final long uid, final CommandResult result)
    {
        final int user = limitsRate && result == SUCCESS ? user(uid) : RiskEngine.NONE;
        if (user != RiskEngine.NONE)
        {
            risk.count(user, timeNs);
        }
        return result;
    }

    /**
     * Give an order another price, another size, or both, see {@link OrderBook#replace}. What it grows by must be
     * covered as a new order.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @param newSize  its new size with what is filled, in lots.
     * @return SUCCESS, UNKNOWN_SYMBOL, SYMBOL_HALTED, RATE_LIMIT; what the book answers; what {@link
     *     io.millrace.engine.risk.SymbolRisk#holdMore} answers.
     */
    public CommandResult replace(
        final int symbol, final long orderId, final long uid, final long newPrice, final long newSize)
    {
        final TradedSymbol found = find(symbol);
        final int user = user(uid);
        final CommandResult checked = checkReplace(found, user, orderId, uid, newPrice, newSize);
        return checked != SUCCESS ? checked : count(uid, found.book.replace(orderId, uid, newPrice, newSize));
    }

    /** All checks of a REPLACE. Reserves what the order may grow by. */
    private CommandResult checkReplace(
        final TradedSymbol found,
        final int user,
        final long orderId,
        final long uid,
        final long newPrice,
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
     * Make everything as it was at the start. For tests: it allocates all anew, and a book that somebody has kept is
     * not this engine's any more.
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
     * Set the time of the next commands. A new GTD order must expire after it. With users, all due GTD orders expire
     * now, see {@link #time(long, IntConsumer)}; without, each command of a symbol first expires those of its own book.
     *
     * @param timeOfCommandNs in nanoseconds of any clock; 0 or less for none.
     */
    public void time(final long timeOfCommandNs)
    {
        time(timeOfCommandNs, NOBODY);
    }

    /**
     * As {@link #time(long)}, and reports which book is next. With users, the due orders of all books expire, ordered
     * by expiry, then symbol, then acceptance. Call it before each command: then no due order holds money or sets a
     * price. Costs one comparison when none is due, else a few steps for each order that expires or has gone before.
     *
     * @param timeOfCommandNs in nanoseconds of any clock; 0 or less for none.
     * @param nextSymbol      is told a symbol before its orders expire; it must not give a command.
     * @return false when no order can have been due.
     */
    public boolean time(final long timeOfCommandNs, final IntConsumer nextSymbol)
    {
        ListenerGuard.command(guard);
        timeNs = timeOfCommandNs;
        final boolean isDue = expiries.isDue(timeOfCommandNs);
        if (isDue)
        {
            expiries.expire(timeOfCommandNs, nextSymbol);
        }
        return isDue;
    }

    /** The symbol, after what its time has done to it; or null. */
    private TradedSymbol find(final int symbol)
    {
        ListenerGuard.command(guard);
        final TradedSymbol found = symbols.find(symbol);
        if (timeNs > 0 && found != null && risk == null)
        {
            found.book.expire(timeNs);
        }
        return found;
    }

    /**
     * Take the GTD orders out of all books whose time has come: with users in the order of {@link #time(long,
     * IntConsumer)}, without symbol by symbol in the order of their numbers.
     *
     * @param timeOfCommandNs the time now, 1 or more; as {@link #time}, also of the commands that follow.
     * @return SUCCESS or WRONG_TIME.
     */
    public CommandResult tick(final long timeOfCommandNs)
    {
        return tick(timeOfCommandNs, NOBODY);
    }

    /**
     * As {@link #tick(long)}, for a listener that wants to know which book tells it: a book itself does not say.
     *
     * @param timeOfCommandNs the time now, 1 or more.
     * @param nextSymbol      is told each symbol before its orders expire; it must not give a command.
     * @return SUCCESS or WRONG_TIME.
     */
    public CommandResult tick(final long timeOfCommandNs, final IntConsumer nextSymbol)
    {
        ListenerGuard.command(guard);
        if (timeOfCommandNs < 1)
        {
            return CommandResult.WRONG_TIME;
        }
        time(timeOfCommandNs, nextSymbol);
        for (int i = 0; risk == null && i < symbols.count(); i++)
        {
            final TradedSymbol symbol = symbols.at(i);
            ExpiryQueue.announce(guard, nextSymbol, symbol.symbol());
            symbol.book.expire(timeNs);
        }
        return CommandResult.SUCCESS;
    }

    /**
     * Add a symbol. Allocates its book.
     *
     * @param spec  the symbol; null is refused, and a capacity above {@link EngineContext#maxOrderCapacity}.
     * @param terms its terms; null if and only if the engine keeps no users.
     * @return SUCCESS, WRONG_TERMS, SYMBOL_EXISTS, SYMBOLS_FULL or CURRENCIES_FULL.
     * @throws OutOfMemoryError when there is no memory for its book; then there is no such symbol.
     */
    public CommandResult addSymbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        ListenerGuard.command(guard);
        return spec != null && spec.orderCapacity() > context.maxOrderCapacity ? CommandResult.WRONG_TERMS :
            symbols.add(spec, terms);
    }

    /**
     * Halt a symbol: only CANCEL and REDUCE are carried out, and orders expire.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_HALTED.
     */
    public CommandResult haltSymbol(final int symbol)
    {
        return halt(symbol, true);
    }

    private CommandResult halt(final int symbol, final boolean isHalted)
    {
        final TradedSymbol found = find(symbol);
        if (found == null || found.isHalted == isHalted)
        {
            return found == null ? CommandResult.UNKNOWN_SYMBOL :
                isHalted ? CommandResult.SYMBOL_HALTED : CommandResult.SYMBOL_NOT_HALTED;
        }
        found.isHalted = isHalted;
        return SUCCESS;
    }

    /**
     * Trade a halted symbol again.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_HALTED.
     */
    public CommandResult resumeSymbol(final int symbol)
    {
        return halt(symbol, false);
    }

    /**
     * Forget a symbol that has no orders and in which nobody has a position. Its number is free for another one.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_EMPTY.
     */
    public CommandResult removeSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        final CommandResult result = found == null ? CommandResult.UNKNOWN_SYMBOL : symbols.remove(found);
        if (result == CommandResult.SUCCESS)
        {
            expiries.remove(found);
        }
        return result;
    }

    /**
     * Make a user known, see {@link RiskEngine#addUser}.
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
     * Add to a user's balance, or take from it, see {@link RiskEngine#adjustBalance}.
     *
     * @param uid          the user.
     * @param currency     the currency.
     * @param amount       in currency units, negative to take.
     * @param adjustmentId above that of the user's last adjustment, 1 or more.
     * @return SUCCESS, NO_RISK, UNKNOWN_USER, ALREADY_APPLIED_SAME, ALREADY_APPLIED_MANY, BALANCE_OVERFLOW,
     *     BALANCE_NSF, RISK_MARGIN, RISK_DEBT, CURRENCIES_FULL or ACCOUNTS_FULL.
     */
    public CommandResult adjustBalance(final long uid, final int currency, final long amount, final long adjustmentId)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.adjustBalance(uid, currency, amount, adjustmentId);
    }

    /**
     * Forget a user that has nothing, see {@link RiskEngine#suspendUser}.
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
     * Make a suspended user known again, see {@link RiskEngine#resumeUser}.
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
     *
     * @param symbol   the symbol.
     * @param depth    how many of each side at most; negative for all.
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
     * @return the book, null when there is no such symbol. Commands are not to be given to it directly where users are
     *     kept: what they need would not be held.
     */
    public OrderBook book(final int symbol)
    {
        final TradedSymbol found = symbols.find(symbol);
        return found == null ? null : found.book;
    }

    /**
     * The book of a symbol, or of the next one, to go through all of them in ascending order.
     *
     * @param symbol any number.
     * @return the book, null when no symbol has this number or a greater one.
     */
    public OrderBook bookFrom(final int symbol)
    {
        final TradedSymbol found = symbols.from(symbol);
        return found == null ? null : found.book;
    }

    /**
     * Whether a symbol is halted.
     *
     * @param symbol the symbol.
     * @return true when it is there and halted.
     */
    public boolean isHalted(final int symbol)
    {
        final TradedSymbol found = symbols.find(symbol);
        return found != null && found.isHalted;
    }

    /**
     * A number that is equal for equal engines, on every JVM. The sum, which may wrap, of a hash for each symbol and of
     * the {@linkplain RiskEngine#stateHash() hash of users, accounts and positions}; so the hashes of engines that
     * share neither symbols nor users nor currencies add up to that of one engine with all of them. A symbol's is
     * FNV-1a of 64 bits, {@linkplain Fnv#mix mixed}, over little-endian longs: 6, of its {@link SymbolSpec} the symbol,
     * the type (SPOT 0, FUTURE 1), order capacity, least and greatest price and the floor of asks, {@linkplain
     * OrderBook#stateHash() hash of its book}, 1 if it is halted, otherwise 0. Not in it: the engine's time, see {@link
     * #timedHash}, and what only the context says, the engine's capacities and the limits of users. Takes time in
     * proportion to the state; allocates nothing.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return symbols.hash() + (risk == null ? 0 : risk.stateHash());
    }

    /**
     * {@link #stateHash} and the engine's own time: equal for engines that also answer those commands alike before
     * which nobody gives a {@link #time}. The time stands outside of the sum that shards add up, because each shard has
     * that of its own last command, and because a command that is refused changes it too. Where every command brings a
     * time, as in {@link io.millrace.engine.service.MatchingService}, it decides nothing.
     *
     * @return 64 bits; 0 and all negative times count alike, as none.
     */
    public long timedHash()
    {
        return Fnv.mix(Fnv.add(Fnv.add(Fnv.OFFSET, stateHash()), Math.max(0, timeNs)));
    }

    /**
     * Check that all books are in order, see {@link OrderBook#verify}, and that the money adds up, see {@link
     * RiskEngine#verify}. Takes time in proportion to the state; for tests.
     *
     * @throws IllegalStateException when something is wrong; the message says what and where.
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
