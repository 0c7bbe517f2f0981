package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.jmh.book.BookSummary;

import java.util.List;

/**
 * One book of one size measured. Immutable.
 *
 * @param size        how large it is.
 * @param contender   whose it is.
 * @param summary     its rounds.
 * @param reference   the first contender's rounds with the same numbers.
 * @param loadNs      a load from a random place of its memory, one figure for each round.
 * @param touched     bytes that the loads were drawn from.
 * @param openedBytes heap use of the empty book.
 * @param fullBytes   heap use of the full book.
 * @param levels      how many prices had orders, in the middle over the rounds.
 */
record DepthResult(
    DepthCase size,
    DepthContender contender,
    BookSummary summary,
    BookSummary reference,
    List<Double> loadNs,
    long touched,
    long openedBytes,
    long fullBytes,
    double levels)
{
    // Bytes of an order that a command of ours may touch: its row 64, its links 8, its part of the id table 16.
    private static final long TOUCHED_BYTES_PER_ORDER = 88;
    // Of a small book the JVM's own coming and going on the heap is more than the book: then its order objects alone.
    private static final long LEAST_BYTES_PER_ORDER = 72;
    // Volume and count 16, the queue's links 8.
    private static final long TOUCHED_BYTES_PER_LEVEL = 24;

    /** Memory that commands touch: of ours by its fields, of another's all that it takes. */
    static long touched(final DepthCase size, final DepthContender contender, final long fullBytes)
    {
        return contender.isOurs ?
            TOUCHED_BYTES_PER_ORDER * size.orders() + TOUCHED_BYTES_PER_LEVEL * size.levels() :
            Math.max(LEAST_BYTES_PER_ORDER * size.orders(), fullBytes);
    }

    double ns()
    {
        return summary.medianNs();
    }

    double randomLoadNs()
    {
        return Quantile.median(loadNs.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** True if the line through its contender's figures is drawn through this one, too: the same code runs. */
    boolean isFitted()
    {
        return contender != DepthContender.FAR && size.isInsideWindow();
    }

    /** The line through the figures of a contender. */
    static LineFit fit(final List<DepthResult> all, final DepthContender contender)
    {
        final List<DepthResult> fitted =
            all.stream().filter(one -> one.contender == contender && one.isFitted()).toList();
        return LineFit.of(fitted.stream().mapToDouble(DepthResult::randomLoadNs).toArray(),
            fitted.stream().mapToDouble(DepthResult::ns).toArray());
    }
}
