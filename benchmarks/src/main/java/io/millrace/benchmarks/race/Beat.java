package io.millrace.benchmarks.race;

/**
 * The schedule of an open loop: beat n is at start + n / rate, exact over any number of beats and without a division.
 * The sending and the handling thread each follow one of their own. One thread.
 */
final class Beat
{
    private static final long NS_PER_S = 1_000_000_000L;

    private final long perSecond;
    private final long intervalNs;
    private final long intervalRest;
    private long nextNs;
    private long nextRest;

    Beat(final long perSecond)
    {
        this.perSecond = perSecond;
        intervalNs = NS_PER_S / perSecond;
        intervalRest = NS_PER_S % perSecond;
    }

    /** Beat 0 comes next, at this time. */
    void start(final long startNs)
    {
        nextNs = startNs;
        nextRest = 0;
    }

    /** When the next event is meant to be sent, by System.nanoTime(). */
    long nextNs()
    {
        final long beatNs = nextNs;
        nextNs += intervalNs;
        nextRest += intervalRest;
        if (nextRest >= perSecond)
        {
            nextRest -= perSecond;
            nextNs++;
        }
        return beatNs;
    }
}
