package io.millrace.server;

import java.util.List;

/**
 * Starts handlers in order, calls their {@code onDrained}, and closes the started ones in reverse order, each once. One
 * thread, except {@link #requestDrain} and {@link #isDrained}.
 */
final class HandlerLifecycle
{
    private final List<? extends GuardedHandler<?>> handlers;
    private final Failures failures;
    private int started;
    /** Written by the closing thread, read by the handlers' thread when it is idle. */
    private volatile boolean drainRequested;
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

    /** The closing thread calls this when the flow is drained and later flows still run. */
    void requestDrain()
    {
        drainRequested = true;
    }

    /** Any thread: whether onDrained was called, or the handlers are closed. */
    boolean isDrained()
    {
        return drained;
    }

    /** Called by the handlers' thread: calls onDrained once, after a request. */
    void drainIfRequested()
    {
        if (drainRequested && !drained)
        {
            callDrained();
        }
    }

    /** Synchronized with the close: an inline handler that hangs in onDrained is not closed meanwhile. */
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
        // Volatile: a thread that reads true sees the events that the handlers published.
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
