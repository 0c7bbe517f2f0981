package io.millrace.server;

/** A wait that an interrupt does not shorten. */
final class UninterruptedWait
{
    private UninterruptedWait()
    {
    }

    /** A wait that an interrupt ends. */
    interface Wait
    {
        /** Waits at most so long; true if what it waits for has happened. */
        boolean isOver(long remainingNs) throws InterruptedException;
    }

    /** Waits again after an interrupt, for the rest of the time; the flag is kept. False after the timeout. */
    static boolean await(final long timeoutNs, final Wait wait)
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
}
