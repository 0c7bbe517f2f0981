package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.jmh.book.BookRound;

import java.io.Serializable;

/**
 * A round of a book, and how many levels it had at the end.
 *
 * @param round  its time and result.
 * @param levels a count.
 */
record DepthRound(BookRound round, long levels) implements Serializable
{
}
