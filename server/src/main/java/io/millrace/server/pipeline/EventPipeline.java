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
     * Add a stage. Before the first event, or between two events on the publishing thread: the stage then sees what
     * is published after.
     *
     * @param stage name of the stage, unique in this pipeline.
     * @param after stages of this pipeline that must have passed an event before this one sees it; none: it sees it
     *              as it is published.
     * @return the stage's end of the pipeline.
     * @throws IllegalArgumentException when the name is taken, a stage named in {@code after} is not of this pipeline.
     * @throws IllegalStateException    when this pipeline takes no further stage, or is closed.
     */
    EventSubscription<E> subscribe(String stage, EventSubscription<?>... after);

    /**
     * How many events it holds at most.
     *
     * @return number of events; 0 when events do not wait in it.
     */
    int capacity();

    /**
     * How many events were accepted. Any thread.
     *
     * @return sequence of the next event.
     */
    long published();

    /**
     * Events that it gave back instead of delivering them, as its kind promises: overtaken or replaced ones. Any
     * thread.
     *
     * @return number of events; 0 for pipelines that deliver everything.
     */
    default long displaced()
    {
        return 0;
    }

    /**
     * Hand the publishing end to another thread: the next one that publishes owns it. The present publishing thread
     * calls, and passes the pipeline on with a happens-before edge of its own (starting a thread, a lock, a queue).
     * Without this call checked mode reports the other thread; a call by another thread it reports, too.
     */
    void handOver();

    /**
     * Forget which thread publishes, see {@link io.millrace.pool.RingPool#disown}: checked mode takes the next one for
     * the owner. Any thread.
     */
    default void disown()
    {
    }

    /**
     * End it: accept nothing more and give back what no stage took. When no thread polls any more. A publisher whose
     * offer overlapped the close, and was accepted, calls it again: events that came after the first call are given
     * back and counted by the second. One caller at a time.
     *
     * @return how many deliveries did not take place, over all last stages.
     */
    long close();

    /**
     * The state of a flow in words, for messages.
     *
     * @return name of the kind and the capacity.
     */
    default String describe()
    {
        return getClass().getSimpleName() + "(" + capacity() + ")";
    }
}
