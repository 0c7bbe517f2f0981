package io.millrace.benchmarks.journal;

import io.millrace.benchmarks.harness.ThreadProbe;

import java.io.Serializable;
import java.lang.management.ManagementFactory;

/**
 * A round of appends.
 *
 * @param records      appended.
 * @param elapsedNs    from the first append until the last batch was safe.
 * @param threadCpuNs  CPU time of the appending thread.
 * @param processCpuNs CPU time of the process.
 * @param bytes        allocated by the appending thread.
 */
public record AppendRound(long records, long elapsedNs, long threadCpuNs, long processCpuNs, long bytes)
    implements Serializable
{
    /** What is timed. */
    @FunctionalInterface
    public interface Work
    {
        /**
         * Appends.
         *
         * @throws Exception when that fails.
         */
        void run() throws Exception;
    }

    /**
     * Measure on the calling thread.
     *
     * @param records that the work appends.
     * @param work    appends them.
     * @return the round.
     * @throws Exception of the work.
     */
    public static AppendRound measure(final long records, final Work work) throws Exception
    {
        final var process =
            (com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        final long processNs = process.getProcessCpuTime();
        final long cpuNs = probe.cpuNs();
        final long bytes = probe.allocatedBytes();
        final long beginNs = System.nanoTime();
        work.run();
        final long elapsedNs = System.nanoTime() - beginNs;
        final long allocated = probe.allocatedBytes() - bytes;
        return new AppendRound(
            records, elapsedNs, probe.cpuNs() - cpuNs, process.getProcessCpuTime() - processNs, allocated);
    }

    double perRecord(final double value)
    {
        return value / records;
    }
}
