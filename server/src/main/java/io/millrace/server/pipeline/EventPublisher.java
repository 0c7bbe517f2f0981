package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * Publishing end of a pipeline. One publishing thread, unless the implementation allows many.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventPublisher<E extends BasePoolAware>
{
    /**
     * Pass an event on, together with the caller's reference to it.
     * <p>
     * Exceptions of an inline handler, of a {@code keyOf} or of an event's {@code onRelease()} propagate out of this
     * call. The event is accepted nevertheless: do not offer or release it again.
     *
     * @param event to which the caller has a reference.
     * @return true if the event was accepted; the caller must not touch it any more. False if the pipeline is full,
     * closed or has no stage; the event is still the caller's.
     */
    boolean offer(E event);
}
