package io.millrace.engine;

import io.millrace.engine.book.OrderBook;
import io.millrace.engine.risk.SymbolRisk;

/**
 * A symbol in an engine: its book, its risk where users are kept, and whether it is halted. One thread.
 */
final class TradedSymbol
{
    final int slot;
    final OrderBook book;
    /** Null when the engine keeps no users. */
    final SymbolRisk risk;
    boolean isHalted;

    TradedSymbol(final int slot, final OrderBook book, final SymbolRisk risk)
    {
        this.slot = slot;
        this.book = book;
        this.risk = risk;
    }

    int symbol()
    {
        return book.spec().symbol();
    }
}
