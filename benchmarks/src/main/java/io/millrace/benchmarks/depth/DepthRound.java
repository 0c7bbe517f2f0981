package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.rate.WireLine;

/**
 * A round of a book, and how many levels it had at the end.
 *
 * @param round  what it took and came to.
 * @param levels a count.
 */
record DepthRound(BookRound round, long levels)
{
    static DepthRound from(final WireLine line)
    {
        return new DepthRound(BookRound.from(line), line.number("levels"));
    }

    WireLine toLine()
    {
        return round.toLine().put("levels", levels);
    }
}
