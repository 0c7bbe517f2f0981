/**
 * Order books of a single symbol. An {@link io.millrace.engine.book.OrderBook} matches by price and time; a
 * {@link io.millrace.engine.book.MarketByOrderBook} rebuilds the book of an external market from its feed. Both store
 * their orders in the same kind of arena. No threads, clock, server or logging.
 */
package io.millrace.engine.book;
