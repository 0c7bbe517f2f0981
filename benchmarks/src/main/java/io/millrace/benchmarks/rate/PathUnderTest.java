package io.millrace.benchmarks.rate;

/**
 * One way from a source to a handler, open for one round.
 *
 * @param <M> the path's own event.
 */
public interface PathUnderTest<M extends RateMessage> extends AutoCloseable
{
    /**
     * Take the next event to fill. By the sending thread.
     *
     * @return an event of the caller's until it is published, or null when the path is full.
     */
    M claim();

    /**
     * Pass a claimed event on. By the sending thread.
     *
     * @param message the event claimed last; afterwards not the caller's any more.
     */
    void publish(M message);

    /**
     * Handles the published events, on the calling thread. Only for a path that was opened without a thread of its
     * own.
     *
     * @return number of handled events.
     */
    int handle();

    /**
     * Events that the path dropped, by its own counters.
     *
     * @return a count; 0 is the only good value.
     */
    default long dropped()
    {
        return 0;
    }

    /**
     * Result of an order book for the events. When all that was published has been handled, before the path is closed.
     *
     * @return {@link Executions#NONE} when the path has no book.
     */
    default Executions executions()
    {
        return Executions.NONE;
    }

    /**
     * End the path and its thread. By the thread that opened it, after the last event is sent.
     */
    @Override
    void close();
}
