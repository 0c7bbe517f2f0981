package io.millrace.engine.book;

/**
 * What is traded under a symbol.
 */
public enum SymbolType
{
    /**
     * One currency against another, paid at once. A bid holds money up to its reserve price and cannot move above it.
     */
    SPOT,

    /**
     * A contract on margin. Reserve prices are carried along and mean nothing.
     */
    FUTURE
}
