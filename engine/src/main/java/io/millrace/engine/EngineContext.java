package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What an engine is made of. Fluent; an engine keeps a copy, so what is changed later is of no effect on it.
 */
public final class EngineContext
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
    public EngineContext symbol(final SymbolSpec spec)
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
    public EngineContext symbol(final SymbolSpec spec, final SymbolTerms symbolTerms)
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
    public EngineContext symbolCapacity(final int capacity)
    {
        symbolCapacity = capacity;
        return this;
    }

    /**
     * The greatest order capacity that {@link MatchingEngine#addSymbol} accepts, so that a command cannot take all
     * memory. Symbols of the context may have more, up to {@link SymbolSpec#MAX_ORDER_CAPACITY}.
     *
     * @param orders greatest order capacity, 1 or more; above it is WRONG_TERMS.
     * @return this.
     */
    public EngineContext maxOrderCapacity(final int orders)
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
    public EngineContext risk(final RiskLimits limits)
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
    public EngineContext marketData(final IntFunction<? extends MarketDataListener> listeners)
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
    public EngineContext shard(final int shard, final int shards)
    {
        if (risk != null || shard < 0 || shard >= shards)
        {
            throw new IllegalArgumentException(risk != null ? "an engine with users is not divided into shards" :
                "shard " + shard + " is not in 0.." + (shards - 1));
        }
        final EngineContext part = new EngineContext().symbolCapacity(symbolCapacity).maxOrderCapacity(maxOrderCapacity)
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

    /** The context of an engine without users. */
    static EngineContext of(final List<SymbolSpec> symbols)
    {
        if (symbols.isEmpty())
        {
            throw new IllegalArgumentException("an engine needs at least one symbol");
        }
        final EngineContext context = new EngineContext().symbolCapacity(Math.max(DEFAULT_SYMBOLS, symbols.size()));
        symbols.forEach(context::symbol);
        return context;
    }

    /** A checked copy. */
    EngineContext conclude()
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
        final EngineContext copy = new EngineContext().symbolCapacity(symbolCapacity).risk(risk).marketData(marketData);
        copy.specs.addAll(specs);
        copy.terms.addAll(terms);
        copy.maxOrderCapacity = maxOrderCapacity;
        return copy;
    }

    int symbols()
    {
        return symbolCapacity;
    }

    /** Users, accounts and positions, all empty; null when no users are kept. */
    RiskEngine createRisk()
    {
        try
        {
            return risk == null ? null : new RiskEngine(risk);
        }
        catch (final OutOfMemoryError ex)
        {
            throw new OutOfMemoryError("no memory for " + risk + ": " + ex.getMessage());
        }
    }

    /** Creates the market-data listener of each symbol; null when no market data is published. */
    IntFunction<MarketDataListener> feeds(final ListenerGuard guard)
    {
        final IntFunction<? extends MarketDataListener> feeds = marketData;
        return feeds == null ? null : symbol -> guard.around(feeds.apply(symbol));
    }

    /** Adds the symbols to an empty table. */
    void addSymbols(final SymbolTable symbols)
    {
        for (int i = 0; i < specs.size(); i++)
        {
            final SymbolSpec spec = specs.get(i);
            final CommandResult result = symbols.add(spec, terms.get(i));
            if (result != CommandResult.SUCCESS)
            {
                final String problem = symbols.problem(spec, terms.get(i));
                throw new IllegalArgumentException("symbol " + spec.symbol() + (result ==
                    CommandResult.SYMBOL_EXISTS ? " is given twice" : ": " + (problem == null ? result : problem)));
            }
        }
    }
}
