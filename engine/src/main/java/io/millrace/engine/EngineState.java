package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;
import io.millrace.engine.tables.Fnv;

import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * What a {@link MatchingEngine} has, and its commands that are not about orders: symbols, users, reports. One thread.
 */
abstract class EngineState
{
    private static final IntConsumer NOBODY = symbol ->
    {
    };

    final OrderReport orders = new OrderReport();
    SymbolTable symbols;
    /** Empty where no users are kept. */
    ExpiryQueue expiries;
    RiskEngine risk;
    /** Whether there are users and commands of theirs have to be counted. */
    boolean limitsRate;
    long timeNs;
    private final ListenerGuard guard = new ListenerGuard("the engine");
    private final MatchingEngine.Context context;
    private final ExecutionListener listener;

    EngineState(final MatchingEngine.Context context, final ExecutionListener listener)
    {
        this.context = Objects.requireNonNull(context, "context").conclude();
        this.listener = guard.around(Objects.requireNonNull(listener, "listener"));
        begin();
    }

    private void begin()
    {
        timeNs = 0;
        risk = context.riskLimits() == null ? null : users(context.riskLimits());
        limitsRate = risk != null && risk.limitsRate();
        expiries = new ExpiryQueue(guard, risk == null ? 0 : context.symbols());
        symbols = new SymbolTable(context.symbols(), risk, feeds(), listener);
        for (int i = 0; i < context.specs().size(); i++)
        {
            final SymbolSpec spec = context.specs().get(i);
            final SymbolTerms terms = context.terms().get(i);
            final CommandResult result = symbols.add(spec, terms);
            if (result != CommandResult.SUCCESS)
            {
                final String problem = symbols.problem(spec, terms);
                throw new IllegalArgumentException("symbol " + spec.symbol() + (result ==
                    CommandResult.SYMBOL_EXISTS ? " is given twice" : ": " + (problem == null ? result : problem)));
            }
        }
    }

    private IntFunction<MarketDataListener> feeds()
    {
        final IntFunction<? extends MarketDataListener> feeds = context.feeds();
        return feeds == null ? null : symbol -> guard.around(feeds.apply(symbol));
    }

    private static RiskEngine users(final RiskLimits limits)
    {
        try
        {
            return new RiskEngine(limits);
        }
        catch (final OutOfMemoryError ex)
        {
            throw new OutOfMemoryError("no memory for " + limits + ": " + ex.getMessage());
        }
    }

    /**
     * Make everything as it was at the start. For tests: it allocates all anew, and a book that somebody has kept is
     * not this engine's any more.
     *
     * @return SUCCESS.
     */
    public final CommandResult reset()
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
    public final void time(final long timeOfCommandNs)
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
    public final boolean time(final long timeOfCommandNs, final IntConsumer nextSymbol)
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
    final TradedSymbol find(final int symbol)
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
    public final CommandResult tick(final long timeOfCommandNs)
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
    public final CommandResult tick(final long timeOfCommandNs, final IntConsumer nextSymbol)
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
     * @param spec  the symbol; null is refused, and a capacity above {@link MatchingEngine.Context#maxOrderCapacity}.
     * @param terms its terms; null if and only if the engine keeps no users.
     * @return SUCCESS, WRONG_TERMS, SYMBOL_EXISTS, SYMBOLS_FULL or CURRENCIES_FULL.
     * @throws OutOfMemoryError when there is no memory for its book; then there is no such symbol.
     */
    public final CommandResult addSymbol(final SymbolSpec spec, final SymbolTerms terms)
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
    public final CommandResult haltSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        if (found == null || found.isHalted)
        {
            return found == null ? CommandResult.UNKNOWN_SYMBOL : CommandResult.SYMBOL_HALTED;
        }
        found.isHalted = true;
        return CommandResult.SUCCESS;
    }

    /**
     * Trade a halted symbol again.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_HALTED.
     */
    public final CommandResult resumeSymbol(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        if (found == null || !found.isHalted)
        {
            return found == null ? CommandResult.UNKNOWN_SYMBOL : CommandResult.SYMBOL_NOT_HALTED;
        }
        found.isHalted = false;
        return CommandResult.SUCCESS;
    }

    /**
     * Forget a symbol that has no orders and in which nobody has a position. Its number is free for another one.
     *
     * @param symbol the symbol.
     * @return SUCCESS, UNKNOWN_SYMBOL or SYMBOL_NOT_EMPTY.
     */
    public final CommandResult removeSymbol(final int symbol)
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
    public final CommandResult addUser(final long uid)
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
    public final CommandResult adjustBalance(
        final long uid, final int currency, final long amount, final long adjustmentId)
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
    public final CommandResult suspendUser(final long uid)
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
    public final CommandResult resumeUser(final long uid)
    {
        ListenerGuard.command(guard);
        return risk == null ? CommandResult.NO_RISK : risk.resumeUser(uid);
    }

    /**
     * Tell the best levels of a book: bids, best first, then asks. Allocates nothing.
     *
     * @param symbol   the symbol.
     * @param depth    how many of each side at most; negative for all.
     * @param consumer is told; it must not give a command.
     * @return SUCCESS or UNKNOWN_SYMBOL.
     */
    public final CommandResult bookReport(final int symbol, final int depth, final PriceLevelConsumer consumer)
    {
        final TradedSymbol found = find(symbol);
        if (found == null)
        {
            return CommandResult.UNKNOWN_SYMBOL;
        }
        ListenerGuard.enter(guard);
        try
        {
            found.book.forEachLevel(Side.BID, depth, consumer);
            found.book.forEachLevel(Side.ASK, depth, consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell what a user has: accounts, positions, then the open orders of each symbol. Takes time in proportion to all
     * orders of all books; allocates nothing.
     *
     * @param uid      the user.
     * @param consumer is told; it must not give a command.
     * @return SUCCESS, NO_RISK or UNKNOWN_USER.
     */
    public final CommandResult userReport(final long uid, final UserReportConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final CommandResult result = accountReport(uid, consumer);
            for (int i = 0; result == CommandResult.SUCCESS && i < symbols.count(); i++)
            {
                orders.tell(symbols.at(i).book, uid, consumer);
            }
            return result;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell a user's accounts and positions, without the orders. Allocates nothing.
     *
     * @param uid      the user.
     * @param consumer is told; it must not give a command.
     * @return SUCCESS, NO_RISK or UNKNOWN_USER.
     */
    public final CommandResult accountReport(final long uid, final UserReportConsumer consumer)
    {
        if (risk == null || risk.user(uid) == RiskEngine.NONE)
        {
            return risk == null ? CommandResult.NO_RISK : CommandResult.UNKNOWN_USER;
        }
        ListenerGuard.enter(guard);
        try
        {
            risk.report(risk.user(uid), consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Tell the totals of all currencies and futures, see {@link RiskEngine#totals}. Allocates nothing.
     *
     * @param consumer is told; it must not give a command.
     * @return SUCCESS or NO_RISK.
     */
    public final CommandResult totalsReport(final TotalsConsumer consumer)
    {
        if (risk == null)
        {
            return CommandResult.NO_RISK;
        }
        ListenerGuard.enter(guard);
        try
        {
            risk.totals(consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * The book of a symbol.
     *
     * @param symbol the symbol.
     * @return the book, null when there is no such symbol. Commands are not to be given to it directly where users are
     *     kept: what they need would not be held.
     */
    public final OrderBook book(final int symbol)
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
    public final OrderBook bookFrom(final int symbol)
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
    public final boolean isHalted(final int symbol)
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
    public final long stateHash()
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
    public final long timedHash()
    {
        return Fnv.mix(Fnv.add(Fnv.add(Fnv.OFFSET, stateHash()), Math.max(0, timeNs)));
    }

    /**
     * Check that all books are in order, see {@link OrderBook#verify}, and that the money adds up, see {@link
     * RiskEngine#verify}. Takes time in proportion to the state; for tests.
     *
     * @throws IllegalStateException when something is wrong; the message says what and where.
     */
    public final void verify()
    {
        for (int i = 0; i < symbols.count(); i++)
        {
            symbols.at(i).book.verify();
        }
        if (risk != null)
        {
            expiries.verify(symbols);
            risk.verify();
        }
    }
}
