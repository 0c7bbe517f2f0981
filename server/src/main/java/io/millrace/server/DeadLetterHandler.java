package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * Gets the events that a handler failed on under {@link ErrorPolicy#SKIP_AND_RECORD}.
 */
@FunctionalInterface
public interface DeadLetterHandler
{
    /**
     * Called on the agent's thread, while the event is still lent: copy what is needed, or {@code retain(1)} and
     * release later.
     *
     * @param stage    whose handler failed.
     * @param sequence of the event.
     * @param event    as the handler left it.
     * @param cause    what the handler threw.
     */
    void onDeadLetter(String stage, long sequence, BasePoolAware event, Throwable cause);
}
