package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * A source that an agent polls for events: a file, a socket, a timer. For events that the application's own threads
 * publish, use an {@link InVmSource} instead.
 * <p>
 * Use a source in one flow of one server. A server refuses a source that two of its flows have. Two servers cannot
 * detect that they share a source, because servers have no static state; two agents would call it concurrently. A
 * source can prevent this as {@code FileReplaySource} does: {@link #onStart()} records the start and throws at a second
 * one.
 *
 * @param <E> type of the events.
 */
@FunctionalInterface
public interface EventSource<E extends BasePoolAware>
{
    /**
     * Produce some events: claim, fill, offer. Called repeatedly by the thread of one agent. It must not block, and its
     * work must be bounded, because the agent may have other work.
     * <p>
     * Offer or release each claimed event, even if this method throws. Otherwise the pool loses the event; only a ring
     * skips it. When the server closes, a running poll ends normally; no other poll follows.
     *
     * @param out receives the events. If a claim returns null, no capacity is free: return, and continue in the next
     *            call.
     * @return number of events produced; 0 lets the agent idle.
     * @throws Exception on failure; the error policy of the agent applies.
     */
    int poll(EventPublication<E> out) throws Exception;

    /**
     * Whether the source will produce no more events, for example at the end of a file. Any thread may call, also
     * during a poll.
     *
     * @return false if more events may follow.
     */
    default boolean isExhausted()
    {
        return false;
    }

    /**
     * Called once for each start of the server, before the first poll, by the polling thread.
     *
     * @throws Exception if the source cannot start; the launch of the server then fails with it.
     */
    default void onStart() throws Exception
    {
    }

    /**
     * Called once for each start, after the last poll, by the polling thread.
     *
     * @throws Exception on failure; reported to the error handler.
     */
    default void onClose() throws Exception
    {
    }

    /**
     * Add the source's own counters to the server's. Called once by the launching thread while the server is built, or
     * after its start by {@link Control#replaceSource}. Any thread may read the counters.
     *
     * @param counters of the server.
     * @param name     of the source, {@code FLOW-source}; begin each counter name with it and a dot.
     */
    default void addCounters(final Counters counters, final String name)
    {
    }
}
