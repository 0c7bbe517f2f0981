package io.millrace.benchmarks.cost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.Verdict;

/**
 * The rounds of one option, beside those of what it is held beside. Round i of both ran next to each other, so their
 * difference says more than the difference of two medians. One thread.
 */
final class OptionSeries
{
    private final CostOption option;
    private final List<OptionRound> rounds = new ArrayList<>();
    private final ToDoubleFunction<OptionRound> perEventNs;

    OptionSeries(final CostOption option, final ToDoubleFunction<OptionRound> perEventNs)
    {
        this.option = option;
        this.perEventNs = perEventNs;
    }

    CostOption option()
    {
        return option;
    }

    void add(final OptionRound round)
    {
        rounds.add(round);
    }

    List<OptionRound> rounds()
    {
        return rounds;
    }

    int cleanRounds()
    {
        return (int)rounds.stream().filter(OptionRound::isClean).count();
    }

    /** Too few clean rounds: then figures are of all of them, and marked. */
    boolean isValid()
    {
        return cleanRounds() >= Verdict.needed(rounds.size());
    }

    boolean counts(final OptionRound round)
    {
        return round.isClean() || !isValid();
    }

    /** Median over the rounds that count. */
    double median(final ToDoubleFunction<OptionRound> figure)
    {
        return Quantile.median(rounds.stream().filter(this::counts).mapToDouble(figure).toArray());
    }

    double perEventNs()
    {
        return median(perEventNs);
    }

    /**
     * What an event costs more than in another series.
     *
     * @return a difference for each round that counts in both, in nanoseconds, the smallest first.
     */
    double[] beyond(final OptionSeries other)
    {
        return IntStream.range(0, Math.min(rounds.size(), other.rounds.size()))
            .filter(i -> counts(rounds.get(i)) && other.counts(other.rounds.get(i)))
            .mapToDouble(i -> perEventNs.applyAsDouble(rounds.get(i)) - perEventNs.applyAsDouble(other.rounds.get(i)))
            .sorted().toArray();
    }

    String status()
    {
        return status(cleanRounds(), rounds.size());
    }

    /** Like {@code ok 9/9}: clean rounds of all. */
    static String status(final int clean, final int all)
    {
        final String word = clean < Verdict.needed(all) ? "INVALID" : all < ReportOptions.FULL_ROUNDS ? "LOOK" : "ok";
        return word + " " + clean + "/" + all;
    }

    /**
     * Where the middle half of sorted numbers lies.
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

    /** How many of the differences are above nothing, of how many. */
    static String above(final double... differences)
    {
        return Arrays.stream(differences).filter(each -> each > 0).count() + "/" + differences.length;
    }
}
