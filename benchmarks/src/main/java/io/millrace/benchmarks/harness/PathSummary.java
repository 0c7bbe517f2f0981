package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The rounds of one path at one rate, summed up over those that count.
 *
 * @param name   of the path.
 * @param rate   asked for.
 * @param series all rounds, and which count.
 */
public record PathSummary(String name, Rate rate, Series<Round> series)
{
    /**
     * Sum up.
     *
     * @param name   of the path.
     * @param rate   asked for.
     * @param rounds all rounds, at least one.
     * @param cores  CPUs of the machine.
     */
    public PathSummary(final String name, final Rate rate, final List<Round> rounds, final int cores)
    {
        this(name, rate, Round.series(rounds, cores));
    }

    /** Latencies from the intended time, over the rounds that count, in nanoseconds. */
    public Histogram intended()
    {
        return series.merged(Round::intended);
    }

    /** Latencies from the actual send, over the rounds that count, in nanoseconds. */
    public Histogram direct()
    {
        return series.merged(Round::direct);
    }

    /** Events per second, the median over the rounds that count. */
    public double achievedPerSecond()
    {
        return series.median(Round::achievedPerSecond);
    }

    /**
     * Sum something over the rounds that count.
     *
     * @param what the number of one round.
     * @return the sum.
     */
    public long sum(final ToLongFunction<Round> what)
    {
        return series.kept().stream().mapToLong(what).sum();
    }

    /**
     * Share something among the events handled in the rounds that count.
     *
     * @param what the number of one round.
     * @return the sum for each event handled; not a number without events.
     */
    public double perEvent(final ToLongFunction<Round> what)
    {
        final long handled = sum(Round::handled);
        return handled == 0 ? Double.NaN : (double)sum(what) / handled;
    }
}
