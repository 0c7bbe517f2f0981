package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.tables.Fnv;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Configuration of a {@link MatchingEngine}: symbols, capacities, users, market data. Fluent. The engine keeps a copy,
 * so later changes have no effect on it.
 */
public final class EngineContext
{
    /**
     * Default symbol capacity, which is also the greatest one of an engine with users.
     */
    public static final int DEFAULT_SYMBOLS = SymbolTerms.MAX_SYMBOLS;

    /**
     * Greatest symbol capacity of an engine without users: 8 MB of references, and a book for each symbol.
     */
    public static final int MAX_SYMBOLS = 1 << 20;

    /**
     * Default of {@link #maxOrderCapacity}: 32 times a book's default. The book takes 290 MB with the default window,
     * which fits into most heaps.
     */
    public static final int DEFAULT_MAX_ORDER_CAPACITY = 1 << 20;

    /**
     * Default of {@link #maxAddedCapacity}: 170 symbols of the default capacity and window, about
     * 1.5 GB.
     */
    public static final long DEFAULT_MAX_ADDED_CAPACITY = 1L << 24;

    int maxOrderCapacity = DEFAULT_MAX_ORDER_CAPACITY;
    private long maxAddedCapacity = DEFAULT_MAX_ADDED_CAPACITY;
    private final List<SymbolSpec> specs = new ArrayList<>();
    private final List<SymbolTerms> terms = new ArrayList<>();
    private int symbolCapacity = DEFAULT_SYMBOLS;
    private RiskLimits risk;
    private IntFunction<? extends MarketDataListener> marketData;

    /**
     * Adds a symbol to an engine without users.
     *
     * @param spec the symbol.
     * @return this.
     */
    public EngineContext symbol(final SymbolSpec spec)
    {
        return symbol(spec, null);
    }

    /**
     * Adds a symbol to an engine with users.
     *
     * @param spec  the symbol.
     * @param terms its currencies, fees and margins.
     * @return this.
     */
    public EngineContext symbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        specs.add(Objects.requireNonNull(spec, "spec"));
        this.terms.add(terms);
        return this;
    }

    /**
     * Sets the greatest number of symbols.
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
     * Limits the order capacity that {@link MatchingEngine#addSymbol} accepts, so that no command takes all memory.
     * Symbols of the context may have more, up to {@link SymbolSpec#MAX_ORDER_CAPACITY}.
     *
     * @param orders greatest order capacity, 1 or more; a greater one is WRONG_TERMS.
     * @return this.
     */
    public EngineContext maxOrderCapacity(final int orders)
    {
        maxOrderCapacity = orders;
        return this;
    }

    /**
     * Limits the capacity of all symbols together, so that a command is refused by this number and not by the memory
     * that there happens to be: the capacity of the context's symbols plus this one. A symbol counts with its order
     * capacity and its window ticks, at most 207 bytes each.
     *
     * @param capacity orders and ticks that {@link MatchingEngine#addSymbol} may add, 0 or more; a symbol that exceeds
     *                 them is SYMBOLS_FULL.
     * @return this.
     */
    public EngineContext maxAddedCapacity(final long capacity)
    {
        maxAddedCapacity = capacity;
        return this;
    }

    /**
     * Makes the engine keep users, accounts and positions.
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
     * Makes the books report market data.
     *
     * @param listeners called when a symbol is added: creates its listener, or returns null for none.
     * @return this.
     */
    public EngineContext marketData(final IntFunction<? extends MarketDataListener> listeners)
    {
        marketData = listeners;
        return this;
    }

    /**
     * Publishes the market data of all symbols to one listener.
     * @param listener listener of all books.
     * @return this.
     */
    public EngineContext marketData(final MarketDataListener listener)
    {
        return marketData(symbol -> listener);
    }

    /**
     * The context of one shard of an engine without users. A symbol belongs to the shard {@code floorMod(symbol,
     * shards)}. The hashes of the shards' engines add up to the hash of one engine with all symbols.
     *
     * @param shard  0 to shards - 1.
     * @param shards how many, 1 or more.
     * @return a context with the capacity and market data of this one.
     * @throws IllegalArgumentException when the engine has users, whose money the shards would share, or the shard is
     *                                  out of range.
     */
    public EngineContext shard(final int shard, final int shards)
    {
        if (risk != null || shard < 0 || shard >= shards)
        {
            throw new IllegalArgumentException(risk != null ? "an engine with users cannot be divided into shards" :
                "shard " + shard + " is not in 0.." + (shards - 1));
        }
        final EngineContext part = new EngineContext().symbolCapacity(symbolCapacity).maxOrderCapacity(maxOrderCapacity)
            .maxAddedCapacity(maxAddedCapacity).marketData(marketData);
        specs.stream().filter(spec -> Math.floorMod(spec.symbol(), shards) == shard).forEach(part::symbol);
        return part;
    }

    /**
     * Whether the engine keeps users, accounts and positions.
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
        if (maxAddedCapacity < 0)
        {
            throw new IllegalArgumentException("maxAddedCapacity " + maxAddedCapacity + " is negative");
        }
        if (symbolCapacity < 1 || symbolCapacity > most)
        {
            throw new IllegalArgumentException("symbolCapacity " + symbolCapacity + " is not in 1.." + most);
        }
        final EngineContext copy = new EngineContext().symbolCapacity(symbolCapacity).risk(risk).marketData(marketData);
        copy.specs.addAll(specs);
        copy.terms.addAll(terms);
        copy.maxOrderCapacity = maxOrderCapacity;
        copy.maxAddedCapacity = maxAddedCapacity;
        return copy;
    }

    int symbols()
    {
        return symbolCapacity;
    }

    /** Capacity of all symbols together. */
    long totalCapacity()
    {
        return specs.stream().mapToLong(SymbolTable::capacityOf).sum() +
            Math.min(maxAddedCapacity, Long.MAX_VALUE / 2);
    }

    /** Greatest order capacity that a symbol of such an engine can have. */
    int greatestOrderCapacity()
    {
        return specs.stream().mapToInt(SymbolSpec::orderCapacity).reduce(maxOrderCapacity, Math::max);
    }

    /** Hash of everything that decides the results of commands. */
    long hash()
    {
        long hash = Fnv.add(Fnv.add(Fnv.OFFSET, symbolCapacity), maxOrderCapacity);
        hash = Fnv.add(hash, maxAddedCapacity);
        hash = Fnv.add(hash, specs.size());
        for (int i = 0; i < specs.size(); i++)
        {
            hash = specs.get(i).addToHash(hash);
            hash = terms.get(i) == null ? Fnv.add(hash, 0) : terms.get(i).addToHash(Fnv.add(hash, 1));
        }
        return Fnv.mix(risk == null ? Fnv.add(hash, 0) : risk.addToHash(Fnv.add(hash, 1)));
    }

    /** An empty queue for the GTD orders of all symbols; without users for none. */
    ExpiryQueue createExpiries()
    {
        return new ExpiryQueue(risk == null ? 0 : symbols());
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

    /**
     * Whether a listener of market data is set.
     *
     * @return true after a call of {@link #marketData}.
     */
    public boolean hasMarketData()
    {
        return marketData != null;
    }

    /** Creates the market-data listener of each symbol; null when no market data is published. */
    IntFunction<MarketDataListener> feeds(final ListenerGuard guard)
    {
        final IntFunction<? extends MarketDataListener> feeds = marketData;
        return feeds == null ? null : symbol -> guard.wrap(feeds.apply(symbol));
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
                throw new IllegalArgumentException(
                    "symbol " + spec.symbol() + (problem == null ? problemOf(result) : ": " + problem));
            }
        }
    }

    private String problemOf(final CommandResult result)
    {
        return switch (result)
        {
            case SYMBOL_EXISTS -> " is given twice";
            case SYMBOLS_FULL -> ": symbolCapacity " + symbolCapacity + " is less than the " + specs.size() +
                " symbols of the context";
            case CURRENCIES_FULL -> ": currencyCapacity " + risk.currencyCapacity() + " of the RiskLimits is too small";
            default -> ": " + result;
        };
    }
}
