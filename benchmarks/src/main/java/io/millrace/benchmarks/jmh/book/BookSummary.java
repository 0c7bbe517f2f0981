package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.Verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * What the rounds of one contender come to. Immutable after it was made.
 */
public final class BookSummary
{
    /** Rounds are compared when the calibrations beside them differ by less: then the host was in one phase. */
    private static final double SAME_PHASE = 1.1;

    private final String name;
    private final List<BookRound> rounds;
    private final boolean[] counts;
    private final int clean;
    private final boolean crowded;

    /**
     * Judge the rounds.
     *
     * @param name   of the contender.
     * @param rounds all that were measured, in their order.
     */
    public BookSummary(final String name, final List<BookRound> rounds)
    {
        this.name = name;
        this.rounds = List.copyOf(rounds);
        clean = (int)rounds.stream().filter(BookRound::isClean).count();
        crowded = Quantile.median(rounds.stream().mapToDouble(BookRound::runnable).toArray()) > Verdict.MOST_ON_ONE_CPU;
        counts = new boolean[rounds.size()];
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] = !isValid() || rounds.get(i).isClean();
        }
    }

    /**
     * The contender.
     *
     * @return its name.
     */
    public String name()
    {
        return name;
    }

    /**
     * All rounds.
     *
     * @return in their order.
     */
    public List<BookRound> rounds()
    {
        return rounds;
    }

    /**
     * Whether the rounds make a result.
     *
     * @return false when fewer than 5 of 9 were clean, or others had the CPU for more than 5 % of the time.
     */
    public boolean isValid()
    {
        return clean >= Verdict.needed(rounds.size()) && !crowded;
    }

    /**
     * The verdict in a word, with clean rounds of all rounds.
     *
     * @return {@code ok 25/25}, {@code INVALID 3/9}; {@code LOOK 3/3} when fewer than 9 were asked for.
     */
    public String status()
    {
        return (!isValid() ? "INVALID " : rounds.size() < ReportOptions.FULL_ROUNDS ? "LOOK " : "ok ") +
            clean + "/" + rounds.size();
    }

    /**
     * Why the rounds make no result.
     *
     * @return the reason in words; empty when they do.
     */
    public String reason()
    {
        return isValid() ? "" : crowded ? "others had the CPU for more than 5 % of the time" :
            "steal above 1 % in " + (rounds.size() - clean) + " of " + rounds.size() + " rounds";
    }

    /** Nanoseconds per command of the rounds that count, smallest first: the clean ones, or all when invalid. */
    private double[] sortedNs()
    {
        final List<BookRound> counted = new ArrayList<>();
        for (int i = 0; i < counts.length; i++)
        {
            if (counts[i])
            {
                counted.add(rounds.get(i));
            }
        }
        return counted.stream().mapToDouble(BookRound::ns).sorted().toArray();
    }

    /**
     * CPU time of a command.
     *
     * @return median over the rounds that count, in nanoseconds.
     */
    public double medianNs()
    {
        return Quantile.median(sortedNs());
    }

    /**
     * CPU time of a command while the host was quietest.
     *
     * @return median over the fastest quarter of the rounds that count (at least one), in nanoseconds.
     */
    public double quietNs()
    {
        final double[] sorted = sortedNs();
        return Quantile.median(Arrays.copyOf(sorted, (sorted.length + 3) / 4));
    }

    /**
     * The fastest round that counts.
     *
     * @return nanoseconds for a command.
     */
    public double minNs()
    {
        return sortedNs()[0];
    }

    /**
     * The slowest round that counts.
     *
     * @return nanoseconds for a command.
     */
    public double maxNs()
    {
        final double[] sorted = sortedNs();
        return sorted[sorted.length - 1];
    }

    /**
     * Bytes allocated for a command.
     *
     * @return median over all rounds.
     */
    public double bytes()
    {
        return Quantile.median(rounds.stream().mapToDouble(BookRound::bytesPerCommand).toArray());
    }

    /**
     * Pace of the host beside the rounds.
     *
     * @return median of the calibrations over all rounds, in nanoseconds.
     */
    public double calibrationNs()
    {
        return Quantile.median(rounds.stream().mapToDouble(BookRound::calibrationNs).toArray());
    }

    /**
     * This contender's time by another's.
     *
     * @param other the other, measured in the same turns.
     * @return median over the pairs; not a number when there is none.
     */
    public double ratioTo(final BookSummary other)
    {
        return Quantile.median(pairs(other, (ns, otherNs) -> ns / otherNs));
    }

    /**
     * This contender's time less another's.
     *
     * @param other the other, measured in the same turns.
     * @return median over the pairs, in nanoseconds for a command; not a number when there is none.
     */
    public double beyondNs(final BookSummary other)
    {
        return Quantile.median(pairs(other, (ns, otherNs) -> ns - otherNs));
    }

    /**
     * How many rounds can be compared: they were run in the same turn, both count, and the host had the same pace.
     *
     * @param other the other.
     * @return a count.
     */
    public int pairCount(final BookSummary other)
    {
        return pairs(other, (ns, otherNs) -> ns).length;
    }

    private double[] pairs(final BookSummary other, final DoubleBinaryOperator compare)
    {
        final double[] values = new double[Math.min(counts.length, other.counts.length)];
        int count = 0;
        for (int i = 0; i < values.length; i++)
        {
            final double pace = rounds.get(i).calibrationNs() / other.rounds.get(i).calibrationNs();
            if (counts[i] && other.counts[i] && pace < SAME_PHASE && 1 / pace < SAME_PHASE)
            {
                values[count++] = compare.applyAsDouble(rounds.get(i).ns(), other.rounds.get(i).ns());
            }
        }
        return Arrays.copyOf(values, count);
    }
}
