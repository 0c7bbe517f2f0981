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
 * The rounds of one option, each with a round of what it is held beside that ran right before or right after it: the
 * host changes its pace within seconds, so the difference of such a pair says more than that of two medians. One
 * thread.
 */
final class OptionSeries
{
    private final CostOption option;
    private final List<OptionRound> rounds = new ArrayList<>();
    private final List<OptionRound> besides = new ArrayList<>();
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

    /** An option that is held beside nothing. */
    void add(final OptionRound round)
    {
        rounds.add(round);
    }

    /**
     * Add a pair.
     *
     * @param round  of the option.
     * @param beside the neighbouring round of what it is held beside.
     */
    void add(final OptionRound round, final OptionRound beside)
    {
        rounds.add(round);
        besides.add(beside);
    }

    List<OptionRound> rounds()
    {
        return rounds;
    }

    List<OptionRound> besides()
    {
        return besides;
    }

    /** Rounds that were not disturbed, and whose neighbour was not either. */
    int cleanRounds()
    {
        return (int)IntStream.range(0, rounds.size()).filter(this::isClean).count();
    }

    private boolean isClean(final int index)
    {
        return rounds.get(index).isClean() && (besides.isEmpty() || besides.get(index).isClean());
    }

    /** Too few clean rounds: then figures are of all of them, and marked. */
    boolean isValid()
    {
        return cleanRounds() >= Verdict.needed(rounds.size());
    }

    boolean counts(final int index)
    {
        return isClean(index) || !isValid();
    }

    private IntStream counted()
    {
        return IntStream.range(0, rounds.size()).filter(this::counts);
    }

    /** Median over the rounds that count. */
    double median(final ToDoubleFunction<OptionRound> figure)
    {
        return Quantile.median(counted().mapToObj(rounds::get).mapToDouble(figure).toArray());
    }

    double perEventNs()
    {
        return median(perEventNs);
    }

    /**
     * What an event costs more than in what the option is held beside.
     *
     * @return a difference for each pair that counts, in nanoseconds, the smallest first.
     */
    double[] more()
    {
        return counted().filter(i -> i < besides.size()).mapToDouble(i ->
            perEventNs.applyAsDouble(rounds.get(i)) - perEventNs.applyAsDouble(besides.get(i))).sorted().toArray();
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
