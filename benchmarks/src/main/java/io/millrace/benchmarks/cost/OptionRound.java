package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Readings;

import java.io.Serializable;

/**
 * One round of an option.
 *
 * @param events   passed, or attempts made.
 * @param readings of the publishing thread, and of the agent's where that is another one.
 */
record OptionRound(long events, Readings readings) implements Serializable
{
    double cpuPerEventNs()
    {
        return (double)readings.allCpuNs() / events;
    }

    double wallPerEventNs()
    {
        return (double)readings.wallNs() / events;
    }

    double bytesPerEvent()
    {
        return (double)readings.allBytes() / events;
    }

    /** The host took at most 1 % of the CPUs, and no other threads competed for them. */
    boolean isClean()
    {
        return readings.isClean() && readings.competingThreads() <= 0;
    }
}
