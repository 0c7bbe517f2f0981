package io.millrace.server.pipeline;

/**
 * A handler that limits how many events it takes, for example while its connection is down. The other events wait in
 * the pipeline, where the policy of the flow applies: they are conflated or dropped and counted, or the publisher gets
 * no capacity.
 * <p>
 * It needs a queue and an agent that fuses it with no other stage of its flow.
 *
 * @param <E> type of the events.
 */
public interface ThrottledHandler<E> extends EventHandler<E>
{
    /**
     * Greatest number of events that the handler takes in the next poll. Called before each poll by the thread that
     * calls {@link #onEvent}; it must not block. While it returns 0, {@link #onIdle()} is called in each duty cycle.
     * If it throws, the error policy of the agent applies, as for {@link #onIdle()}.
     *
     * @return number of events; at most 0: none. The agent's poll limit applies too.
     */
    int demand();
}
