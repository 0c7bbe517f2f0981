package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.MarketDataListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.SymbolRisk;
import io.millrace.engine.risk.SymbolTerms;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntFunction;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * The symbols of an engine. Adding one allocates, looking for one does not. One thread.
 */
final class SymbolTable
{
    private final TradedSymbol[] bySlot;
    private final Int2ObjectHashMap<TradedSymbol> byNumber = new Int2ObjectHashMap<>();
    private final RiskEngine risk;
    private final IntFunction<? extends MarketDataListener> marketData;
    private final ExecutionListener listener;
    private TradedSymbol[] inOrder = {};

    SymbolTable(
        final int capacity,
        final RiskEngine risk,
        final IntFunction<? extends MarketDataListener> marketData,
        final ExecutionListener listener)
    {
        bySlot = new TradedSymbol[capacity];
        this.risk = risk;
        this.marketData = marketData;
        this.listener = listener;
    }

    TradedSymbol find(final int symbol)
    {
        return byNumber.get(symbol);
    }

    /** All of them, in ascending order of their numbers; not to be changed. */
    TradedSymbol[] inOrder()
    {
        return inOrder;
    }

    /** The symbol with this number or the next greater one, or null. */
    TradedSymbol from(final int symbol)
    {
        int low = 0;
        int high = inOrder.length;
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
        return low == inOrder.length ? null : inOrder[low];
    }

    CommandResult add(final SymbolSpec spec, final SymbolTerms terms)
    {
        if (spec == null || problem(spec, terms) != null)
        {
            return CommandResult.WRONG_TERMS;
        }
        if (byNumber.containsKey(spec.symbol()))
        {
            return CommandResult.SYMBOL_EXISTS;
        }
        if (inOrder.length == bySlot.length)
        {
            return CommandResult.SYMBOLS_FULL;
        }
        if (risk != null && !risk.hasRoomFor(terms))
        {
            return CommandResult.ACCOUNTS_FULL;
        }
        int slot = 0;
        while (bySlot[slot] != null)
        {
            slot++;
        }
        bySlot[slot] = create(slot, spec, terms);
        byNumber.put(spec.symbol(), bySlot[slot]);
        sort();
        return CommandResult.SUCCESS;
    }

    /** What is wrong with the terms of a symbol; null when nothing is. */
    String problem(final SymbolSpec spec, final SymbolTerms terms)
    {
        if (risk == null)
        {
            return terms == null ? null : "terms are given, but the engine keeps no users";
        }
        return terms == null ? "terms are missing, and the engine keeps users" : terms.problemWith(spec);
    }

    private TradedSymbol create(final int slot, final SymbolSpec spec, final SymbolTerms terms)
    {
        final MarketDataListener feed = marketData == null ? null : marketData.apply(spec.symbol());
        if (risk == null)
        {
            return new TradedSymbol(slot, new OrderBook(spec, listener, feed), null);
        }
        final SymbolSpec withFloor = RiskEngine.bookSpec(spec, terms);
        final SymbolRisk symbolRisk = risk.addSymbol(slot, withFloor, terms, listener);
        final OrderBook book = new OrderBook(withFloor, symbolRisk, feed);
        symbolRisk.attach(book);
        return new TradedSymbol(slot, book, symbolRisk);
    }

    CommandResult remove(final TradedSymbol symbol)
    {
        if (symbol.book.orderCount() > 0 || risk != null && risk.hasPositions(symbol.slot))
        {
            return CommandResult.SYMBOL_NOT_EMPTY;
        }
        if (risk != null)
        {
            risk.removeSymbol(symbol.slot);
        }
        bySlot[symbol.slot] = null;
        byNumber.remove(symbol.symbol());
        sort();
        return CommandResult.SUCCESS;
    }

    private void sort()
    {
        inOrder = byNumber.values().toArray(new TradedSymbol[0]);
        Arrays.sort(inOrder, Comparator.comparingInt(TradedSymbol::symbol));
    }

    /** The sum of a hash for each symbol, so that the hashes of engines with different symbols add up. */
    long hash()
    {
        long sum = 0;
        for (int i = 0; i < inOrder.length; i++)
        {
            sum += inOrder[i].hash();
        }
        return sum;
    }
}
