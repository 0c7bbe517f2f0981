/**
 * One order book: matching, price-time priority, an arena of orders. Knows no threads, no clock, no server, no logging.
 */
package io.millrace.engine.book;
