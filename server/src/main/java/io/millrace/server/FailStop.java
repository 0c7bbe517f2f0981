package io.millrace.server;

import org.agrona.concurrent.AgentTerminationException;

/**
 * What ends an agent, and what the server says about it. Made with its stage, source or agent and filled in when that
 * fails: a server that is out of memory can still stop. A type of its own: an {@link AgentTerminationException} of the
 * user's code is a failure like any other.
 */
final class FailStop extends AgentTerminationException
{
    private static final long serialVersionUID = 1L;
    private static final long NO_EVENT = -1;

    private final String where;
    private long sequence = NO_EVENT;
    private Throwable cause;

    FailStop(final String where)
    {
        super(null, null, true, false, false);
        this.where = where;
    }

    /** One thread, the agent's or the publisher's. A second failure, as of a source, has an object of its own. */
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

    /** The stack is that of the cause; this object was made at the start. */
    @Override
    public Throwable getCause()
    {
        return cause;
    }
}
