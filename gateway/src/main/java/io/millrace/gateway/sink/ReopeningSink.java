package io.millrace.gateway.sink;

import org.agrona.concurrent.NanoClock;

import java.util.Objects;

/**
 * A sink with a resource that it opens, loses and opens again after a back-off. While the resource is closed, the sink
 * takes no events: they wait in its queue. Subclass it for a sink whose calls return when the work is done; see {@code
 * docs/write-a-sink.md}.
 */
public abstract class ReopeningSink implements Sink
{
    private final SinkStatus status = new SinkStatus();
    private final ReconnectBackoff backoff;
    private final NanoClock clock;
    private boolean open;
    private long retryAtNs;
    /** About the last failure: whether the resource did not open, and the delivered events until then. */
    private boolean failedToOpen;
    private long deliveredSeen;

    /**
     * A closed sink.
     *
     * @param backoff delays between attempts; used by this sink alone.
     * @param clock   for these delays.
     */
    protected ReopeningSink(final ReconnectBackoff backoff, final NanoClock clock)
    {
        this.backoff = Objects.requireNonNull(backoff, "backoff");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Open the resource; on the agent's thread. It may take some 100 milliseconds, not more: the server reports an
     * agent that hangs.
     *
     * @throws Exception if it cannot be opened; the next attempt follows after the back-off.
     */
    protected abstract void open() throws Exception;

    /** Give up what {@link #open()} opened, also in part; must not throw. Called after each failure and at the end. */
    protected abstract void abandon();

    /**
     * The resource failed: abandon it, go DOWN, and open it again after the back-off. The back-off starts again from
     * the smallest if the resource was open and either an event was delivered since the last failure, or that failure
     * was one to open. Otherwise it grows.
     *
     * @param cause what happened; its text becomes the reason.
     */
    protected final void fail(final Throwable cause)
    {
        // One that opens again and again and takes nothing is as broken as one that does not open.
        if (open && (failedToOpen || status.delivered() != deliveredSeen))
        {
            deliveredSeen = status.delivered();
            backoff.reset();
        }
        failedToOpen = !open;
        open = false;
        abandon();
        retryAtNs = clock.nanoTime() + backoff.nextNs();
        status.down(cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    }

    /** @return whether the resource is open. */
    protected final boolean isOpen()
    {
        return open;
    }

    /** @return the clock of the back-off. */
    protected final NanoClock clock()
    {
        return clock;
    }

    private void tryOpen()
    {
        try
        {
            open();
            open = true;
            status.up();
        }
        catch (final Exception | OutOfMemoryError ex)
        {
            // Memory, of a client's thread too, may become free again.
            fail(ex);
        }
    }

    @Override
    public int demand()
    {
        if (!open && clock.nanoTime() - retryAtNs >= 0)
        {
            tryOpen();
        }
        return open ? Integer.MAX_VALUE : 0;
    }

    @Override
    public final SinkStatus status()
    {
        return status;
    }

    @Override
    public void onStart()
    {
        tryOpen();
    }

    @Override
    public void onClose()
    {
        open = false;
        abandon();
        status.closed();
    }
}
