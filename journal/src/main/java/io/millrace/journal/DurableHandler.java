package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;

/**
 * A deterministic handler whose state survives a restart: the same events in the same order give the same state. Time
 * enters it only as a field of an event.
 * <p>
 * Before the first live event, recovery calls these methods on one thread: {@link #onReplayStart()}, {@link #readFrom}
 * if there is a snapshot, {@link #onEvent} for each record, and {@link #onReplayEnd()}. The handler publishes nothing
 * in this time. Live and in replay, the sequence of an event is the number of its record.
 *
 * @param <E> type of the events.
 */
public interface DurableHandler<E> extends EventHandler<E>, Snapshotable
{
    /**
     * Replay begins: publish nothing until it ends.
     */
    default void onReplayStart()
    {
    }

    /**
     * Replay has ended, even if it failed.
     */
    default void onReplayEnd()
    {
    }
}
