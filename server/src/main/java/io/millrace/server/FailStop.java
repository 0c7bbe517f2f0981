package io.millrace.server;

import org.agrona.concurrent.AgentTerminationException;

/**
 * The exception that ends an agent, and the report of its cause. Allocated with its stage, source or agent and filled
 * in on failure, so that a server without free memory can still stop. It has its own type,
 * because an {@link AgentTerminationException} from user code is handled like any other failure.
 */
final class FailStop extends AgentTerminationException
{
    private static final long serialVersionUID = 1L;
    static final long NO_EVENT = -1;

    private final String where;
    private long sequence = NO_EVENT;
    private Throwable cause;

    FailStop(final String where)
    {
        super(null, null, true, false, false);
        this.where = where;
    }

    /**
     * Called by one thread, the agent's or the publisher's. A second failure, possible for a source, allocates a new
     * object.
     */
    FailStop of(final Throwable newCause)
    {
        return onEvent(NO_EVENT, newCause);
    }

    /** As {@link #of}, with the event that failed. */
    FailStop onEvent(final long newSequence, final Throwable newCause)
    {
        final FailStop filled = cause == null ? this : new FailStop(where);
        filled.sequence = newSequence;
        filled.cause = newCause;
        return filled;
    }

    @Override
    public String getMessage()
    {
        return sequence == NO_EVENT ? where : where + " on event " + sequence;
    }

    /** The cause has the stack trace; this object was allocated at the start. */
    @Override
    public Throwable getCause()
    {
        return cause;
    }
}
