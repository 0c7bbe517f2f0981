package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Readings;
import org.openjdk.jmh.results.BenchmarkResult;

/**
 * One line measured once, in its own JVM.
 *
 * @param number        round of its group, from 1; what has the same number was measured side by side.
 * @param ns            nanoseconds per operation.
 * @param bytes         bytes allocated per operation, by all threads.
 * @param host          readings of the host meanwhile.
 * @param runnableLimit runnable threads that are no disturbance: the machine's CPUs, or the benchmark's own threads.
 * @param result        everything, as JMH has it.
 */
record ForkRound(int number, double ns, double bytes, HostWatch.Reading host, int runnableLimit, BenchmarkResult result)
{
    /** Checks whether it counts. */
    boolean isQuiet()
    {
        return Readings.isClean(host.steal()) && host.runnable() <= runnableLimit;
    }
}
