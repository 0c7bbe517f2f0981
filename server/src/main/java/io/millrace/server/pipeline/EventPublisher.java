package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * The end of a pipeline that events are put into. One publishing thread, unless the implementation says that it takes
 * many.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventPublisher<E extends BasePoolAware>
{
    /**
     * Pass an event on, with the caller's one hold on it.
     * <p>
     * What a handler that is called inline throws, or the {@code onRelease()} of an event, comes out of this call. The
     * event is taken all the same: it is not offered or released again.
     *
     * @param event that the caller holds.
     * @return true: accepted, the event is no longer the caller's; false: not accepted (full, closed, or nobody
     * subscribed), the event is still the caller's.
     */
    boolean offer(E event);
}
