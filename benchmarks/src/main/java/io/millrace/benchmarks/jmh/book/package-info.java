/**
 * The order book on the benchmark flow, compared with other books: the same commands, each contender in a JVM of its
 * own, in interleaved rounds, with every answer checked. Profile {@code book-race}.
 */
package io.millrace.benchmarks.jmh.book;
