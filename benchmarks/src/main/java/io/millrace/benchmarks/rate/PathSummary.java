package io.millrace.benchmarks.rate;

import java.util.List;
import java.util.function.ToLongFunction;

import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * The rounds of one contender at one rate, summed up over those that count.
 */
public final class PathSummary
{
    private final String name;
    private final Rate rate;
    private final List<RoundResult> rounds;
    private final Verdict verdict;
    private final Histogram intended = LatencyRecorder.newHistogram();
    private final Histogram direct = LatencyRecorder.newHistogram();

    /**
     * Sum up.
     *
     * @param name   of the contender.
     * @param rate   asked for.
     * @param rounds all rounds, at least one.
     * @param cores  CPUs of the machine.
     */
    public PathSummary(final String name, final Rate rate, final List<RoundResult> rounds, final int cores)
    {
        this.name = name;
        this.rate = rate;
        this.rounds = List.copyOf(rounds);
        verdict = Verdict.of(rounds, cores);
        for (final RoundResult round : verdict.kept())
        {
            intended.add(round.intended());
            direct.add(round.direct());
        }
    }

    /**
     * Name of the contender.
     *
     * @return one of {@link Contender#NAMES}.
     */
    public String name()
    {
        return name;
    }

    /**
     * The rate asked for.
     *
     * @return the rate.
     */
    public Rate rate()
    {
        return rate;
    }

    /**
     * All rounds.
     *
     * @return in the order in which they ran.
     */
    public List<RoundResult> rounds()
    {
        return rounds;
    }

    /**
     * Whether this is a result.
     *
     * @return the verdict.
     */
    public Verdict verdict()
    {
        return verdict;
    }

    /**
     * Latencies from the intended time, over the rounds that count.
     *
     * @return nanoseconds.
     */
    public Histogram intended()
    {
        return intended;
    }

    /**
     * Latencies from the actual send, over the rounds that count.
     *
     * @return nanoseconds.
     */
    public Histogram direct()
    {
        return direct;
    }

    /**
     * Events per second, the median over the rounds that count.
     *
     * @return a rate.
     */
    public double achievedPerSecond()
    {
        return Quantile.median(verdict.kept().stream().mapToDouble(RoundResult::achievedPerSecond).toArray());
    }

    /**
     * Timed events that were meant to be sent in the rounds that count.
     *
     * @return a count.
     */
    public long offered()
    {
        return sum(round -> round.plan().events());
    }

    /**
     * Timed events that were handled.
     *
     * @return a count.
     */
    public long handled()
    {
        return intended.getTotalCount();
    }

    /**
     * Sum something over the rounds that count.
     *
     * @param what the number of one round.
     * @return the sum.
     */
    public long sum(final ToLongFunction<RoundResult> what)
    {
        return verdict.kept().stream().mapToLong(what).sum();
    }

    /**
     * Share something among the timed events of the rounds that count.
     *
     * @param what the number of one round.
     * @return the sum for each event handled; not a number without events.
     */
    public double perEvent(final ToLongFunction<RoundResult> what)
    {
        return handled() == 0 ? Double.NaN : (double)sum(what) / handled();
    }
}
