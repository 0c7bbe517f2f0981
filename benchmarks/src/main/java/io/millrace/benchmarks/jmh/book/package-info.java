/**
 * The order book on the benchmark flow, compared with other books: the same commands, each contender in a JVM of its
 * own, in interleaved rounds, with every answer checked. See {@link io.millrace.benchmarks.BookRaceReport}.
 */
package io.millrace.benchmarks.jmh.book;
