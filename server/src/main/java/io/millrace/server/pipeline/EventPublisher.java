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
     * If this call throws, the event is not the caller's any more: do not offer or release it again. An inline handler
     * or an event's {@code onRelease()} threw, and the event was accepted; or a {@code keyOf} threw, or a direct
     * pipeline cannot call its handlers now, and the event was released. Or the pool or checked mode found an error of
     * the program, such as an event that was published already, or is of another ring: it is as before the call. The
     * class of the exception does not say which it is.
     *
     * @param event to which the caller has a reference.
     * @return true if the event was accepted; the caller must not touch it any more. False if the pipeline is full,
     * closed or has no stage; the event is still the caller's.
     */
    boolean offer(E event);
}
