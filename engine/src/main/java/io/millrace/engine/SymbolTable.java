package io.millrace.engine;

import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.MutedMarketData;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.SymbolRisk;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.tables.PowerOfTwo;

import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * The symbols of an engine. Only adding a symbol allocates. Used by the engine's thread only.
 */
final class SymbolTable
{
    private final BitSet slots;
    private final TradedSymbol[] inOrder;
    // Fast path, by the low bits of the number: one of the symbols with these bits, or null.
    private final TradedSymbol[] likely;
    // All symbols, by a hash of the number; the symbols of a bucket form a chain.
    private final TradedSymbol[] byHash;
    private final RiskEngine risk;
    private final IntFunction<? extends MarketDataListener> marketData;
    private final ExecutionListener listener;
    // While it is restored: the table that it replaces. Its books without orders lend their memory.
    private SymbolTable replaced;
    private int count;
    private long freeCapacity;
    private boolean isMuted;

    /** A table with the symbols of a context. */
    SymbolTable(
        final EngineContext context, final RiskEngine risk, final ListenerGuard guard, final ExecutionListener listener)
    {
        this(context.symbols(), context.totalCapacity(), risk, context.feeds(guard), listener);
        context.addSymbols(this);
    }

    SymbolTable(
        final int capacity,
        final long totalCapacity,
        final RiskEngine risk,
        final IntFunction<? extends MarketDataListener> marketData,
        final ExecutionListener listener)
    {
        freeCapacity = totalCapacity;
        slots = new BitSet(capacity);
        inOrder = new TradedSymbol[capacity];
        // Numbers are mostly consecutive: in the next power of two each has an entry of its own. The references take at
        // most 4 MB, little compared with the books.
        likely = new TradedSymbol[PowerOfTwo.atLeast(capacity)];
        // At least two: a shift cannot give a hash of 0 bits.
        byHash = new TradedSymbol[Math.max(2, likely.length)];
        this.risk = risk;
        this.marketData = marketData;
        this.listener = listener;
    }

    TradedSymbol find(final int symbol)
    {
        final TradedSymbol entry = likely[symbol & likely.length - 1];
        return entry != null && entry.number == symbol ? entry : findByHash(symbol);
    }

    /** Always the same array: an entry for each value of a number's low bits, or null. The caller only reads it. */
    TradedSymbol[] likely()
    {
        return likely;
    }

    /** The symbol of a number, for a caller that did not find it in {@link #likely}. */
    TradedSymbol findByHash(final int symbol)
    {
        TradedSymbol found = byHash[bucketOf(symbol)];
        while (found != null && found.number != symbol)
        {
            found = found.next;
        }
        return found;
    }

    /** The top bits of the product with the golden ratio's fraction. */
    private int bucketOf(final int symbol)
    {
        return symbol * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(byHash.length) + 1;
    }

    int count()
    {
        return count;
    }

    /** A symbol by its index in ascending order of the numbers. */
    TradedSymbol at(final int index)
    {
        return inOrder[index];
    }

    /** The book of the symbol with this number or the next greater one, or null. */
    OrderBook bookFrom(final int symbol)
    {
        final int index = indexOf(symbol);
        return index == count ? null : inOrder[index].book;
    }

    /** The book of a symbol, or null. */
    OrderBook book(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        return found == null ? null : found.book;
    }

    boolean isHalted(final int symbol)
    {
        final TradedSymbol found = find(symbol);
        return found != null && found.isHalted();
    }

    /** The number of symbols with smaller numbers. */
    private int indexOf(final int symbol)
    {
        int low = 0;
        int high = count;
        while (low < high)
        {
            final int middle = low + high >>> 1;
            if (inOrder[middle].symbol() < symbol)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    CommandResult add(final SymbolSpec spec, final SymbolTerms terms)
    {
        return add(slots.nextClearBit(0), spec, terms);
    }

    private CommandResult add(final int slot, final SymbolSpec spec, final SymbolTerms terms)
    {
        if (spec == null || problem(spec, terms) != null)
        {
            return CommandResult.WRONG_TERMS;
        }
        if (find(spec.symbol()) != null)
        {
            return CommandResult.SYMBOL_EXISTS;
        }
        if (count == inOrder.length || capacityOf(spec) > freeCapacity)
        {
            return CommandResult.SYMBOLS_FULL;
        }
        if (risk != null && !risk.hasCapacityFor(spec.type(), terms))
        {
            return CommandResult.CURRENCIES_FULL;
        }
        final TradedSymbol symbol = create(slot, spec, terms);
        slots.set(symbol.slot);
        freeCapacity -= capacityOf(spec);
        final int bucket = bucketOf(spec.symbol());
        symbol.next = byHash[bucket];
        byHash[bucket] = symbol;
        likely[spec.symbol() & likely.length - 1] = symbol;
        MutedMarketData.mute(symbol.book, isMuted);
        final int index = indexOf(spec.symbol());
        System.arraycopy(inOrder, index, inOrder, index + 1, count - index);
        inOrder[index] = symbol;
        count++;
        return CommandResult.SUCCESS;
    }

    /** See {@link EngineContext#maxAddedCapacity}. */
    static long capacityOf(final SymbolSpec spec)
    {
        return (long)spec.orderCapacity() + spec.windowTicks();
    }

    /** The problem with the terms of a symbol; null when they are valid. */
    String problem(final SymbolSpec spec, final SymbolTerms terms)
    {
        if (risk == null)
        {
            return terms == null ? null : "terms are given, but the engine keeps no users";
        }
        return terms == null ? "terms are missing, and the engine keeps users" : terms.problemWith(spec);
    }

    /**
     * Fills an empty table, its risk and an empty queue from a snapshot. Its books use the memory of those books of the
     * replaced table that have no orders.
     *
     * @throws BookSnapshotException when it is not a valid state; the table is of no use then.
     */
    void restore(final EngineSnapshot from, final ExpiryQueue expiries, final SymbolTable before)
    {
        replaced = before;
        try
        {
            restore(from, expiries);
        }
        catch (final Throwable ex)
        {
            for (int i = 0; i < count; i++)
            {
                BookSnapshot.clear(inOrder[i].book);
            }
            throw ex;
        }
        finally
        {
            replaced = null;
        }
    }

    private void restore(final EngineSnapshot from, final ExpiryQueue expiries)
    {
        if (risk != null)
        {
            risk.restoreUsers(from.users());
        }
        for (int row = 0; row < from.symbols().count(); row++)
        {
            restoreSymbol(from, row, expiries);
        }
        if (risk != null)
        {
            risk.restorePositions(from.users(), number ->
            {
                final TradedSymbol found = find(number);
                return found == null ? -1 : found.slot;
            });
        }
    }

    private void restoreSymbol(final EngineSnapshot from, final int row, final ExpiryQueue expiries)
    {
        final SymbolSpec spec = from.spec(row);
        final int slot = from.small(row, EngineSnapshot.SLOT, inOrder.length - 1);
        final CommandResult result = slots.get(slot) ? CommandResult.SYMBOL_EXISTS : add(slot, spec, from.terms(row));
        if (result != CommandResult.SUCCESS)
        {
            throw new BookSnapshotException("symbol " + row + ": " + spec + " in slot " + slot + ": " + result);
        }
        final TradedSymbol symbol = find(spec.symbol());
        symbol.halted(from.small(row, EngineSnapshot.IS_HALTED, 1) != 0);
        from.restoreBook(row, symbol.book, risk != null);
        if (risk != null)
        {
            risk.restoreLastPrice(slot, from.symbols().get(row, EngineSnapshot.LAST_PRICE));
            if (symbol.book.nextExpiryNs() != 0)
            {
                expiries.add(symbol, symbol.book.nextExpiryNs());
            }
        }
    }

    /** Cancels the orders of a user in all books. With a time, the due orders of each book expire first. */
    CommandResult massCancel(final long uid, final byte side, final long timeNs)
    {
        if (!Side.isValid(side) && side != Side.BOTH)
        {
            return CommandResult.WRONG_SIDE;
        }
        for (int i = 0; i < count; i++)
        {
            final OrderBook book = inOrder[i].book;
            if (timeNs > 0)
            {
                book.expire(timeNs);
            }
            book.massCancel(uid, side);
        }
        return CommandResult.SUCCESS;
    }

    /** Copies all symbols and their books. */
    void save(final EngineSnapshot into)
    {
        for (int i = 0; i < count; i++)
        {
            final TradedSymbol symbol = inOrder[i];
            into.add(symbol, risk == null ? null : symbol.risk.terms(), risk == null ? 0 : risk.lastPrice(symbol.slot));
        }
    }

    void muteMarketData(final boolean muted)
    {
        isMuted = muted;
        for (int i = 0; i < count; i++)
        {
            MutedMarketData.mute(inOrder[i].book, muted);
        }
    }

    private TradedSymbol create(final int slot, final SymbolSpec spec, final SymbolTerms terms)
    {
        try
        {
            return allocate(slot, spec, terms);
        }
        catch (final OutOfMemoryError ex)
        {
            throw new OutOfMemoryError("no memory for " + spec + ": " + ex.getMessage());
        }
    }

    private TradedSymbol allocate(final int slot, final SymbolSpec spec, final SymbolTerms terms)
    {
        final MarketDataListener feed = marketData == null ? null : marketData.apply(spec.symbol());
        final TradedSymbol before = replaced == null ? null : replaced.find(spec.symbol());
        final OrderBook bookBefore = before == null ? null : before.book;
        if (risk == null)
        {
            return new TradedSymbol(slot, new OrderBook(spec, listener, feed, bookBefore, true), null, false);
        }
        final SymbolSpec withMinAskPrice = RiskEngine.bookSpec(spec, terms);
        final SymbolRisk symbolRisk = risk.newSymbol(slot, withMinAskPrice, terms, listener);
        final OrderBook book = new OrderBook(withMinAskPrice, symbolRisk, feed, bookBefore, true);
        risk.attach(symbolRisk, book);
        return new TradedSymbol(slot, book, symbolRisk, risk.hasRateLimit());
    }

    CommandResult remove(final TradedSymbol symbol, final ExpiryQueue expiries)
    {
        if (symbol.book.orderCount() > 0 || risk != null && risk.hasPositions(symbol.slot))
        {
            return CommandResult.SYMBOL_NOT_EMPTY;
        }
        if (risk != null)
        {
            risk.removeSymbol(symbol.slot);
        }
        expiries.remove(symbol);
        slots.clear(symbol.slot);
        freeCapacity += capacityOf(symbol.book.spec());
        removeFromChain(symbol);
        final int low = symbol.symbol() & likely.length - 1;
        likely[low] = likely[low] == symbol ? null : likely[low];
        count--;
        final int index = indexOf(symbol.symbol());
        System.arraycopy(inOrder, index + 1, inOrder, index, count - index);
        inOrder[count] = null;
        return CommandResult.SUCCESS;
    }

    private void removeFromChain(final TradedSymbol symbol)
    {
        final int bucket = bucketOf(symbol.number);
        if (byHash[bucket] == symbol)
        {
            byHash[bucket] = symbol.next;
            return;
        }
        TradedSymbol before = byHash[bucket];
        while (before.next != symbol)
        {
            before = before.next;
        }
        before.next = symbol.next;
    }

    /** Checks all books, see {@link OrderBook#verify}. */
    void verify()
    {
        for (int i = 0; i < count; i++)
        {
            inOrder[i].book.verify();
        }
    }

    /** The sum of the symbols' hashes, so that the hashes of engines with different symbols add up. */
    long hash()
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += inOrder[i].hash();
        }
        return sum;
    }
}
