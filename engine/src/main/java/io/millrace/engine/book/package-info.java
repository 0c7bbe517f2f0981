/**
 * One order book: matching, price-time priority, an arena of orders; and on the same arena the book of another market,
 * rebuilt from its feed. Knows no threads, no clock, no server, no logging.
 */
package io.millrace.engine.book;
