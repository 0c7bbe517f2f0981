package io.millrace.benchmarks.race;

import org.HdrHistogram.Histogram;

import io.millrace.benchmarks.rate.Verdict;
import io.millrace.benchmarks.rate.WireLine;

/**
 * What one round of one contender came to. Its answer was right: a wrong one is an error in the child.
 *
 * @param perSecond      events a second asked for; of a sustained rate, that rate; else 0.
 * @param events         events handled in the timed part.
 * @param elapsedNs      its duration.
 * @param latencies      in nanoseconds; empty where none are taken.
 * @param frontCpuNs     CPU time of the publishing thread.
 * @param backCpuNs      CPU time of the other thread.
 * @param allocatedBytes by both.
 * @param switches       how often one of the two was put off its CPU.
 * @param steal          part of their CPUs' time that the host took away, 0 to 1; not a number when not known.
 * @param waited         part of their time in which the two threads were ready to run and did not, 0 to 1, see
 *                       {@link io.millrace.benchmarks.rate.ThreadProbe#waitedNs}; not a number when not known.
 * @param placement      where both threads ran, in words.
 */
public record RaceResult(
    long perSecond,
    long events,
    long elapsedNs,
    Histogram latencies,
    long frontCpuNs,
    long backCpuNs,
    long allocatedBytes,
    long switches,
    double steal,
    double waited,
    String placement)
{
    private static final double NS_PER_S = 1e9;

    /**
     * Read an answer.
     *
     * @param line the answer.
     * @return the result.
     */
    public static RaceResult from(final WireLine line)
    {
        return new RaceResult(line.number("perSecond"), line.number("events"), line.number("elapsedNs"),
            line.histogram("latencies"), line.number("frontCpuNs"), line.number("backCpuNs"),
            line.number("allocatedBytes"), line.number("switches"), line.fraction("steal"),
            line.fraction("waited"), line.text("placement"));
    }

    /**
     * Write as an answer.
     *
     * @return the line.
     */
    public WireLine toLine()
    {
        return new WireLine("done").put("perSecond", perSecond).put("events", events).put("elapsedNs", elapsedNs)
            .putHistogram("latencies", latencies).put("frontCpuNs", frontCpuNs).put("backCpuNs", backCpuNs)
            .put("allocatedBytes", allocatedBytes).put("switches", switches).put("steal", steal)
            .put("waited", waited).put("placement", placement);
    }

    /**
     * The one number that the discipline is about.
     *
     * @param discipline what was measured.
     * @return events a second, or nanoseconds.
     */
    public double figure(final Discipline discipline)
    {
        switch (discipline)
        {
            case THROUGHPUT:
                return eventsPerSecond();
            case SUSTAINED:
                return perSecond == 0 ? Double.NaN : perSecond;
            default:
                return latencies.getTotalCount() == 0 ? Double.NaN : latencies.getValueAtPercentile(50.0);
        }
    }

    /**
     * Rate of the timed part.
     *
     * @return events a second.
     */
    public double eventsPerSecond()
    {
        return events * NS_PER_S / elapsedNs;
    }

    /**
     * Whether the round counts.
     *
     * @return false when the host took away more than 1 % of the measured CPUs, or other threads of the machine more
     *         than 5 %. What is not known is taken for nothing.
     */
    public boolean isClean()
    {
        return !(steal > Verdict.MAX_STEAL) && !(2 * waited > Verdict.MAX_CROWD);
    }
}
