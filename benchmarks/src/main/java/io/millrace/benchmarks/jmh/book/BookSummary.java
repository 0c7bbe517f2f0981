package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Series;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * Result of the rounds of one contender.
 *
 * @param name   of the contender.
 * @param series its rounds, and which count.
 */
public record BookSummary(String name, Series<BookRound> series)
{
    /** Rounds are compared when their calibrations differ by less: then the host was in one phase. */
    private static final double SAME_PHASE = 1.1;

    /**
     * Judge the rounds.
     *
     * @param name   of the contender.
     * @param rounds all that were measured, in their order.
     */
    public BookSummary(final String name, final List<BookRound> rounds)
    {
        this(name, new Series<BookRound>(round -> round.readings().isClean())
            .competing(1, BookRound::runnable).addAll(rounds));
    }

    /**
     * CPU time of a command.
     *
     * @return median over the rounds that count, in nanoseconds.
     */
    public double medianNs()
    {
        return series.median(BookRound::ns);
    }

    /**
     * CPU time of a command while the host was quietest.
     *
     * @return median over the fastest quarter of the rounds that count (at least one), in nanoseconds.
     */
    public double quietNs()
    {
        final double[] sorted = series.sorted(BookRound::ns);
        return Quantile.median(Arrays.copyOf(sorted, (sorted.length + 3) / 4));
    }

    /**
     * Bytes allocated for a command.
     *
     * @return median over all rounds.
     */
    public double bytes()
    {
        return Quantile.median(series.rounds().stream().mapToDouble(BookRound::bytesPerCommand).toArray());
    }

    /**
     * Pace of the host around the rounds.
     *
     * @return median of the calibrations over all rounds, in nanoseconds.
     */
    public double calibrationNs()
    {
        return Quantile.median(series.rounds().stream().mapToDouble(BookRound::calibrationNs).toArray());
    }

    /**
     * This contender's time by another's.
     *
     * @param other the other, whose rounds were interleaved with these.
     * @return median over the pairs; not a number when there is none.
     */
    public double ratioTo(final BookSummary other)
    {
        return Quantile.median(pairs(other, (round, theirs) -> round.ns() / theirs.ns()));
    }

    /**
     * This contender's time less another's.
     *
     * @param other the other, whose rounds were interleaved with these.
     * @return median over the pairs, in nanoseconds for a command; not a number when there is none.
     */
    public double beyondNs(final BookSummary other)
    {
        return Quantile.median(pairs(other, (round, theirs) -> round.ns() - theirs.ns()));
    }

    /**
     * Number of pairs of rounds that can be compared: neighbours that both count, while the host had the same pace.
     *
     * @param other the other.
     * @return a count.
     */
    public int pairCount(final BookSummary other)
    {
        return pairs(other, (round, theirs) -> 1).length;
    }

    private double[] pairs(final BookSummary other, final ToDoubleBiFunction<BookRound, BookRound> compare)
    {
        return series.pairs(other.series, (round, theirs) ->
        {
            final double pace = round.calibrationNs() / theirs.calibrationNs();
            return pace < SAME_PHASE && 1 / pace < SAME_PHASE ? compare.applyAsDouble(round, theirs) : Double.NaN;
        });
    }
}
