package io.millrace.engine;

import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.risk.RiskSnapshot;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.tables.LongRows;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A snapshot of an engine: the complete state that an engine of the same configuration needs to continue exactly like
 * the original. Symbols in ascending order, each with its spec, its terms and a {@link BookSnapshot}; users, accounts,
 * positions and currencies as a {@link RiskSnapshot}; the engine's time.
 * <p>
 * Not in it: where an order lies in memory, which decides the order of the orders of {@link MatchingEngine#userReport},
 * but not of the command USER_REPORT, which gives them by id; and a symbol's market data sequences, if the restored
 * engine reports none.
 * <p>
 * Grows with the state and is reused: it then allocates nothing. One thread at a time. Call {@link #take} and {@link
 * #restoreTo} on the engine's thread, between two commands.
 */
public final class EngineSnapshot
{
    /** Columns of a symbol. */
    static final int SYMBOL = 0;
    static final int SLOT = 1;
    static final int IS_HALTED = 2;
    static final int LAST_PRICE = 3;
    static final int TYPE = 4;
    /** Order capacity, window ticks, least and greatest price, least ask price. */
    static final int SPEC = 5;
    static final int HAS_TERMS = 10;
    /** The nine numbers of the terms, in their order. */
    static final int TERMS = 11;
    /** Greatest order size, 0 for the default; policy, ticks and reference price of the price band. */
    static final int LIMITS = 20;
    static final int SYMBOL_WORDS = 24;

    private static final SymbolType[] TYPES = SymbolType.values();

    private final LongRows symbols = new LongRows(SYMBOL_WORDS);
    private final RiskSnapshot users = new RiskSnapshot();
    private final List<BookSnapshot> books = new ArrayList<>();
    private boolean hasUsers;
    private long configuration;
    private long timeNs;

    /** Creates an empty snapshot. */
    public EngineSnapshot()
    {
    }

    /**
     * Copies the state of an engine, between two of its commands.
     *
     * @param engine is only read.
     */
    public void take(final MatchingEngine engine)
    {
        engine.save(this);
    }

    /**
     * Replaces the state of an engine by this one. Checks everything: each number, that no id is there twice, and that
     * the money, the reserves and the open orders add up. The engine gets new books, so a reference to an old one is
     * stale and must not be used; its market data listeners get no messages. A new book uses the memory of an old one
     * that has no orders and the same capacity, window and price limits; otherwise the memory of both is needed
     * meanwhile.
     *
     * @param engine of the same configuration, see {@link MatchingEngine#configuration()}.
     * @throws BookSnapshotException when this is not a state of such an engine. The message says why; the engine has
     *                               not changed.
     */
    public void restoreTo(final MatchingEngine engine)
    {
        engine.restore(this);
    }

    /** Refuses to restore an engine of another configuration, and a book that no symbol of the engine can have. */
    void check(final long wanted, final boolean withUsers, final int greatest)
    {
        if (configuration != wanted || hasUsers != withUsers)
        {
            throw new BookSnapshotException(String.format(Locale.ROOT,
                "configuration %016x is not %016x: the snapshot is of an " +
                "engine with other symbols, limits or capacities", configuration, wanted));
        }
        for (int row = 0; row < symbols.count(); row++)
        {
            // Before its book is allocated.
            if (orderCapacity(row) > greatest)
            {
                throw new BookSnapshotException("symbol " + row + ": order capacity " + orderCapacity(row) +
                    " is not in 1.." + greatest);
            }
        }
    }

    /** Begins a copy. */
    void begin(final boolean withUsers, final long newConfiguration, final long newTimeNs)
    {
        symbols.count(0);
        users.clear();
        header(withUsers, newConfiguration, newTimeNs);
    }

    /** Copies a symbol and its book. Ascending. */
    void add(final TradedSymbol symbol, final SymbolTerms terms, final long lastPrice)
    {
        final int row = symbols.add();
        final SymbolSpec spec = symbol.book.spec();
        symbols.set(row, SYMBOL, spec.symbol());
        symbols.set(row, SLOT, symbol.slot);
        symbols.set(row, IS_HALTED, symbol.isHalted() ? 1 : 0);
        symbols.set(row, LAST_PRICE, lastPrice);
        symbols.set(row, TYPE, spec.type().ordinal());
        symbols.set(row, SPEC, spec.orderCapacity());
        symbols.set(row, SPEC + 1, spec.windowTicks());
        symbols.set(row, SPEC + 2, spec.minPrice());
        symbols.set(row, SPEC + 3, spec.maxPrice());
        symbols.set(row, SPEC + 4, spec.minAskPrice());
        symbols.set(row, LIMITS, spec.maxOrderSize());
        symbols.set(row, LIMITS + 1, spec.priceBand().policy().ordinal());
        symbols.set(row, LIMITS + 2, spec.priceBand().ticks());
        symbols.set(row, LIMITS + 3, spec.priceBand().reference());
        addTerms(row, terms);
        book(row, symbol.book.orderCount()).take(symbol.book);
    }

    private void addTerms(final int row, final SymbolTerms terms)
    {
        symbols.set(row, HAS_TERMS, terms == null ? 0 : 1);
        if (terms == null)
        {
            for (int column = TERMS; column < LIMITS; column++)
            {
                symbols.set(row, column, 0);
            }
            return;
        }
        symbols.set(row, TERMS, terms.baseCurrency());
        symbols.set(row, TERMS + 1, terms.quoteCurrency());
        symbols.set(row, TERMS + 2, terms.baseScaleK());
        symbols.set(row, TERMS + 3, terms.quoteScaleK());
        symbols.set(row, TERMS + 4, terms.takerFee());
        symbols.set(row, TERMS + 5, terms.makerFee());
        symbols.set(row, TERMS + 6, terms.marginBuy());
        symbols.set(row, TERMS + 7, terms.marginSell());
        symbols.set(row, TERMS + 8, terms.maxPosition());
    }

    /** Spec of a row. */
    SymbolSpec spec(final int row)
    {
        try
        {
            final SymbolSpec spec = new SymbolSpec(number(row), TYPES[small(row, TYPE, TYPES.length - 1)],
                small(row, SPEC, SymbolSpec.MAX_ORDER_CAPACITY), small(row, SPEC + 1, SymbolSpec.MAX_WINDOW_TICKS),
                symbols.get(row, SPEC + 2), symbols.get(row, SPEC + 3), symbols.get(row, SPEC + 4));
            final long largest = symbols.get(row, LIMITS);
            return spec.withMaxOrderSize(largest == 0 ? spec.maxSize() : largest).withPriceBand(PriceBand.of(
                symbols.get(row, LIMITS + 1), symbols.get(row, LIMITS + 2), symbols.get(row, LIMITS + 3)));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new BookSnapshotException("symbol " + row + ": " + ex.getMessage());
        }
    }

    /** Terms of a row; null when it has none. */
    SymbolTerms terms(final int row)
    {
        final int hasTerms = small(row, HAS_TERMS, 1);
        if (hasTerms == 0)
        {
            return null;
        }
        try
        {
            return new SymbolTerms(toInt(row, TERMS), toInt(row, TERMS + 1), symbols.get(row, TERMS + 2),
                symbols.get(row, TERMS + 3), symbols.get(row, TERMS + 4), symbols.get(row, TERMS + 5),
                symbols.get(row, TERMS + 6), symbols.get(row, TERMS + 7), symbols.get(row, TERMS + 8));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new BookSnapshotException("symbol " + row + ": " + ex.getMessage());
        }
    }

    int number(final int row)
    {
        final int number = toInt(row, SYMBOL);
        if (row > 0 && number <= symbols.get(row - 1, SYMBOL))
        {
            throw new BookSnapshotException("symbol " + row + ": number " + number + " is not above the one before");
        }
        return number;
    }

    private int toInt(final int row, final int column)
    {
        final long value = symbols.get(row, column);
        if ((int)value != value)
        {
            throw new BookSnapshotException("symbol " + row + ", column " + column + ": " + value + " is no int");
        }
        return (int)value;
    }

    /** A number that is not negative. */
    int small(final int row, final int column, final int greatest)
    {
        final long value = symbols.get(row, column);
        if (value < 0 || value > greatest)
        {
            throw new BookSnapshotException(
                "symbol " + row + ", column " + column + ": " + value + " is not in 0.." + greatest);
        }
        return (int)value;
    }

    /** Restores the orders of a symbol. */
    void restoreBook(final int row, final OrderBook book, final boolean withUsers)
    {
        try
        {
            if (withUsers)
            {
                books.get(row).restoreWithUsers(book);
            }
            else
            {
                books.get(row).restoreTo(book);
            }
        }
        catch (final BookSnapshotException ex)
        {
            throw new BookSnapshotException("symbol " + row + ": " + ex.getMessage());
        }
    }

    /**
     * Sets the values of the header, which belong to no row. A decoder then sets all rows and all books.
     *
     * @param withUsers        whether the engine keeps users.
     * @param newConfiguration see {@link MatchingEngine#configuration()}.
     * @param newTimeNs        the engine's time.
     */
    public void header(final boolean withUsers, final long newConfiguration, final long newTimeNs)
    {
        hasUsers = withUsers;
        configuration = newConfiguration;
        timeNs = newTimeNs;
    }

    /**
     * Sets greatest order size and price band of all rows to the default, for a decoder of bytes without them.
     */
    public void clearTradingLimits()
    {
        for (int row = 0; row < symbols.count(); row++)
        {
            symbols.set(row, LIMITS, 0);
            symbols.set(row, LIMITS + 1, PriceBand.Policy.NONE.ordinal());
            symbols.set(row, LIMITS + 2, 0);
            symbols.set(row, LIMITS + 3, PriceBand.NO_REFERENCE);
        }
    }

    /**
     * The copy of a symbol's book, made or enlarged if need be. Its content is lost when it is enlarged.
     *
     * @param row    number of the symbol's row.
     * @param orders number of orders that it must take, at most {@link SymbolSpec#MAX_ORDER_CAPACITY}.
     * @return the copy.
     */
    public BookSnapshot book(final int row, final int orders)
    {
        while (books.size() <= row)
        {
            books.add(new BookSnapshot(1));
        }
        if (books.get(row).orderCapacity() < orders)
        {
            books.set(row, new BookSnapshot(
                (int)Math.min(SymbolSpec.MAX_ORDER_CAPACITY, Math.max(orders, 2L * books.get(row).orderCapacity()))));
        }
        return books.get(row);
    }

    /**
     * The copy of a symbol's book.
     *
     * @param row number of the symbol's row.
     * @return the copy.
     */
    public BookSnapshot book(final int row)
    {
        return books.get(row);
    }

    /**
     * Order capacity of a symbol.
     *
     * @param row number of its row.
     * @return greatest number of its orders.
     * @throws BookSnapshotException when the row has no valid one.
     */
    public int orderCapacity(final int row)
    {
        return small(row, SPEC, SymbolSpec.MAX_ORDER_CAPACITY);
    }

    /**
     * The symbols.
     *
     * @return twenty-four longs each.
     */
    public LongRows symbols()
    {
        return symbols;
    }

    /**
     * Users and their money.
     *
     * @return without rows when the engine keeps no users.
     */
    public RiskSnapshot users()
    {
        return users;
    }

    /**
     * Whether the engine keeps users.
     *
     * @return true if it does.
     */
    public boolean hasUsers()
    {
        return hasUsers;
    }

    /**
     * The configuration of the engine.
     *
     * @return see {@link MatchingEngine#configuration()}.
     */
    public long configuration()
    {
        return configuration;
    }

    /**
     * The engine's time.
     *
     * @return as it was set.
     */
    public long timeNs()
    {
        return timeNs;
    }
}
