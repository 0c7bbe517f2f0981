package io.millrace.benchmarks.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether the rounds of one contender at one rate make a result, and which of them count.
 *
 * @param kept      the rounds that count: the clean ones, or all when the result is invalid.
 * @param rounds    how many there were.
 * @param clean     how many had steal of at most 1 %.
 * @param invalid   why the result is none; empty when it is one.
 * @param saturated that less than 99 % of the rate was achieved: a result of its own. One clean round is enough for it,
 *                  when no clean one achieved more. Never of an invalid result, where the host may be why.
 */
public record Verdict(List<RoundResult> kept, int rounds, int clean, String invalid, boolean saturated)
{
    /**
     * Greatest part of a round's time that the host may have taken away.
     */
    public static final double MAX_STEAL = 0.01;

    /**
     * Threads that a round measures: the sending and the handling one.
     */
    static final int MEASURED_THREADS = 2;

    /**
     * How many more runnable threads than CPUs there may be, on average over a round: others took 5 % of two threads'
     * time.
     */
    public static final double MAX_CROWD = 0.1;

    /**
     * The same of one thread that is measured alone: others took 5 % of its time.
     */
    public static final double MOST_ON_ONE_CPU = 1.05;

    /**
     * Least part of the rate asked for that must be achieved.
     */
    public static final double MIN_ACHIEVED = 0.99;

    /**
     * Judge the rounds of one contender at one rate.
     *
     * @param rounds all of them, at least one.
     * @param cores  CPUs of the whole machine; the rounds use as many of them as they have threads.
     * @return the verdict.
     */
    public static Verdict of(final List<RoundResult> rounds, final int cores)
    {
        final List<RoundResult> clean = rounds.stream().filter(Verdict::isClean).toList();
        final List<String> reasons = new ArrayList<>();
        final long asked = rounds.get(0).plan().perSecond();
        if (clean.size() < needed(rounds.size()) && !allFellShort(clean, asked))
        {
            reasons.add(clean.size() + " of " + rounds.size() + " rounds had steal <= 1 %, " + needed(rounds.size()) +
                " are needed");
        }
        final double runnable = Quantile.median(rounds.stream().mapToDouble(RoundResult::runnable).toArray());
        final int used = Math.min(cores, MEASURED_THREADS);
        if (runnable > used + MAX_CROWD)
        {
            reasons.add(String.format(Locale.ROOT, "%.1f runnable threads on %d cores", runnable, used));
        }
        final List<RoundResult> kept = reasons.isEmpty() ? clean : rounds;
        final double achieved = Quantile.median(kept.stream().mapToDouble(RoundResult::achievedPerSecond).toArray());
        final boolean saturated = reasons.isEmpty() && achieved < MIN_ACHIEVED * asked;
        return new Verdict(kept, rounds.size(), clean.size(), String.join("; ", reasons), saturated);
    }

    /** A path that falls short whenever the host leaves it alone does so by itself, however seldom that is. */
    private static boolean allFellShort(final List<RoundResult> clean, final long asked)
    {
        return !clean.isEmpty() &&
            clean.stream().allMatch(round -> round.achievedPerSecond() < MIN_ACHIEVED * asked);
    }

    /**
     * Whether a round counts.
     *
     * @param round the round.
     * @return false when the host took away more than 1 % of the measured CPUs. Where steal is not known, every round
     *         counts.
     */
    public static boolean isClean(final RoundResult round)
    {
        return !(round.steal() > MAX_STEAL);
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
     * Whether the rounds make a result.
     *
     * @return true when nothing speaks against it.
     */
    public boolean valid()
    {
        return invalid.isEmpty();
    }

    /**
     * The verdict in a few words.
     *
     * @return {@code ok 9/9}, {@code SATURATED 8/9}, {@code INVALID 3/9}; with fewer than
     *         {@value ReportOptions#FULL_ROUNDS} rounds {@code LOOK 1/1} for the first two. Clean rounds of all rounds.
     */
    public String status()
    {
        return word() + " " + clean + "/" + rounds;
    }

    private String word()
    {
        if (!valid())
        {
            return "INVALID";
        }
        return isLook() ? "LOOK" : saturated ? "SATURATED" : "ok";
    }

    /**
     * Whether there are too few rounds for a result, whatever they show.
     *
     * @return true below {@value ReportOptions#FULL_ROUNDS} rounds.
     */
    public boolean isLook()
    {
        return rounds < ReportOptions.FULL_ROUNDS;
    }
}
