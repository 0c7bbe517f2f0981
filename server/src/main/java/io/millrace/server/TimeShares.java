package io.millrace.server;

/**
 * Divides the time of one step of the close among its parts, which take their turns in order. What a part does not
 * need is left to those after it; half of the time is kept in equal shares for those that have not had their turn, so
 * that one that hangs leaves time to the others.
 */
final class TimeShares
{
    private final long endNs;
    private final long shareNs;
    private int partsLeft;

    TimeShares(final long timeNs, final int parts)
    {
        endNs = System.nanoTime() + timeNs;
        shareNs = timeNs / (2L * Math.max(1, parts));
        partsLeft = parts;
    }

    /** When the turn of the next part is over, as {@link System#nanoTime} counts. */
    long nextEndNs()
    {
        partsLeft--;
        return endNs - partsLeft * shareNs;
    }

    /** How long the next part may take. */
    long nextNs(final long minNs)
    {
        return Math.max(minNs, nextEndNs() - System.nanoTime());
    }
}
