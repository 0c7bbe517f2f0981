package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.io.Serializable;
import java.util.List;

/**
 * Result of one round of one path. Only its timed events count, not those that go ahead; what the path answered is
 * checked by its report.
 *
 * @param perSecond events per second asked for; 0 is as fast as they are taken.
 * @param offered   events that were to be sent.
 * @param sent      events that were sent. Fewer than offered when the rest was given up, half a round too late.
 * @param handled   events handled.
 * @param dropped   events that the path dropped by its own counters.
 * @param fullWaits events that found the path full at first and waited.
 * @param elapsedNs from the time at which the first event was meant to be sent to the end of the last one, and an
 *                  interval.
 * @param intended  latencies from the intended time, in nanoseconds; empty without a rate.
 * @param direct    latencies from the actual send, in nanoseconds; empty where they are not measured.
 * @param readings  of the sending and the handling threads, and of the host.
 * @param runnable  threads that were ready to run on the measured CPUs, on average: one for each CPU used, and others
 *                  for as long as a measured one had to wait; not a number when not known.
 * @param placement where the threads ran, in words.
 */
public record Round(
    long perSecond,
    long offered,
    long sent,
    long handled,
    long dropped,
    long fullWaits,
    long elapsedNs,
    Histogram intended,
    Histogram direct,
    Readings readings,
    double runnable,
    String placement) implements Serializable
{
    private static final long NS_PER_MS = 1_000_000L;
    private static final double NS_PER_S = 1e9;

    /**
     * A round, whose histogram knows when it was recorded.
     */
    public Round
    {
        intended.setStartTimeStamp(readings.startMs());
        intended.setEndTimeStamp(readings.startMs() + elapsedNs / NS_PER_MS);
    }

    /**
     * The rounds of one path at one rate, judged.
     *
     * @param rounds all of them, at least one.
     * @param cores  CPUs of the whole machine; a round uses two of them at most.
     * @return the series.
     */
    public static Series<Round> series(final List<Round> rounds, final int cores)
    {
        final Series<Round> series = new Series<>(Round::isClean);
        series.competing(Math.min(cores, 2), Round::runnable);
        if (rounds.get(0).perSecond > 0)
        {
            series.asked(rounds.get(0).perSecond, Round::achievedPerSecond);
        }
        return series.addAll(rounds);
    }

    /**
     * Checks whether the host left the measured CPUs alone.
     *
     * @return as {@link Readings#isClean()} has it.
     */
    public boolean isClean()
    {
        return readings.isClean();
    }

    /**
     * Events handled per second.
     *
     * @return a rate; 0 when nothing was handled.
     */
    public double achievedPerSecond()
    {
        return elapsedNs <= 0 ? 0.0 : handled * NS_PER_S / elapsedNs;
    }

    /** Events that were given up. */
    public long rejected()
    {
        return offered - sent;
    }

    /**
     * Bytes that the measured threads allocated for each event.
     *
     * @return bytes; 0 when nothing was handled.
     */
    public double bytesPerEvent()
    {
        return handled == 0 ? 0.0 : (double)readings.allBytes() / handled;
    }

    /** CPU time of the handling threads, in nanoseconds. */
    public long handlerCpuNs()
    {
        return readings.allCpuNs() - readings.cpuNs()[0];
    }

    /**
     * A percentile of the latencies from the intended time.
     *
     * @param percentile 0 to 100.
     * @return nanoseconds; not a number when fewer than {@value Quantile#MIN_BEYOND} lie beyond.
     */
    public double intendedNs(final double percentile)
    {
        return Quantile.of(intended, percentile);
    }

    /**
     * The same round of a path whose threads are more than the source and a handler.
     *
     * @param newRunnable  runnable threads.
     * @param newPlacement CPU binding of the threads.
     * @return a new round.
     */
    public Round with(final double newRunnable, final String newPlacement)
    {
        return new Round(perSecond, offered, sent, handled, dropped, fullWaits, elapsedNs, intended, direct, readings,
            newRunnable, newPlacement);
    }
}
