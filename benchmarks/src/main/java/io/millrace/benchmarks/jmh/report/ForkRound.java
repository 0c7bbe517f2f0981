package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Readings;
import org.openjdk.jmh.results.BenchmarkResult;

/**
 * One line measured once, in its own JVM.
 *
 * @param number        round of its group, from 1; what has the same number was measured side by side.
 * @param ns            nanoseconds per operation.
 * @param bytes         bytes allocated per operation, by all threads.
 * @param compiling     time of the JIT compilers for what they compiled meanwhile, of the time that the round should
 *                      take; above 1 when both were busy.
 * @param host          readings of the host meanwhile.
 * @param runnableLimit runnable threads that are no disturbance: the machine's CPUs, or the benchmark's own threads.
 * @param result        everything, as JMH has it.
 */
record ForkRound(
    int number,
    double ns,
    double bytes,
    double compiling,
    HostWatch.Reading host,
    int runnableLimit,
    BenchmarkResult result)
{
    /**
     * Greatest {@link #compiling} of a round that counts. JMH's own loop is compiled anew when it begins to measure,
     * which took up to a third of the time on a slow host; in code that was not warm the compilers took 0.4 to 3.5
     * times the time.
     */
    static final double MAX_COMPILING = 0.5;

    /** Checks whether it counts. */
    boolean isQuiet()
    {
        return isCompiled() && Readings.isClean(host.steal()) && host.runnable() <= runnableLimit;
    }

    /** Checks whether the code was compiled before it was measured. */
    boolean isCompiled()
    {
        return compiling <= MAX_COMPILING;
    }
}
