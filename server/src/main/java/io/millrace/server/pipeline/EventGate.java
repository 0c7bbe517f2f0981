package io.millrace.server.pipeline;

/**
 * A stage that handles no event: it passes each one when a condition holds, and the stages that follow it wait until
 * then. For answers that leave only when their cause is durable.
 * <p>
 * It needs a ring or a disruptor, and at least one stage that follows it. It never waits: a closed gate is asked again
 * in the next duty cycle, and its agent does other work meanwhile.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventGate<E> extends EventHandler<E>
{
    /**
     * Whether an event may pass. Called for the events in their order, by the thread of the agent that hosts the gate;
     * for a closed one again and again.
     *
     * @param event    the event; not to be retained.
     * @param sequence number of the event in its pipeline, from 0.
     * @return true if the event passes; false if it and all later ones wait.
     * @throws Exception on failure; the error policy of the agent applies, and the event does not pass.
     */
    boolean isOpen(E event, long sequence) throws Exception;

    /**
     * Whether the gate stays closed until the calling thread continues. A publisher under BLOCK does not wait for
     * capacity then. Called by a publisher that waits, in each round.
     *
     * @return false if another thread opens the gate.
     */
    default boolean waitsForCaller()
    {
        return false;
    }

    /**
     * Not called.
     */
    @Override
    default void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        throw new UnsupportedOperationException("a gate handles no event");
    }

    /**
     * A gate passes events at the end of its poll, and shares it with no other stage.
     *
     * @return true.
     */
    @Override
    default boolean completesAtEndOfBatch()
    {
        return true;
    }
}
