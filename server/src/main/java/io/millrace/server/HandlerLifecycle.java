package io.millrace.server;

import java.util.List;

/**
 * Starts handlers in order, lets them bring out their rest, and closes those that have started in reverse order, each
 * once. One thread, but for {@link #requestDrain} and {@link #isDrained}.
 */
final class HandlerLifecycle
{
    private final List<? extends GuardedHandler<?>> handlers;
    private final Failures failures;
    private int started;
    /** Written by the closing thread, looked at by the handlers' thread when it has nothing to do. */
    private volatile boolean asked;
    private volatile boolean drained;

    HandlerLifecycle(final List<? extends GuardedHandler<?>> handlers, final Failures failures)
    {
        this.handlers = handlers;
        this.failures = failures;
    }

    void start()
    {
        while (started < handlers.size())
        {
            handlers.get(started).onStart();
            started++;
        }
    }

    /** The closing thread: the flow is drained, and those after it still run. */
    void requestDrain()
    {
        asked = true;
    }

    /** Any thread: whether they were called, or are closed. */
    boolean isDrained()
    {
        return drained;
    }

    /** The handlers' thread: call them once, when that is asked for. */
    void drainIfRequested()
    {
        if (asked && !drained)
        {
            callDrained();
        }
    }

    /** Not at the same time as the close: an inline handler that hangs in here is not closed meanwhile. */
    private synchronized void callDrained()
    {
        boolean interrupted = false;
        for (int i = 0; i < started && !drained; i++)
        {
            try
            {
                handlers.get(i).onDrained();
            }
            catch (final Throwable ex)
            {
                failures.report("draining stage '" + handlers.get(i).stage() + "'", ex);
                interrupted |= ex instanceof InterruptedException;
            }
        }
        // Volatile: whoever reads it sees what the handlers published.
        drained = true;
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void close()
    {
        drained = true;
        while (started > 0)
        {
            started--;
            try
            {
                handlers.get(started).onClose();
            }
            catch (final Throwable ex)
            {
                failures.report("closing stage '" + handlers.get(started).stage() + "'", ex);
            }
        }
    }
}
