package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * The end of a pipeline that one stage takes its events from. Polled by one thread.
 *
 * @param <E> type of the events.
 */
public interface EventSubscription<E extends BasePoolAware>
{
    /**
     * Hand the events that are there to a handler, and give each back after its call, also when the call throws.
     * <p>
     * When the handler throws, poll ends with that exception. On a subscription that no later stage follows, the
     * event that failed is passed and given back. On one that a later stage follows it is not passed, so that the
     * later stage never sees an event that an earlier one failed on: the next poll would deliver it again. With a
     * handler that {@linkplain EventHandler#completesAtEndOfBatch() completes at the end of its batch} nothing of
     * that poll is passed there: the next poll would deliver all of it again.
     *
     * @param handler is called with each event.
     * @param limit   greatest number of events; below 1 nothing is polled.
     * @return how many events the handler was called with; 0 when there was none.
     * @throws Exception what the handler threw.
     */
    int poll(EventHandler<? super E> handler, int limit) throws Exception;

    /**
     * Name of the stage.
     *
     * @return the name, unique in its pipeline.
     */
    String stage();

    /**
     * How many events this stage has passed, by what it has made known. Any thread. A ring's stage may lag behind by
     * up to an eighth of the capacity; this call asks it, and it answers at the end of its next poll.
     *
     * @return sequence of the next event.
     */
    long position();

    /**
     * Make the exact position known. The polling thread, before it stops polling.
     */
    void flush();
}
