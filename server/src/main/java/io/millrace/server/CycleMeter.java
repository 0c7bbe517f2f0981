package io.millrace.server;

import io.millrace.pool.PaddedLong;

/**
 * Measures the duty cycles of one agent: two readings of the clock each. The agent's thread writes, any thread reads.
 */
final class CycleMeter
{
    private static final long PERMILLE = 1_000;

    private final PaddedLong busyNs = new PaddedLong(0);
    private final PaddedLong longestNs = new PaddedLong(0);
    private volatile long firstNs;
    private volatile boolean started;

    long begin()
    {
        final long nowNs = System.nanoTime();
        if (!started)
        {
            firstNs = nowNs;
            started = true;
        }
        return nowNs;
    }

    void end(final long beginNs, final int work)
    {
        final long lengthNs = System.nanoTime() - beginNs;
        if (work > 0)
        {
            busyNs.setOpaque(busyNs.getPlain() + lengthNs);
        }
        if (lengthNs > longestNs.getPlain())
        {
            longestNs.setOpaque(lengthNs);
        }
    }

    /** Any thread. */
    long longestNs()
    {
        return longestNs.getOpaque();
    }

    void count(final Counters counters, final String agent)
    {
        final Counters.Tagged own = counters.tagged("agent", agent);
        own.counter(agent + ".busyNs", "ns", "time in duty cycles that did work", busyNs::getOpaque);
        own.gauge(agent + ".busyPermille", "permille", "share of the time since the start in duty cycles that did work",
            () -> started ? busyNs.getOpaque() * PERMILLE / Math.max(1, System.nanoTime() - firstNs) : 0);
        own.gauge(agent + ".longestCycleNs", "ns", "longest duty cycle since the start", longestNs::getOpaque);
    }
}
