package io.millrace.pool;

/**
 * An event was used against the rules of its pool. Thrown in checked mode only; the message names the event, both
 * threads and what each of them did.
 */
public final class PoolViolationException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /**
     * Made by the pools and pipelines.
     *
     * @param message what happened, to which event, by which threads.
     */
    public PoolViolationException(final String message)
    {
        super(message);
    }
}
