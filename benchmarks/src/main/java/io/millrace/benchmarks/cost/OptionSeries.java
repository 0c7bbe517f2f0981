package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Series;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one option, each with a round of what it is compared with that ran right before or right after it: the
 * host changes its pace within seconds, so the difference of such a pair says more than that of two medians. One
 * thread.
 */
final class OptionSeries
{
    final CostOption option;
    private final ToDoubleFunction<OptionRound> perEventNs;
    final Series<Pair> pairs = new Series<>(Pair::isClean);

    /**
     * @param round  of the option.
     * @param reference the neighbouring round of its reference; null without one.
     */
    record Pair(OptionRound round, OptionRound reference)
    {
        boolean isClean()
        {
            return round.isClean() && (reference == null || reference.isClean());
        }
    }

    OptionSeries(final CostOption option, final ToDoubleFunction<OptionRound> perEventNs)
    {
        this.option = option;
        this.perEventNs = perEventNs;
    }

    /** Add a round; reference is null for an option that is compared with nothing. */
    void add(final OptionRound round, final OptionRound reference)
    {
        pairs.add(new Pair(round, reference));
    }

    /** Median over the rounds that count. */
    double median(final ToDoubleFunction<OptionRound> figure)
    {
        return pairs.median(pair -> figure.applyAsDouble(pair.round));
    }

    double perEventNs()
    {
        return median(perEventNs);
    }

    /**
     * Additional cost of an event, compared with the option's reference.
     *
     * @return a difference for each pair that counts, in nanoseconds, the smallest first.
     */
    double[] more()
    {
        return pairs.sorted(pair -> perEventNs.applyAsDouble(pair.round) - perEventNs.applyAsDouble(pair.reference));
    }

    /**
     * Range of the middle half of sorted numbers.
     *
     * @param sorted the smallest first.
     * @return like {@code -0.10 to 0.45}; {@code -} for none.
     */
    static String middleHalf(final double... sorted)
    {
        if (sorted.length == 0)
        {
            return "-";
        }
        // The nearest ranks: of 9, the 3rd and the 7th.
        final int quarter = (sorted.length - 1) / 4;
        return String.format(Locale.ROOT, "%.2f to %.2f", sorted[quarter], sorted[sorted.length - 1 - quarter]);
    }

    /** Number of positive differences, and of all. */
    static String above(final double... differences)
    {
        return Arrays.stream(differences).filter(each -> each > 0).count() + "/" + differences.length;
    }
}
