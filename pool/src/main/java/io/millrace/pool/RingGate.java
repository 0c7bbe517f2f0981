package io.millrace.pool;

/**
 * How far the consumers of a ring are: every event below the position has been passed by all of them.
 */
@FunctionalInterface
public interface RingGate
{
    /**
     * Called by the acquiring thread when it has used up what it knew to be free, and by any thread for reports.
     *
     * @return the smallest position of all consumers, read so (acquire) that their reads of the events come before;
     * with no consumer, the number of events published.
     */
    long position();
}
