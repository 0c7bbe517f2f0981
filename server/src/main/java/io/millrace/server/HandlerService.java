package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/**
 * A service that handles events: the plug-in point. A flow refers to it by its name.
 *
 * @param <E> type of the events.
 */
public interface HandlerService<E> extends Service, EventHandler<E>
{
    /**
     * Type of the events that it handles; checked against the flow when the server is built.
     *
     * @return a class that extends {@code BasePoolAware}.
     */
    Class<E> eventType();
}
