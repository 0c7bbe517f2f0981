package io.millrace.server;

import io.millrace.pool.PaddedLong;

import java.util.Objects;

/**
 * Counts the events that a handler could not handle, each once. An agent with {@link AgentSpec#retry} passes an event
 * that failed again: it is counted when it is clear that it will not be passed again, at the next event, idle duty
 * cycle or close. Allocates nothing. The handler's thread only; any thread may read the number.
 */
public final class RetriedFailures
{
    private static final long NONE = -1;

    private final PaddedLong failed;
    private boolean isRetried;
    /** The event that has failed and may be passed again: it is not counted yet. */
    private long unsettled = NONE;

    /**
     * @param failed gets the number.
     */
    public RetriedFailures(final PaddedLong failed)
    {
        this.failed = Objects.requireNonNull(failed, "failed");
    }

    /**
     * A start.
     *
     * @param retried whether the agent passes a failed event again, see {@link HandlerContext#retries}.
     */
    public void begin(final boolean retried)
    {
        isRetried = retried;
        unsettled = NONE;
    }

    /**
     * An event is passed, for the first time or again.
     *
     * @param sequence of the event.
     */
    public void passed(final long sequence)
    {
        if (sequence != unsettled)
        {
            settle();
        }
        unsettled = NONE;
    }

    /**
     * The event that was passed last has failed.
     *
     * @param sequence of the event.
     */
    public void failed(final long sequence)
    {
        if (isRetried)
        {
            unsettled = sequence;
        }
        else
        {
            failed.addOpaque(1);
        }
    }

    /** A failed event is not passed again: the handler is idle, or closes. */
    public void settle()
    {
        if (unsettled != NONE)
        {
            failed.addOpaque(1);
            unsettled = NONE;
        }
    }
}
