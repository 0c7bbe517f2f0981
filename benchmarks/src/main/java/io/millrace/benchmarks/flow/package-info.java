/**
 * The benchmark order flow: a seeded generator of order commands, and how they are given to an order book.
 */
package io.millrace.benchmarks.flow;
