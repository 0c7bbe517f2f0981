package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Readings;
import org.HdrHistogram.Histogram;

import java.io.Serializable;

/**
 * Result of one round of one contender. Its answer was right: a wrong one is an error in the child.
 *
 * @param perSecond      events a second asked for; of a sustained rate, that rate; else 0.
 * @param events         events handled in the timed part.
 * @param elapsedNs      its duration.
 * @param latencies      in nanoseconds; empty where none are taken.
 * @param producerCpuNs     CPU time of the publishing threads.
 * @param consumerCpuNs      CPU time of the other thread.
 * @param allocatedBytes by both.
 * @param switches       how often one of the two was put off its CPU.
 * @param steal          part of their CPUs' time that the host took away, 0 to 1; not a number when not known.
 * @param waited         part of their time in which the two threads were ready to run and did not, 0 to 1, see
 *                       {@link io.millrace.benchmarks.harness.ThreadProbe#waitedNs}; not a number when not known.
 * @param placement      where both threads ran, in words.
 */
public record RaceResult(
    long perSecond,
    long events,
    long elapsedNs,
    Histogram latencies,
    long producerCpuNs,
    long consumerCpuNs,
    long allocatedBytes,
    long switches,
    double steal,
    double waited,
    String placement) implements Serializable
{
    private static final double NS_PER_S = 1e9;

    /**
     * A round whose readings were taken at once.
     *
     * @param perSecond the rate asked for, or 0.
     * @param events    handled in the timed part.
     * @param elapsedNs how long that took, in nanoseconds.
     * @param latencies of the events, in nanoseconds.
     * @param readings  of the publishing and the other thread.
     * @param placement where both ran, in words.
     */
    public RaceResult(
        final long perSecond,
        final long events,
        final long elapsedNs,
        final Histogram latencies,
        final Readings readings,
        final String placement)
    {
        this(perSecond, events, elapsedNs, latencies, readings.cpuNs()[0], readings.cpuNs()[1], readings.allBytes(),
            readings.switches(), readings.steal(), readings.waitedNs() / (2.0 * elapsedNs), placement);
    }

    /**
     * The same round with other publishing threads. How long the two threads waited is not known then: the others may
     * have had their CPU.
     *
     * @param cpuNs CPU time of the other publishing threads.
     * @param bytes allocated by them.
     * @return a new result.
     */
    RaceResult withHelpers(final long cpuNs, final long bytes)
    {
        return new RaceResult(perSecond, events, elapsedNs, latencies, producerCpuNs + cpuNs, consumerCpuNs,
            allocatedBytes + bytes, switches, steal, Double.NaN, placement);
    }

    /**
     * The one number that the discipline is about.
     *
     * @param discipline the measured figure.
     * @return events a second, or nanoseconds.
     */
    public double figure(final Discipline discipline)
    {
        return switch (discipline)
        {
            case THROUGHPUT -> eventsPerSecond();
            case SUSTAINED -> perSecond == 0 ? Double.NaN : perSecond;
            default -> latencies.getTotalCount() == 0 ? Double.NaN : latencies.getValueAtPercentile(50.0);
        };
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
     * Checks whether the round counts.
     *
     * @return false when the host took away more than 1 % of the measured CPUs, or other threads of the machine more
     *         than 5 %. What is not known is taken for nothing.
     */
    public boolean isClean()
    {
        return Readings.isClean(steal) && !(waited > Readings.MAX_COMPETING);
    }
}
