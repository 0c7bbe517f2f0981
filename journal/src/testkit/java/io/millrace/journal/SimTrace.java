package io.millrace.journal;

import org.agrona.concurrent.EpochNanoClock;

import java.util.SplittableRandom;

/**
 * What every part of a simulation shares: the random numbers of the seed, the time, and a hash of everything that
 * happened. Two runs of a seed give the same hash. One thread.
 */
public final class SimTrace implements EpochNanoClock
{
    private static final boolean IS_PRINTED = Boolean.getBoolean("sim.trace");
    private static final long BEGIN_NS = 1_700_000_000_000_000_000L;

    private final SplittableRandom random;
    private long nowNs = BEGIN_NS;
    private long hash = 0xCBF2_9CE4_8422_2325L;

    SimTrace(final long seed)
    {
        random = new SplittableRandom(seed);
    }

    /** True once in so many calls. */
    boolean oneIn(final int calls)
    {
        return random.nextInt(calls) == 0;
    }

    /** 0 to a bound, which is left out. */
    int below(final int bound)
    {
        return random.nextInt(bound);
    }

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    void pass(final long lengthNs)
    {
        nowNs += lengthNs;
    }

    /** Adds something that happened. */
    void add(final String what, final String where, final long number)
    {
        hash = (hash ^ what.hashCode()) * 0x100_0000_01B3L;
        hash = (hash ^ where.hashCode()) * 0x100_0000_01B3L;
        hash = (hash ^ number ^ nowNs) * 0x100_0000_01B3L;
        hash ^= hash >>> 31;
        if (IS_PRINTED)
        {
            System.out.println((nowNs - BEGIN_NS) / 1_000 + " us: " + what + " " + where + " " + number);
        }
    }

    long hash()
    {
        return hash;
    }
}
