package io.millrace.journal;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Counts what simulations have done, to show that they did something. */
public final class SimTally
{
    /** What is counted. */
    enum Count
    {
        SEEDS, STARTS, POWER_FAILURES, KILLS, FILE_OPERATIONS, RECORDS, ANSWERS, CHECKED_STATES, REPLAYED_RECORDS,
        STARTS_FROM_A_SNAPSHOT, TORN_TAILS, SNAPSHOT_FALLBACKS, REFUSED_STARTS, ROTTEN_BITS, REFUSED_FOR_GOOD,
        SKIPPED_RECORDS, DELETED_SEGMENTS
    }

    private final long[] counts = new long[Count.values().length];
    private final long beginNs = System.nanoTime();

    synchronized void add(final Count what, final long count)
    {
        counts[what.ordinal()] += count;
    }

    void add(final SimTally other)
    {
        for (final Count each : Count.values())
        {
            add(each, other.get(each));
        }
    }

    synchronized long get(final Count what)
    {
        return counts[what.ordinal()];
    }

    String text()
    {
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        return String.format(Locale.ROOT, "%.1f s, %.0f seeds/s: ", seconds, get(Count.SEEDS) / seconds) +
            Arrays.stream(Count.values()).map(each -> get(each) + " " +
                each.name().toLowerCase(Locale.ROOT).replace('_', ' ')).collect(Collectors.joining(", "));
    }
}
