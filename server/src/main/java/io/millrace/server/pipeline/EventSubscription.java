package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * Receiving end of a pipeline, for one stage. Polled by one thread.
 *
 * @param <E> type of the events.
 */
public interface EventSubscription<E extends BasePoolAware>
{
    /**
     * Deliver available events to a handler. Each event is released after its call, even if the call throws.
     * <p>
     * If the handler throws, poll ends with that exception. A terminal stage passes and releases the failed event. A
     * stage with later stages does not pass it, so they never see an event on which an earlier stage failed. The next
     * poll delivers it again. If the handler {@linkplain EventHandler#completesAtEndOfBatch() completes at the end of
     * its batch}, a stage of a ring or a disruptor passes no event of that poll, terminal or not. The next poll
     * delivers all of them again.
     *
     * @param handler receives the events.
     * @param limit   greatest number of events; below 1 no event is delivered.
     * @return number of events delivered; 0 if there was none.
     * @throws Exception thrown by the handler.
     */
    int poll(EventHandler<? super E> handler, int limit) throws Exception;

    /**
     * Pass available events up to the first one for which a gate is closed. The stage needs a follower, so it releases
     * nothing.
     *
     * @param gate  asked for each event.
     * @param limit greatest number of events.
     * @return number of events passed.
     * @throws Exception                     thrown by the gate; no event of this call is passed then.
     * @throws UnsupportedOperationException if the pipeline has one stage only.
     */
    default int pass(final EventGate<? super E> gate, final int limit) throws Exception
    {
        throw new UnsupportedOperationException("a gate needs a ring or a disruptor");
    }

    /**
     * Name of the stage.
     *
     * @return the name, unique in its pipeline.
     */
    String stage();

    /**
     * Announced position: number of events that this stage has passed. Any thread. On a ring the announcement may lag
     * by up to an eighth of the capacity. This call requests the exact position; the stage announces it at the end of
     * its next poll.
     *
     * @return sequence of the next event.
     */
    long position();

    /**
     * Announce the exact position. Called by the polling thread before it stops polling, or takes no event for now.
     */
    void flush();
}
