package io.millrace.engine.book;

/**
 * Kind of instrument of a symbol.
 */
public enum SymbolType
{
    /**
     * One currency against another, paid at once. A bid reserves money for its reserve price and cannot move above it.
     */
    SPOT,

    /** A contract on margin. Reserve prices are stored but have no meaning. */
    FUTURE
}
