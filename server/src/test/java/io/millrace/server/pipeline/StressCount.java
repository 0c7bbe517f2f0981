package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;

/**
 * How many events a stress test passes: {@code -Dstress.events=10000000} makes it a tenth.
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
     * A ring of two hands nearly each event over singly, a context switch each where there are more threads than
     * cores: there the number follows from the capacity, 200,000 events at 2 and 6,400,000 at 64.
     */
    static long of(final int capacity)
    {
        return Math.max(1_000, capacity == LARGE ? EVENTS : EVENTS * capacity / 1_000);
    }

    /** A first sequence from which the run passes the end of so many bits half way. */
    static long startAround(final int bits, final long events)
    {
        return (1L << bits) - events / 2;
    }
}
