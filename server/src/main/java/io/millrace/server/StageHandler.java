package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/**
 * A handler that needs its surroundings: its name, counters, the clock, timers, flows to publish to.
 *
 * @param <E> type of the events.
 */
public interface StageHandler<E> extends EventHandler<E>
{
    /**
     * Called once for each start of the server, before the first event, by the thread that will call {@link #onEvent};
     * {@link #onStart()} is not called. See {@link EventHandler#onStart()}.
     *
     * @param context surroundings of the handler; may be kept until {@link #onClose()}.
     * @throws Exception if the handler cannot start; the launch of the server then fails with it.
     */
    void onStart(HandlerContext context) throws Exception;
}
