package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Searches for the highest rate that a path carries: at least 99 % of it achieved, with a median latency below a limit.
 * A few rounds at each rate decide. One thread.
 *
 * @param maxP50Ns the median latency that a carried rate stays below.
 * @param rounds   where the rounds come from.
 * @param timeLeft whether there is time for another rate.
 */
public record RateSearch(long maxP50Ns, Rounds rounds, BooleanSupplier timeLeft)
{
    // Eight steps of 15 % end at 0.3 times what was achieved; by then it is another defect.
    private static final int STEPS = 8;
    private static final double FIRST = 0.95;
    private static final double STEP = 0.85;
    // Two that agree decide; the host spoils some.
    private static final int AGREEING = 2;
    private static final int MAX_ROUNDS = 5;
    private static final double TWO_DIGITS = 100.0;

    /**
     * Source of the rounds.
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
        Round at(long perSecond) throws IOException;
    }

    /**
     * Result of a search.
     *
     * @param perSecond the rate that was carried; 0 when none was found.
     * @param p50Ns     median latency there, in nanoseconds; not a number when it was not measured.
     * @param rounds    how many rounds carried it.
     * @param missed    the lowest rate that was tried and not carried; 0 when there was none.
     * @param timedOut  that the search ended for want of time.
     * @param maxP50Ns  the limit.
     */
    public record Carried(long perSecond, double p50Ns, int rounds, long missed, boolean timedOut, long maxP50Ns)
    {
        @Override
        public String toString()
        {
            final String limit = " with a p50 below " + Quantile.text(maxP50Ns);
            return (perSecond == 0 ? "no rate" + limit + " was found" :
                String.format(Locale.ROOT, "carries %,d/s%s", perSecond, limit)) +
                (Double.isNaN(p50Ns) ? "" :
                    " (it is " + Quantile.text(p50Ns) + ", " + rounds + " short rounds)") +
                (missed == 0 ? "" : String.format(Locale.ROOT, "; does not carry %,d/s", missed)) +
                (timedOut ? "; the time budget ended the search" : "");
        }
    }

    /**
     * Search downwards in steps.
     *
     * @param achievedPerSecond what the path achieved when more was asked of it.
     * @return the result.
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
                return new Carried(0, Double.NaN, 0, missed, true, maxP50Ns);
            }
            final long perSecond = twoDigits(next);
            final List<Double> carried = carried(perSecond);
            if (!carried.isEmpty())
            {
                return new Carried(perSecond, Quantile.median(
                    carried.stream().mapToDouble(Double::doubleValue).toArray()), carried.size(), missed, false,
                    maxP50Ns);
            }
            missed = perSecond;
            next *= STEP;
        }
        return new Carried(0, Double.NaN, 0, missed, false, maxP50Ns);
    }

    /** Rounded down to two digits: more would be noise. */
    static long twoDigits(final double perSecond)
    {
        final double unit = Math.pow(10.0, Math.floor(Math.log10(perSecond))) * 10.0 / TWO_DIGITS;
        return Math.round(Math.floor(perSecond / unit) * unit);
    }

    /**
     * Halve the distance between a rate that is carried and one that is not, until it is a step.
     *
     * @param carried a rate that is carried, 0 for none.
     * @param missed  a greater one that is not; 0 when none is known: then twice the carried one is tried first.
     * @param step    the resolution of the search.
     * @return the result.
     * @throws IOException when the contender failed.
     */
    public Carried between(final long carried, final long missed, final long step) throws IOException
    {
        long low = carried;
        long high = missed;
        while (high == 0 ? low > 0 && 2 * low <= Rate.MAX_PER_SECOND : high - low > step)
        {
            if (!timeLeft.getAsBoolean())
            {
                return new Carried(low, Double.NaN, 0, high, true, maxP50Ns);
            }
            final long next = high == 0 ? 2 * low : middle(low, high, step);
            if (carried(next).isEmpty())
            {
                high = next;
            }
            else
            {
                low = next;
            }
        }
        return new Carried(low, Double.NaN, 0, high, false, maxP50Ns);
    }

    /** A multiple of the step between both. */
    private static long middle(final long low, final long high, final long step)
    {
        final long middle = Math.round((low + high) / 2.0 / step) * step;
        return middle <= low || middle >= high ? (low + high) / 2 : middle;
    }

    /** Medians of the rounds that carried the rate; empty when too few did. */
    private List<Double> carried(final long perSecond) throws IOException
    {
        final List<Double> medians = new ArrayList<>();
        int missed = 0;
        for (int i = 0; i < MAX_ROUNDS && medians.size() < AGREEING && missed < AGREEING; i++)
        {
            final Round round = rounds.at(perSecond);
            if (isCarried(perSecond, round.achievedPerSecond(), round.intendedNs(50.0)))
            {
                medians.add(round.intendedNs(50.0));
            }
            else if (round.isClean())
            {
                missed++;
            }
        }
        return medians.size() < AGREEING ? List.of() : medians;
    }

    /**
     * Checks whether a rate is carried.
     *
     * @param perSecond         the rate.
     * @param achievedPerSecond the achieved rate.
     * @param p50Ns             the median latency; one that is not known carries none.
     * @return true within both limits.
     */
    public boolean isCarried(final long perSecond, final double achievedPerSecond, final double p50Ns)
    {
        return p50Ns < maxP50Ns && achievedPerSecond >= Series.MIN_ACHIEVED * perSecond;
    }
}
