package io.millrace.server.agent;

import java.nio.channels.SelectionKey;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Stops accepting for a while after a failed accept, as when no file descriptor is free. The connection stays in the
 * backlog, so the listener would be ready again at once. Used by the thread of its selector only.
 */
public final class AcceptPause
{
    /** How long, in nanoseconds. */
    public static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * How long after memory for a connection's buffer was missing, in nanoseconds. Longer, because the JDK sleeps for
     * half a second before it throws.
     */
    public static final long NO_MEMORY_NS = TimeUnit.SECONDS.toNanos(10);

    private final SelectionKey listener;
    private boolean paused;
    private long againNs;

    /**
     * A pause that has not begun.
     *
     * @param listener key of the listening socket, registered for {@link SelectionKey#OP_ACCEPT}.
     */
    public AcceptPause(final SelectionKey listener)
    {
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /**
     * Begins a pause of {@link #PAUSE_NS}.
     *
     * @param nowNs time of a clock in nanoseconds.
     */
    public void begin(final long nowNs)
    {
        beginUntil(nowNs + PAUSE_NS);
    }

    /**
     * Begins a pause of another length.
     *
     * @param endNs when it is over, as time of a clock in nanoseconds.
     */
    public void beginUntil(final long endNs)
    {
        paused = true;
        againNs = endNs;
        accept(0);
    }

    /**
     * Ends the pause if it is over.
     *
     * @param nowNs time of the same clock.
     */
    public void endIfDue(final long nowNs)
    {
        if (paused && nowNs - againNs >= 0)
        {
            paused = false;
            accept(SelectionKey.OP_ACCEPT);
        }
    }

    /** An interrupt of the thread has closed the listener, if its key is not valid. */
    private void accept(final int operations)
    {
        if (listener.isValid())
        {
            listener.interestOps(operations);
        }
    }

    /** @return whether it has begun and not ended. */
    public boolean isPaused()
    {
        return paused;
    }
}
