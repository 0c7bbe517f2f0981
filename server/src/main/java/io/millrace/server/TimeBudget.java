package io.millrace.server;

/**
 * Divides the time of one step of the close among its parts, which take their turns in order. What a part does not
 * need is left to those after it; half of the time is kept in equal shares for those that have not had their turn, so
 * that one that hangs leaves time to the others.
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

    /** When the turn of the next part is over, as {@link System#nanoTime} counts. */
    long nextDeadlineNs()
    {
        partsLeft--;
        return endNs - partsLeft * reservedNs;
    }

    /** How long the next part may take. */
    long nextTimeoutNs(final long minNs)
    {
        return Math.max(minNs, nextDeadlineNs() - System.nanoTime());
    }
}
