package io.millrace.benchmarks.rate;

/**
 * The sending end of a path under test. One thread.
 *
 * @param <M> the path's own event.
 */
public interface MessageOutlet<M extends RateMessage>
{
    /**
     * Take the next event to fill.
     *
     * @return an event of the caller's until it is published, or null when the path is full.
     */
    M claim();

    /**
     * Pass a claimed event on.
     *
     * @param message the event claimed last; afterwards not the caller's any more.
     */
    void publish(M message);
}
