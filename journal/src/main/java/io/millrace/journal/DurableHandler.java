package io.millrace.journal;

import io.millrace.server.pipeline.EventHandler;

/**
 * A deterministic handler whose state survives: the same events in the same order give the same state. Time enters it
 * only as a field of an event.
 * <p>
 * Recovery calls it between {@link #onReplayStart()} and {@link #onReplayEnd()}, on one thread, before it gets its
 * first live event: {@link #readFrom} if there is a snapshot, then {@link #onEvent} for each record. It publishes
 * nothing meanwhile. Live and in replay, the sequence that it gets is the number of the event's record.
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
     * Replay has ended, also when it failed.
     */
    default void onReplayEnd()
    {
    }
}
