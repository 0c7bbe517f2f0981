package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Readings;
import org.HdrHistogram.Histogram;

import java.io.Serializable;

/**
 * Result of one round of an idle server.
 *
 * @param wallNs           how long it was watched while nothing was published, in nanoseconds.
 * @param cpuNs            CPU time of the agent in it.
 * @param cycles           duty cycles of the agent in it.
 * @param wakeUps          from the publish of one event to its handler, after a pause each, in nanoseconds.
 * @param steal            part of the measured CPUs' time that the host took away, 0 to 1; possibly not a number.
 * @param competingThreads runnable threads of the whole machine beyond its CPUs; 0 or less: none.
 */
record IdleRound(long wallNs, long cpuNs, long cycles, Histogram wakeUps, double steal, int competingThreads)
    implements Serializable
{
    /** Part of a CPU that the idle agent used, 0 to 1. */
    double cpuPart()
    {
        return (double)cpuNs / wallNs;
    }

    double cyclesPerSecond()
    {
        return cycles * 1e9 / wallNs;
    }

    boolean isClean()
    {
        return Readings.isClean(steal) && competingThreads <= 0;
    }
}
