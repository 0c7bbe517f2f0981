/**
 * A small order book whose storage of orders and whose directory of price levels can be exchanged, to see what each of
 * them costs on the benchmark flow. Measurement code: it does the commands of that flow and no more, and checks little.
 */
package io.millrace.benchmarks.jmh.book.layout;
