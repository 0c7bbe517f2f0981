package io.millrace.server;

/**
 * Divides the time of one step of the close among its parts, which run in order. Later parts get the unused time. Half
 * of the time is reserved in equal shares for the parts that have not run, so a hanging part cannot use it up.
 */
final class TimeBudget
{
    private final long endNs;
    private final long reservedNs;
    private int partsLeft;

    TimeBudget(final long timeNs, final int parts)
    {
        endNs = System.nanoTime() + timeNs;
        reservedNs = timeNs / (2L * Math.max(1, parts));
        partsLeft = parts;
    }

    /** Deadline of the next part, as {@link System#nanoTime}. */
    long nextDeadlineNs()
    {
        partsLeft--;
        return endNs - partsLeft * reservedNs;
    }

    /** Timeout of the next part, at least {@code minNs}. */
    long nextTimeoutNs(final long minNs)
    {
        return Math.max(minNs, nextDeadlineNs() - System.nanoTime());
    }
}
