package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * Carries events from a publisher to one or more stages. Each stage sees every event, in order.
 *
 * @param <E> type of the events.
 */
public interface EventPipeline<E extends BasePoolAware> extends EventPublisher<E>
{
    /**
     * Add a stage. Call it before the first event, or between two events on the publishing thread: the stage then sees
     * all later events.
     *
     * @param stage name of the stage, unique in this pipeline.
     * @param after stages of this pipeline that must pass an event before this stage sees it; none: it sees events as
     *              they are published.
     * @return the stage's end of the pipeline.
     * @throws IllegalArgumentException if the name is in use, or a stage in {@code after} is not of this pipeline.
     * @throws IllegalStateException    if this pipeline takes no further stage, or is closed.
     */
    EventSubscription<E> subscribe(String stage, EventSubscription<?>... after);

    /**
     * Remove a stage while events are published. It does not limit the publisher any more. The thread that polls the
     * stage calls, and does not poll it again.
     *
     * @param subscription of this pipeline.
     * @return number of published events that the stage has not passed; they are not delivered to it.
     * @throws IllegalArgumentException      if it is not of this pipeline, if other stages follow it, or if it is the
     *                                       last stage.
     * @throws UnsupportedOperationException if the pipeline is no ring.
     */
    default long unsubscribe(final EventSubscription<E> subscription)
    {
        throw new UnsupportedOperationException("stages leave a ring only, not " + describe());
    }

    /**
     * Greatest number of events in the pipeline.
     *
     * @return number of events; 0 if the pipeline has no queue.
     */
    int capacity();

    /**
     * Position of the publisher: the number of accepted events. Any thread.
     *
     * @return sequence of the next event.
     */
    long publishedPosition();

    /**
     * Number of accepted events, with those that displaced another one. Any thread.
     *
     * @return number of events.
     */
    default long acceptedCount()
    {
        return publishedPosition();
    }

    /**
     * Number of events that were released instead of delivered, because a newer event displaced them. Any thread.
     *
     * @return number of events; 0 for pipelines that deliver everything.
     */
    default long displaced()
    {
        return 0;
    }

    /**
     * Hand the publishing end over to the next thread that publishes. The current publishing thread calls this; it must
     * then pass the pipeline on by a happens-before edge (starting a thread, a lock, a queue). Checked mode reports a
     * new publishing thread without this call, and this call by another thread.
     */
    void handOver();

    /**
     * Forget the publishing thread: the next thread that publishes becomes the owner. Any thread. See {@link
     * io.millrace.pool.RingPool#clearAcquiringThread}.
     */
    default void clearPublishingThread()
    {
    }

    /**
     * Close the pipeline: refuse further events and release those that no stage took. Call it when no thread polls any
     * more. If an accepted offer overlapped the close, its publisher calls close again, which releases and counts the
     * events that arrived after the first call. One caller at a time.
     *
     * @return number of deliveries that did not take place, over all terminal stages.
     */
    long close();

    /**
     * Description for messages.
     *
     * @return kind and capacity.
     */
    default String describe()
    {
        return getClass().getSimpleName() + "(" + capacity() + ")";
    }
}
