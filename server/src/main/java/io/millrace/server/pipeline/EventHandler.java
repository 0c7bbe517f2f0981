package io.millrace.server.pipeline;

/**
 * Handles each event. The method has the signature of the Disruptor's handler, so you can pass an existing handler as
 * {@code theirs::onEvent}.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventHandler<E>
{
    /**
     * Called for each event, in order, by the thread of the agent that hosts the handler; in a direct flow, by the
     * publishing thread.
     * <p>
     * The event is valid until this call returns. To keep it, call {@code retain(1)} here and {@code release()} later;
     * a retained event of a ring stops the ring. Do not release the event itself: the agent does, even if this method
     * throws.
     *
     * @param event      the event.
     * @param sequence   number of the event in its pipeline, from 0. Numbers of displaced events, and of events that
     *                   were claimed and not published, are missing.
     * @param endOfBatch true if no further event of this poll follows: write, flush or commit now. Exactly one call has
     *                   it in each poll that delivers an event and does not throw.
     * @throws Exception on failure; the error policy of the agent applies.
     */
    void onEvent(E event, long sequence, boolean endOfBatch) throws Exception;

    /**
     * Called once for each start of the server, before the first event, by the thread that will call {@link #onEvent};
     * in a direct flow from an {@code InVmSource}, by the launching thread. It may publish into flows with a queue, and
     * into direct flows that are declared after its own.
     */
    default void onStart()
    {
    }

    /**
     * Called in each duty cycle in which no event was there, by the thread that calls {@link #onEvent}; not in a direct
     * flow, which has no duty cycle. Keep it short: it may run millions of times a second.
     *
     * @throws Exception on failure; the error policy of the agent applies.
     */
    default void onIdle() throws Exception
    {
    }

    /**
     * Called once when the server closes and this handler's flow is drained. Publish buffered data now: flows that are
     * declared after this one still run. Called by the thread that calls {@link #onEvent}; in a direct flow from an
     * {@code InVmSource}, by a thread of the closing server. Stages of a flow are called in their order. An exception
     * is reported; an interrupt flag stays set.
     * <p>
     * Not called if the handler's agent has ended, or if the flow could not be drained in its share of the drain time.
     * An event whose publish overlaps the close may still follow.
     *
     * @throws Exception on failure; reported to the error handler.
     */
    default void onDrained() throws Exception
    {
    }

    /**
     * Called once for each start, after the last event, by the thread that called {@link #onEvent}; in a direct flow
     * from an {@code InVmSource}, by a thread of the closing server. Publishing is no longer possible: see {@link
     * #onDrained()}.
     */
    default void onClose()
    {
    }

    /**
     * Whether an event counts as handled only at the end of its batch, as for a journal that writes at end of batch. A
     * later stage then sees no event of a batch before this handler has returned from its last event. If the handler
     * then throws, the whole batch counts as not handled: the next poll delivers it again, from its first event.
     *
     * @return false if each event is handled when {@link #onEvent} returns.
     */
    default boolean completesAtEndOfBatch()
    {
        return false;
    }
}
