package io.millrace.server;

import org.agrona.concurrent.AgentTerminationException;

/**
 * Ends an agent; thrown where the reason was reported. A type of its own: an {@link AgentTerminationException} that
 * comes from the user's code is a failure like any other.
 */
final class AgentEnd extends AgentTerminationException
{
    private static final long serialVersionUID = 1L;

    AgentEnd(final String message, final Throwable cause)
    {
        super(message, cause, true);
    }
}
