package io.millrace.server.agent;

import java.util.concurrent.TimeUnit;

/** Waits that an interrupt does not shorten. Any thread; the interrupt flag is set again at the end. */
public final class UninterruptedWait
{
    private UninterruptedWait()
    {
    }

    /** A wait that an interrupt ends. */
    @FunctionalInterface
    public interface Wait
    {
        /**
         * Waits at most so long.
         *
         * @param remainingNs more than 0, in nanoseconds.
         * @return true if what it waits for has happened.
         * @throws InterruptedException after an interrupt: the wait is called again.
         */
        boolean isOver(long remainingNs) throws InterruptedException;
    }

    /**
     * Waits again after an interrupt, for the rest of the time.
     *
     * @param timeoutNs in nanoseconds; at 0 or less it looks once.
     * @param wait      what waits.
     * @return false after the timeout.
     */
    public static boolean await(final long timeoutNs, final Wait wait)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        boolean interrupted = Thread.interrupted();
        boolean isOver = false;
        long remainingNs = Math.max(1, timeoutNs);
        while (!isOver && remainingNs > 0)
        {
            try
            {
                isOver = wait.isOver(remainingNs);
            }
            catch (final InterruptedException ignored)
            {
                interrupted = true;
            }
            remainingNs = deadlineNs - System.nanoTime();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return isOver;
    }

    /**
     * Waits for the end of a thread.
     *
     * @param thread    another thread, which was started.
     * @param timeoutNs in nanoseconds; {@code Long.MAX_VALUE} for no limit.
     * @return false after the timeout.
     */
    public static boolean join(final Thread thread, final long timeoutNs)
    {
        return await(timeoutNs, remainingNs ->
        {
            TimeUnit.NANOSECONDS.timedJoin(thread, remainingNs);
            return !thread.isAlive();
        });
    }
}
