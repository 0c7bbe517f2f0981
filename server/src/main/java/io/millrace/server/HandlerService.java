package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/**
 * The plug-in point: a service that handles events. A flow leads to it by its name.
 *
 * @param <E> type of the events.
 */
public interface HandlerService<E> extends Service, EventHandler<E>
{
    /**
     * The events that it handles: checked against the flow when the server is built.
     *
     * @return a class that extends {@code BasePoolAware}.
     */
    Class<E> eventType();
}
