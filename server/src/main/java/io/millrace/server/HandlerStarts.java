package io.millrace.server;

import java.util.List;

/**
 * Starts handlers in order and closes those that have started in reverse order, each once. One thread.
 */
final class HandlerStarts
{
    private final List<? extends GuardedHandler<?>> handlers;
    private final Failures failures;
    private int started;

    HandlerStarts(final List<? extends GuardedHandler<?>> handlers, final Failures failures)
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

    void close()
    {
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
