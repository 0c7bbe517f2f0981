package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.util.Arrays;

/**
 * Measures the cost of a load from a random address that depends on the load before, by the size of the memory. The
 * cost includes the multiplication that draws the next address. One thread.
 */
final class RandomLoad
{
    /** At 5 to 150 ns each: 1 to 30 ms. */
    private static final int STEPS = 200_000;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final long[] table;
    private final ThreadProbe probe;
    private long at = 1;

    RandomLoad(final long maxBytes, final int cpu)
    {
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
        table = new long[(int)(maxBytes / Long.BYTES)];
        Arrays.setAll(table, i -> i * MULTIPLIER);
    }

    /** Nanoseconds of thread CPU time for one load; the first steps, which fill the caches, do not count. */
    double stepNs(final long bytes)
    {
        final int longs = (int)Math.min(table.length, bytes / Long.BYTES);
        at = walk(at, longs);
        final long beforeNs = probe.cpuNs();
        at = walk(at, longs);
        return (double)(probe.cpuNs() - beforeNs) / STEPS;
    }

    private long walk(final long from, final long longs)
    {
        long value = from;
        for (int i = 0; i < STEPS; i++)
        {
            value = (table[(int)((value >>> 32) * longs >>> 32)] ^ value) * MULTIPLIER;
        }
        return value;
    }
}
