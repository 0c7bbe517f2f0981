package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

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
public final class MatchingEngine extends EngineState
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    /**
     * What an engine is made of. Fluent; an engine keeps a copy, so what is changed later is of no effect on it.
     */
    public static final class Context
    {
        /**
         * Default number of symbols: as many as an engine that keeps users can have.
         */
        public static final int DEFAULT_SYMBOLS = SymbolTerms.MAX_SYMBOLS;

        /**
         * Greatest number of symbols of an engine without users: 8 MB of references, and a book for each.
         */
        public static final int MAX_SYMBOLS = 1 << 20;

        /**
         * Default for {@link #maxOrderCapacity}: 32 times the default of a book, and 200 MB, which most heaps stand.
         */
        public static final int DEFAULT_MAX_ORDER_CAPACITY = 1 << 20;

        int maxOrderCapacity = DEFAULT_MAX_ORDER_CAPACITY;
        private final List<SymbolSpec> specs = new ArrayList<>();
        private final List<SymbolTerms> terms = new ArrayList<>();
        private int symbolCapacity = DEFAULT_SYMBOLS;
        private RiskLimits risk;
        private IntFunction<? extends MarketDataListener> marketData;

        /**
         * A symbol that is there from the start, of an engine without users.
         *
         * @param spec the symbol.
         * @return this.
         */
        public Context symbol(final SymbolSpec spec)
        {
            return symbol(spec, null);
        }

        /**
         * A symbol that is there from the start, of an engine with users.
         *
         * @param spec        the symbol.
         * @param symbolTerms its currencies, fees and margins.
         * @return this.
         */
        public Context symbol(final SymbolSpec spec, final SymbolTerms symbolTerms)
        {
            specs.add(Objects.requireNonNull(spec, "spec"));
            terms.add(symbolTerms);
            return this;
        }

        /**
         * How many symbols there can be.
         *
         * @param capacity 1 or more; with users at most {@link SymbolTerms#MAX_SYMBOLS}.
         * @return this.
         */
        public Context symbolCapacity(final int capacity)
        {
            symbolCapacity = capacity;
            return this;
        }

        /**
         * What {@link #addSymbol} may ask for, so that a command does not take all memory. Symbols of the context may
         * have more, up to {@link SymbolSpec#MAX_ORDER_CAPACITY}.
         *
         * @param orders greatest order capacity, 1 or more; above it is WRONG_TERMS.
         * @return this.
         */
        public Context maxOrderCapacity(final int orders)
        {
            maxOrderCapacity = orders;
            return this;
        }

        /**
         * Keep users, accounts and positions.
         *
         * @param limits their capacities, and limits of a user; null to keep none.
         * @return this.
         */
        public Context risk(final RiskLimits limits)
        {
            risk = limits;
            return this;
        }

        /**
         * Publish market data.
         *
         * @param listeners gives the listener of a symbol's book, or null, when the symbol is added.
         * @return this.
         */
        public Context marketData(final IntFunction<? extends MarketDataListener> listeners)
        {
            marketData = listeners;
            return this;
        }

        /**
         * The part of an engine without users that has the symbols of one shard: those whose number modulo the number
         * of shards is that of the shard. The hashes of the shards' engines add up to that of one engine with all.
         *
         * @param shard  0 to shards - 1.
         * @param shards how many, 1 or more.
         * @return a context with this one's capacity and market data; to be used instead of this one.
         * @throws IllegalArgumentException when users are kept, whose money would be in no one's hands, or the shard
         *                                  is out of range.
         */
        public Context shard(final int shard, final int shards)
        {
            if (risk != null || shard < 0 || shard >= shards)
            {
                throw new IllegalArgumentException(risk != null ? "an engine with users is not divided into shards" :
                    "shard " + shard + " is not in 0.." + (shards - 1));
            }
            final Context part = new Context().symbolCapacity(symbolCapacity).maxOrderCapacity(maxOrderCapacity)
                .marketData(marketData);
            specs.stream().filter(spec -> Math.floorMod(spec.symbol(), shards) == shard).forEach(part::symbol);
            return part;
        }

        /**
         * Whether users, accounts and positions are kept.
         *
         * @return true after {@link #risk} with limits.
         */
        public boolean hasRisk()
        {
            return risk != null;
        }

        /** As it is now, checked. */
        Context conclude()
        {
            final int most = risk == null ? MAX_SYMBOLS : SymbolTerms.MAX_SYMBOLS;
            if (maxOrderCapacity < 1)
            {
                throw new IllegalArgumentException("maxOrderCapacity " + maxOrderCapacity + " is below 1");
            }
            if (symbolCapacity < 1 || symbolCapacity > most)
            {
                throw new IllegalArgumentException("symbolCapacity " + symbolCapacity + " is not in 1.." + most);
            }
            final Context copy = new Context().symbolCapacity(symbolCapacity).risk(risk).marketData(marketData);
            copy.specs.addAll(specs);
            copy.terms.addAll(terms);
            copy.maxOrderCapacity = maxOrderCapacity;
            return copy;
        }

        int symbols()
        {
            return symbolCapacity;
        }

        List<SymbolSpec> specs()
        {
            return specs;
        }

        List<SymbolTerms> terms()
        {
            return terms;
        }

        RiskLimits riskLimits()
        {
            return risk;
        }

        IntFunction<? extends MarketDataListener> feeds()
        {
            return marketData;
        }
    }

    /**
     * An engine without users whose books all tell one listener.
     *
     * @param symbols  the symbols, each once, at least one.
     * @param listener hears the executions of all books.
     * @throws IllegalArgumentException when there is no symbol or one is given twice.
     */
    public MatchingEngine(final List<SymbolSpec> symbols, final ExecutionListener listener)
    {
        this(contextOf(symbols), listener);
    }

    private static Context contextOf(final List<SymbolSpec> symbols)
    {
        if (symbols.isEmpty())
        {
            throw new IllegalArgumentException("an engine needs at least one symbol");
        }
        final Context context = new Context().symbolCapacity(Math.max(Context.DEFAULT_SYMBOLS, symbols.size()));
        symbols.forEach(context::symbol);
        return context;
    }

    /**
     * An engine of which the context says everything.
     *
     * @param context  is copied.
     * @param listener hears the executions of all books, each when it is settled.
     * @throws IllegalArgumentException when a symbol is given twice, terms do not suit a symbol or are missing or not
     *                                  wanted, or a capacity is out of range; the message says what.
     */
    public MatchingEngine(final Context context, final ExecutionListener listener)
    {
        super(context, listener);
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
        return checked == SUCCESS ? orders.holdGrowth(found, user, orderId, newSize) : checked;
    }
}
