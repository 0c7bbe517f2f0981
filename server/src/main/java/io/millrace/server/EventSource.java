package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * Produces events when its agent asks: a file, a socket, a timer. Events that come from the application's own threads
 * go through an {@link InVmSource} instead.
 * <p>
 * One source, one flow. A second flow of the same server is refused. A second server is not, because servers keep no
 * static state and so do not know of each other's objects: two agents would call the source at once. A source that may
 * meet this notes in {@link #onStart()} that it was started, and throws at the second start, as {@code
 * FileReplaySource} does.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventSource<E extends BasePoolAware>
{
    /**
     * Produce some events: claim, fill, offer. Called again and again by the thread of one agent. Must not block;
     * bounded work, so that the agent's other duties get their turn. An event that was claimed is offered or released,
     * also when this throws: else it is lost to the pool, unless the pool is a ring's, which skips it.
     * <p>
     * When the server closes, a poll that is going on ends as if nothing was; no other follows it.
     *
     * @param out where the events go. When a claim returns null there is no room: return, and go on in the next call.
     * @return how many were produced; 0 lets the agent idle.
     * @throws Exception what went wrong; the error policy of the agent decides what follows.
     */
    int poll(EventPublication<E> out) throws Exception;

    /**
     * Whether it will never produce anything more, as at the end of a file. Any thread may ask, also while a poll is
     * going on.
     *
     * @return false: there may be more.
     */
    default boolean isExhausted()
    {
        return false;
    }

    /**
     * Called once, before the first poll, by the thread that will poll.
     *
     * @throws Exception when it cannot start: the launch of the server fails with it.
     */
    default void onStart() throws Exception
    {
    }

    /**
     * Called once, after the last poll, by the thread that polled.
     *
     * @throws Exception what went wrong; reported to the error handler.
     */
    default void onClose() throws Exception
    {
    }

    /**
     * Add counters of the source's own to the server's. Called once, while the server is built, by the launching
     * thread; the counters are read by any thread.
     *
     * @param counters of the server.
     * @param name     of the source, {@code FLOW-source}: the part of each counter's name before the dot.
     */
    default void addCounters(final Counters counters, final String name)
    {
    }
}
