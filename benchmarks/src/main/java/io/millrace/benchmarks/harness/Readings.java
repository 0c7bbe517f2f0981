package io.millrace.benchmarks.harness;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Readings of a {@link Measurement}: the difference between its two ends.
 *
 * @param startMs           when it began, in milliseconds since 1970.
 * @param wallNs            how long it took, in nanoseconds.
 * @param cpuNs             CPU time of each measured thread in nanoseconds, the sending one first.
 * @param allocatedBytes    bytes that each of them allocated.
 * @param switches          how often one of them was put off its CPU while it could have gone on.
 * @param waitedNs          how long they were ready to run and did not, together: other threads had their CPUs. Not a
 *                          number when not known.
 * @param gcCount           garbage collections.
 * @param steal             part of the measured CPUs' time that the host took away, 0 to 1; not a number when not
 *                          known.
 * @param competingThreads  runnable threads beyond one for each CPU of the machine, at the end that had fewer of them.
 */
public record Readings(
    long startMs,
    long wallNs,
    long[] cpuNs,
    long[] allocatedBytes,
    long switches,
    double waitedNs,
    long gcCount,
    double steal,
    int competingThreads) implements Serializable
{
    /**
     * Greatest part of a round's time that the host may have taken away.
     */
    public static final double MAX_STEAL = 0.01;

    /**
     * Limit of runnable threads in addition to the measured ones, on average over a round, for each measured one:
     * others took 5 % of its time.
     */
    public static final double MAX_COMPETING = 0.05;

    @Override
    public String toString()
    {
        return "wallNs=" + wallNs + " cpuNs=" + Arrays.toString(cpuNs) + " allocatedBytes=" +
            Arrays.toString(allocatedBytes) + " switches=" + switches + " waitedNs=" + waitedNs + " gcCount=" +
            gcCount + " steal=" + steal + " competingThreads=" + competingThreads;
    }

    /** CPU time of all measured threads, in nanoseconds. */
    public long allCpuNs()
    {
        return Arrays.stream(cpuNs).sum();
    }

    /** Bytes allocated by all measured threads. */
    public long allBytes()
    {
        return Arrays.stream(allocatedBytes).sum();
    }

    /**
     * Checks whether the host left the measured CPUs alone. Where steal is not known, it did.
     *
     * @return false when it took away more than 1 % of them.
     */
    public boolean isClean()
    {
        return isClean(steal);
    }

    /**
     * The same of a part that was read elsewhere.
     *
     * @param steal part of the time that the host took away; not a number when not known.
     * @return false above 1 %.
     */
    public static boolean isClean(final double steal)
    {
        return !(steal > MAX_STEAL);
    }

    /**
     * Threads that were ready to run on the CPUs of the measured ones, on average over the time: the measured ones, and
     * others for as long as a measured one had to wait.
     *
     * @param elapsedNs the time in which the measured threads were always ready to run.
     * @return at least the number of measured threads; not a number when not known.
     */
    public double runnable(final long elapsedNs)
    {
        return cpuNs.length + waitedNs / elapsedNs;
    }

    /**
     * The same of a path with more threads than CPUs, which wait for each other: that does not count. What counts is
     * what they wanted of their CPUs and did not get: others had it.
     *
     * @param cpus      of the measured threads.
     * @param elapsedNs the time.
     * @return at least the number of CPUs.
     */
    public double runnable(final int cpus, final double elapsedNs)
    {
        final double wanted = Math.min(cpus, (allCpuNs() + waitedNs) / elapsedNs);
        return cpus + Math.max(0.0, wanted - allCpuNs() / elapsedNs);
    }
}
