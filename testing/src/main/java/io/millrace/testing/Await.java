package io.millrace.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for other threads in a test: long enough for the slowest host, and never longer than necessary.
 */
public final class Await
{
    /** Longest wait: no test should depend on a time. */
    public static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Await()
    {
    }

    /**
     * Wait for a condition, at most a minute.
     *
     * @param what    the condition, for the message.
     * @param reached tested every 200 microseconds, on the calling thread.
     * @throws AssertionError if it is not reached, or if the thread is interrupted, as by a JUnit timeout; it stays
     *                        interrupted.
     */
    public static void until(final String what, final BooleanSupplier reached)
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        while (!reached.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("waited in vain: " + what);
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new AssertionError("interrupted while waiting: " + what);
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }
}
