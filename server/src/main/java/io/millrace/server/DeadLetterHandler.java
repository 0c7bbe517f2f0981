package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * Receives the events on which a handler failed under {@link ErrorPolicy#SKIP_AND_RECORD}.
 */
@FunctionalInterface
public interface DeadLetterHandler
{
    /**
     * Called on the agent's thread. The event is valid until this call returns: copy the needed fields, or call {@code
     * retain(1)} and release it later.
     *
     * @param stage    name of the stage whose handler failed.
     * @param sequence of the event.
     * @param event    as the handler left it.
     * @param cause    the exception of the handler.
     */
    void onDeadLetter(String stage, long sequence, BasePoolAware event, Throwable cause);
}
