package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The rounds of one contender, and which of them count: the clean ones, or all of them when too few are clean or other
 * threads competed for the CPUs; then the series is INVALID. One thread.
 *
 * @param <R> a round.
 */
public final class Series<R>
{
    /**
     * The least rounds that make a result; fewer are a preview.
     */
    public static final int FULL_ROUNDS = 9;

    /**
     * Least part of the rate asked for that must be achieved.
     */
    public static final double MIN_ACHIEVED = 0.99;

    private final List<R> rounds = new ArrayList<>();
    private final Predicate<R> isClean;
    private ToDoubleFunction<R> runnable = round -> 0;
    private ToDoubleFunction<R> achieved;
    private int cpus;
    private double asked;

    /**
     * A series without rounds.
     *
     * @param isClean whether the host left a round alone.
     */
    public Series(final Predicate<R> isClean)
    {
        this.isClean = isClean;
    }

    /**
     * Also invalid when in the median round more threads were ready to run than there were CPUs.
     *
     * @param newCpus     CPUs that the measured threads used, one each.
     * @param newRunnable runnable threads of a round; not a number when not known.
     * @return this.
     */
    public Series<R> competing(final int newCpus, final ToDoubleFunction<R> newRunnable)
    {
        cpus = newCpus;
        runnable = newRunnable;
        return this;
    }

    /**
     * Saturated when the median round achieved less than 99 % of a rate. One clean round is enough for that, when no
     * clean one achieved more: a path that falls short on an undisturbed host is itself the cause.
     *
     * @param newAsked    the rate asked for.
     * @param newAchieved the rate of a round.
     * @return this.
     */
    public Series<R> asked(final double newAsked, final ToDoubleFunction<R> newAchieved)
    {
        asked = newAsked;
        achieved = newAchieved;
        return this;
    }

    /**
     * Add a round.
     *
     * @param round the next one.
     * @return this.
     */
    public Series<R> add(final R round)
    {
        rounds.add(round);
        return this;
    }

    /**
     * Add rounds.
     *
     * @param more the next ones.
     * @return this.
     */
    public Series<R> addAll(final List<R> more)
    {
        rounds.addAll(more);
        return this;
    }

    /**
     * All rounds.
     *
     * @return in the order in which they ran.
     */
    public List<R> rounds()
    {
        return rounds;
    }

    /**
     * Describe each round.
     *
     * @param line makes a line from a round and its index, from 0.
     * @return the lines in the order of the rounds.
     */
    public List<String> lines(final BiFunction<R, Integer, String> line)
    {
        return IntStream.range(0, rounds.size()).mapToObj(i -> line.apply(rounds.get(i), i)).toList();
    }

    /** Number of clean rounds. */
    public int clean()
    {
        return (int)rounds.stream().filter(isClean).count();
    }

    /**
     * Rounds that must be clean: 5 of 9, and the same part of another number.
     *
     * @param rounds how many there are.
     * @return 5/9 of it, rounded up.
     */
    public static int needed(final int rounds)
    {
        return (5 * rounds + 8) / 9;
    }

    /**
     * Why the series is no result.
     *
     * @return empty when it is one.
     */
    public String invalid()
    {
        final List<String> reasons = new ArrayList<>();
        if (clean() < needed(rounds.size()) && !allFellShort())
        {
            reasons.add(clean() + " of " + rounds.size() + " rounds are clean, " + needed(rounds.size()) +
                " are needed");
        }
        final double threads = Quantile.median(rounds.stream().mapToDouble(runnable).toArray());
        if (cpus > 0 && threads > cpus * (1 + Readings.MAX_COMPETING))
        {
            reasons.add(String.format(Locale.ROOT, "%.1f runnable threads on %d CPU%s", threads, cpus,
                cpus == 1 ? "" : "s"));
        }
        return String.join("; ", reasons);
    }

    /**
     * A line for a report about a series that is no result.
     *
     * @param name of the contender.
     * @return no line when it is one.
     */
    public List<String> complaint(final String name)
    {
        return isValid() ? List.of() : List.of(name + " is INVALID: " + invalid());
    }

    private boolean allFellShort()
    {
        return achieved != null && clean() > 0 &&
            rounds.stream().filter(isClean).allMatch(round -> achieved.applyAsDouble(round) < MIN_ACHIEVED * asked);
    }

    /**
     * Checks whether the rounds make a result.
     *
     * @return true when nothing speaks against it.
     */
    public boolean isValid()
    {
        return invalid().isEmpty();
    }

    /**
     * Checks whether the rate was missed: a separate result, and never of an invalid series, where the host may be
     * why.
     *
     * @return true below 99 % of it.
     */
    public boolean isSaturated()
    {
        return achieved != null && isValid() && median(achieved) < MIN_ACHIEVED * asked;
    }

    /**
     * Checks whether there are too few rounds for a result, whatever they show.
     *
     * @return true below {@value #FULL_ROUNDS} rounds.
     */
    public boolean isPreview()
    {
        return rounds.size() < FULL_ROUNDS;
    }

    /**
     * Status of the series.
     *
     * @return {@code ok 9/9}, {@code SATURATED 8/9}, {@code INVALID 3/9}; with fewer than {@value #FULL_ROUNDS} rounds
     *         {@code PREVIEW 1/1} for the first two. Clean rounds of all rounds.
     */
    public String status()
    {
        return word() + " " + clean() + "/" + rounds.size();
    }

    private String word()
    {
        return !isValid() ? "INVALID" : isPreview() ? "PREVIEW" : isSaturated() ? "SATURATED" : "ok";
    }

    /**
     * Checks whether a round counts.
     *
     * @param index of the round.
     * @return true for a clean one, and for all when the series is invalid.
     */
    public boolean counts(final int index)
    {
        return isClean.test(rounds.get(index)) || !isValid();
    }

    /**
     * The rounds that count.
     *
     * @return in the order in which they ran.
     */
    public List<R> kept()
    {
        return isValid() ? rounds.stream().filter(isClean).toList() : rounds;
    }

    /**
     * The histograms of the rounds that count, in one.
     *
     * @param histogram of a round.
     * @return their sum.
     */
    public Histogram merged(final Function<R, Histogram> histogram)
    {
        final Histogram sum = LatencyRecorder.newHistogram();
        kept().forEach(round -> sum.add(histogram.apply(round)));
        return sum;
    }

    /**
     * A figure of the rounds that count.
     *
     * @param figure of a round.
     * @return the figures from the least to the greatest.
     */
    public double[] sorted(final ToDoubleFunction<R> figure)
    {
        return kept().stream().mapToDouble(figure).sorted().toArray();
    }

    /**
     * A figure over the rounds that count.
     *
     * @param figure of a round.
     * @return the median; not a number without rounds.
     */
    public double median(final ToDoubleFunction<R> figure)
    {
        return Quantile.median(sorted(figure));
    }

    /**
     * Compare with the rounds of another contender, each with the one that ran right before or after it.
     *
     * @param other   the other contender's, of the same indexes.
     * @param compare the value of a pair.
     * @param <S>     the other's round.
     * @return the values of the pairs in which both rounds count, but those that are no finite number.
     */
    public <S> double[] pairs(final Series<S> other, final ToDoubleBiFunction<R, S> compare)
    {
        final boolean[] theirs = new boolean[other.rounds.size()];
        final boolean isInvalid = !isValid();
        for (int i = 0; i < theirs.length; i++)
        {
            theirs[i] = other.counts(i);
        }
        return IntStream.range(0, Math.min(rounds.size(), theirs.length))
            .filter(i -> theirs[i] && (isInvalid || isClean.test(rounds.get(i))))
            .mapToDouble(i -> compare.applyAsDouble(rounds.get(i), other.rounds.get(i)))
            .filter(Double::isFinite).toArray();
    }

    /**
     * The ratio to another contender, round by round.
     *
     * @param other  the other contender's rounds of the same kind.
     * @param figure of a round.
     * @return the median of the pairs' ratios; not a number without any.
     */
    public double ratioTo(final Series<R> other, final ToDoubleFunction<R> figure)
    {
        return Quantile.median(pairs(other,
            (one, another) -> figure.applyAsDouble(one) / figure.applyAsDouble(another)));
    }
}
