package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;

/**
 * Number of events of a stress test. {@code -Dstress.events=10000000} runs a tenth.
 */
final class StressCount
{
    /** Large enough for batches, and full and empty often enough. */
    static final int LARGE = 4_096;

    /** Checked mode counts each event in and out and remembers names: a hundredth of the number. */
    private static final long EVENTS = Long.getLong("stress.events", 100_000_000L) / (PoolCheck.ENABLED ? 100 : 1);

    private StressCount()
    {
    }

    /**
     * A ring of two passes nearly each event singly, with a context switch for each if there are more threads than
     * cores. There the number follows from the capacity: 200,000 events at 2 and 6,400,000 at 64. Always several rounds
     * of the ring: a stage of as many keys as slots waits for the last number of each key.
     */
    static long of(final int capacity)
    {
        return Math.max(Math.max(1_000, 4L * capacity), capacity == LARGE ? EVENTS : EVENTS * capacity / 1_000);
    }

    /** A first sequence with which the run passes the end of so many bits half way. */
    static long startAround(final int bits, final long events)
    {
        return (1L << bits) - events / 2;
    }
}
