package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.ThreadProbe;

/**
 * The same work each time, to see at which pace the host lets us run: a virtual CPU has phases in which everything
 * takes up to 1.6 times as long. One thread.
 */
public final class Calibration
{
    /** 128 KB: about what a book of a thousand orders touches, so it feels the same caches. */
    private static final int LONGS = 1 << 14;

    /** At about 5 ns each a millisecond: a hundred times the step of a CPU clock, a small part of a round. */
    private static final int STEPS = 200_000;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final long[] table = new long[LONGS];
    private long at = 1;

    /**
     * Fill the table.
     */
    public Calibration()
    {
        for (int i = 0; i < LONGS; i++)
        {
            table[i] = i * MULTIPLIER;
        }
    }

    /**
     * One step: a load, of which the address depends on the step before.
     *
     * @param probe of the calling thread.
     * @return nanoseconds of thread CPU time.
     */
    public double stepNs(final ThreadProbe probe)
    {
        // The code that ran before has put other things into the caches: that is not the host's pace.
        for (final long value : table)
        {
            at ^= value;
        }
        final long beforeNs = probe.cpuNs();
        at = walk(at);
        return (double)(probe.cpuNs() - beforeNs) / STEPS;
    }

    private long walk(final long from)
    {
        long value = from;
        for (int i = 0; i < STEPS; i++)
        {
            value = (table[(int)(value >>> 40) & LONGS - 1] ^ value) * MULTIPLIER;
        }
        return value;
    }
}
