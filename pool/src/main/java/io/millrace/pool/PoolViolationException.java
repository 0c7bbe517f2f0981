package io.millrace.pool;

/**
 * An event was used against the rules of its pool. Thrown in checked mode only. The message names the event, both
 * threads and the action of each.
 */
public final class PoolViolationException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /**
     * Thrown by pools and pipelines.
     *
     * @param message the violation, the event and the threads.
     */
    public PoolViolationException(final String message)
    {
        super(message);
    }
}
