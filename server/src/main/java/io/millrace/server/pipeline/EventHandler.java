package io.millrace.server.pipeline;

/**
 * Does something with each event. The shape is that of the Disruptor's own handler, so an existing one plugs in as
 * {@code theirs::onEvent}.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventHandler<E>
{
    /**
     * Called for each event, in order, always by the thread of the agent that hosts the handler (or by the publishing
     * thread, inline).
     * <p>
     * The event is lent for the time of the call: whoever keeps it calls {@code retain(1)} here and {@code release()}
     * later, and a kept event of a ring stops the ring. The handler does not release what it was lent; its agent
     * does, also when it throws.
     *
     * @param event      the event.
     * @param sequence   number of the event in its pipeline, from 0; a number is missing where an event was claimed
     *                   and not published, or displaced.
     * @param endOfBatch true when no further event of this poll follows, so exactly once in a poll that delivers
     *                   anything and does not throw: the time to write, flush or commit what was collected.
     * @throws Exception what went wrong; the error policy of the agent decides what follows.
     */
    void onEvent(E event, long sequence, boolean endOfBatch) throws Exception;

    /**
     * Called once, before the first event, by the thread that will call {@link #onEvent}; in a flow without a queue
     * whose events come from an {@code InVmSource}, by the launching thread. It may publish: into flows with a queue,
     * and into flows without one that are declared after its own.
     */
    default void onStart()
    {
    }

    /**
     * Called once when the server closes and this handler's flow is drained: the time to publish what was collected, as
     * the flows that were declared after this one still run. By the thread that calls {@link #onEvent}; in a flow
     * without a queue whose events come from an {@code InVmSource}, by a thread of the server that closes. Stages of a
     * flow are called in their order. What it throws is reported, and an interrupt flag that it leaves is kept.
     * <p>
     * Not called when the handler's agent has ended, or the flow could not be drained in its share of the drain time.
     * An event whose publish overlaps the close may still follow.
     *
     * @throws Exception what went wrong.
     */
    default void onDrained() throws Exception
    {
    }

    /**
     * Called once, after the last event, by the thread that called {@link #onEvent}; in a flow without a queue whose
     * events come from an {@code InVmSource}, by a thread of the server that closes. Nothing can be published any more:
     * see {@link #onDrained()}.
     */
    default void onClose()
    {
    }

    /**
     * Whether an event counts as handled only when the batch it came in has ended, as with a journal that writes at
     * end of batch. A later stage then sees no event of a batch before this handler has returned from the end of it.
     * When such a handler throws, the batch counts as not handled: if it is polled again it comes again, from its
     * first event.
     *
     * @return false: an event is done when {@link #onEvent} returns.
     */
    default boolean completesAtEndOfBatch()
    {
        return false;
    }
}
