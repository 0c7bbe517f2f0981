package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.util.Locale;
import java.util.function.BooleanSupplier;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Rate;
import io.millrace.benchmarks.rate.RateSearch;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.benchmarks.rate.Verdict;

/**
 * Looks for the highest rate that an exchange carries: at least 99 % of it achieved, with a median latency below ten
 * milliseconds. Halves the distance between a rate that it carries and one that it does not. One thread.
 */
final class StableRate
{
    /** Median latency at which the published benchmark ends. */
    static final long MAX_P50_NS = 10_000_000;

    /** How exactly it is told, in commands per second. */
    static final long STEP = 100_000;

    // Two that agree decide; the host spoils some.
    private static final int AGREEING = 2;
    private static final int MAX_ROUNDS = 5;

    private final RateSearch.Rounds rounds;
    private final BooleanSupplier timeLeft;

    /**
     * What a search came to.
     *
     * @param perSecond the highest rate that was carried; 0 when none was.
     * @param missed    the lowest rate that was not; 0 when none was tried.
     * @param timedOut  that the search ended for want of time.
     */
    record Found(long perSecond, long missed, boolean timedOut)
    {
        @Override
        public String toString()
        {
            return (perSecond == 0 ? "none found" : String.format(Locale.ROOT, "%,d commands/s", perSecond)) +
                (missed == 0 ? "; none that is not was tried" :
                String.format(Locale.ROOT, "; %,d/s is not stable", missed)) +
                (timedOut ? "; the time budget does not allow to look closer" : "");
        }
    }

    /**
     * @param rounds   where rounds come from.
     * @param timeLeft whether there is time for another rate.
     */
    StableRate(final RateSearch.Rounds rounds, final BooleanSupplier timeLeft)
    {
        this.rounds = rounds;
        this.timeLeft = timeLeft;
    }

    /** Whether a round carried its rate. */
    static boolean carried(final RoundResult round)
    {
        return carried(round.plan().perSecond(), round.achievedPerSecond(), Quantile.of(round.intended(), 50.0));
    }

    /** Whether a rate is carried; a median that is not known carries none. */
    static boolean carried(final long perSecond, final double achievedPerSecond, final double p50Ns)
    {
        return p50Ns < MAX_P50_NS && achievedPerSecond >= Verdict.MIN_ACHIEVED * perSecond;
    }

    /**
     * Search.
     *
     * @param carried a rate that is carried, 0 for none.
     * @param missed  a greater one that is not; 0 when none is known: then twice the carried one is tried first.
     * @throws IOException when the contender failed.
     */
    Found between(final long carried, final long missed) throws IOException
    {
        long low = carried;
        long high = missed;
        while (high == 0 && low > 0 && 2 * low <= Rate.MAX_PER_SECOND)
        {
            if (!timeLeft.getAsBoolean())
            {
                return new Found(low, 0, true);
            }
            if (isCarried(2 * low))
            {
                low *= 2;
            }
            else
            {
                high = 2 * low;
            }
        }
        while (high - low > STEP)
        {
            if (!timeLeft.getAsBoolean())
            {
                return new Found(low, high, true);
            }
            final long middle = middle(low, high);
            if (isCarried(middle))
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }
        return new Found(low, high, false);
    }

    /** A multiple of the step between both. */
    private static long middle(final long low, final long high)
    {
        final long middle = Math.round((low + high) / 2.0 / STEP) * STEP;
        return middle <= low || middle >= high ? (low + high) / 2 : middle;
    }

    private boolean isCarried(final long perSecond) throws IOException
    {
        int carried = 0;
        int missed = 0;
        for (int i = 0; i < MAX_ROUNDS && carried < AGREEING && missed < AGREEING; i++)
        {
            final RoundResult round = rounds.at(perSecond);
            if (carried(round))
            {
                carried++;
            }
            else if (Verdict.isClean(round))
            {
                missed++;
            }
        }
        return carried >= AGREEING;
    }
}
