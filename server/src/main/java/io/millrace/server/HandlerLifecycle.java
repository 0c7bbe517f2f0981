package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Starts handlers in order, calls their {@code onDrained}, and closes the started ones in reverse order, each once. One
 * thread, except {@link #requestDrain} and {@link #isDrained}.
 */
final class HandlerLifecycle<E extends BasePoolAware>
{
    private final List<GuardedHandler<E>> handlers;
    private final Failures failures;
    private LatencyHandler<E> latency;
    private int started;
    /** Written by the closing thread, read by the handlers' thread when it is idle. */
    private volatile boolean drainRequested;
    private volatile boolean drained;

    HandlerLifecycle(final List<GuardedHandler<E>> handlers, final Failures failures)
    {
        this.handlers = new CopyOnWriteArrayList<>(handlers);
        this.failures = failures;
    }

    /** Called after the last handler, for each event; null for none. Before the start, or by the handlers' thread. */
    void recordLatency(final LatencyHandler<E> newLatency)
    {
        latency = newLatency;
    }

    /** Null for none. */
    LatencyHandler<E> latency()
    {
        return latency;
    }

    /** All handlers as one. Their thread. */
    EventHandler<E> fused()
    {
        final EventHandler<E> fused = FusedHandler.of(handlers());
        return latency == null ? fused : new FusedHandler<>(fused, latency);
    }

    void start() throws Exception
    {
        while (started < handlers.size())
        {
            handlers.get(started).start();
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

    /** A copy, in the order of the flow. Any thread; it does not wait for a close that hangs. */
    List<GuardedHandler<E>> handlers()
    {
        return List.copyOf(handlers);
    }

    /**
     * Remove a handler, which is not closed here. The handlers' thread, between two polls.
     *
     * @return whether it is still to be closed.
     */
    synchronized boolean remove(final GuardedHandler<E> handler)
    {
        handlers.remove(handler);
        final boolean isOpen = started > 0;
        started = Math.max(0, started - 1);
        return isOpen;
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
