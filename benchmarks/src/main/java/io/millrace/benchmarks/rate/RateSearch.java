package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Looks for the highest rate that a saturated path carries with its median latency below
 * {@value #MAX_P50_NS} ns: from the rate that it achieved downwards, a few short rounds at each. One thread.
 */
public final class RateSearch
{
    /**
     * The median latency that a carried rate stays below: ten times that of an idle path, so the queue does not grow.
     */
    public static final long MAX_P50_NS = 10_000;

    // Eight steps of 15 % end at 0.3 times what was achieved; by then it is another defect.
    private static final int STEPS = 8;
    private static final double FIRST = 0.95;
    private static final double STEP = 0.85;
    // Two that agree decide; the host spoils some.
    private static final int AGREEING = 2;
    private static final int MAX_ROUNDS = 5;
    private static final double TWO_DIGITS = 100.0;

    private final Rounds rounds;
    private final BooleanSupplier timeLeft;

    /**
     * Where the rounds come from.
     */
    @FunctionalInterface
    public interface Rounds
    {
        /**
         * Run a round.
         *
         * @param perSecond events per second.
         * @return its result.
         * @throws IOException when the contender failed.
         */
        RoundResult at(long perSecond) throws IOException;
    }

    /**
     * What a search came to.
     *
     * @param perSecond the rate that was carried; 0 when none was found.
     * @param p50Ns     median latency there, in nanoseconds.
     * @param rounds    how many rounds carried it.
     * @param missed    the lowest rate that was tried and not carried; 0 when the first one was.
     * @param timedOut  that the search ended for want of time.
     */
    public record Carried(long perSecond, double p50Ns, int rounds, long missed, boolean timedOut)
    {
        @Override
        public String toString()
        {
            final String not = missed == 0 ? "" : String.format(Locale.ROOT, "; %,d/s is not carried so", missed);
            if (perSecond > 0)
            {
                return String.format(Locale.ROOT, "carries %,d/s with a p50 below %s (it is %s, %d short rounds)%s",
                    perSecond, Quantile.text(MAX_P50_NS), Quantile.text(p50Ns), rounds, not);
            }
            return "no rate with a p50 below " + Quantile.text(MAX_P50_NS) + " was found" +
                (timedOut ? ", the time budget does not allow to look further" : "") + not;
        }
    }

    /**
     * A search.
     *
     * @param rounds   where the rounds come from.
     * @param timeLeft whether there is time for another rate.
     */
    public RateSearch(final Rounds rounds, final BooleanSupplier timeLeft)
    {
        this.rounds = rounds;
        this.timeLeft = timeLeft;
    }

    /**
     * Search.
     *
     * @param achievedPerSecond what the path achieved when more was asked of it.
     * @return what was found.
     * @throws IOException when the contender failed.
     */
    public Carried below(final double achievedPerSecond) throws IOException
    {
        long missed = 0;
        double next = achievedPerSecond * FIRST;
        for (int i = 0; i < STEPS && next >= Rate.MIN_PER_SECOND; i++)
        {
            if (!timeLeft.getAsBoolean())
            {
                return new Carried(0, Double.NaN, 0, missed, true);
            }
            final long perSecond = twoDigits(next);
            final List<Double> carried = carried(perSecond);
            if (!carried.isEmpty())
            {
                return new Carried(perSecond, Quantile.median(
                    carried.stream().mapToDouble(Double::doubleValue).toArray()), carried.size(), missed, false);
            }
            missed = perSecond;
            next *= STEP;
        }
        return new Carried(0, Double.NaN, 0, missed, false);
    }

    /** Rounded down to two digits: more would be noise. */
    static long twoDigits(final double perSecond)
    {
        final double unit = Math.pow(10.0, Math.floor(Math.log10(perSecond))) * 10.0 / TWO_DIGITS;
        return Math.round(Math.floor(perSecond / unit) * unit);
    }

    /** Medians of the rounds that carried the rate; empty when too few did. */
    private List<Double> carried(final long perSecond) throws IOException
    {
        final List<Double> medians = new ArrayList<>();
        int missed = 0;
        for (int i = 0; i < MAX_ROUNDS && medians.size() < AGREEING && missed < AGREEING; i++)
        {
            final RoundResult round = rounds.at(perSecond);
            final double p50Ns = Quantile.of(round.intended(), 50.0);
            if (p50Ns < MAX_P50_NS && round.achievedPerSecond() >= Verdict.MIN_ACHIEVED * perSecond)
            {
                medians.add(p50Ns);
            }
            else if (Verdict.isClean(round))
            {
                missed++;
            }
        }
        return medians.size() < AGREEING ? List.of() : medians;
    }
}
