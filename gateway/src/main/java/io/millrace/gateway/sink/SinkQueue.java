package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.ObjectPool;
import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.pipeline.ConflatingPipeline;

/**
 * The queue in front of a sink, and what happens to events while it is full. None of the policies waits, so a sink
 * never slows the others or the receiver.
 */
public final class SinkQueue
{
    private final BackPressure policy;
    private final int capacity;

    private SinkQueue(final BackPressure policy, final int capacity, final int max)
    {
        this.policy = policy;
        this.capacity = ObjectPool.checkRingCapacity("capacity", capacity, max);
    }

    /**
     * Only the newest waiting event of each symbol; older ones are counted as displaced. An event of a symbol beyond
     * the greatest number is refused and counted as rejected.
     *
     * @param maxSymbols greatest number of symbols, a power of two in 1..16,777,216.
     * @return the queue.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public static SinkQueue conflate(final int maxSymbols)
    {
        return new SinkQueue(BackPressure.CONFLATE, maxSymbols, ConflatingPipeline.MAX_KEYS / 2);
    }

    /**
     * All events in order; while the queue is full, new events are dropped and counted.
     *
     * @param capacity number of events, a power of two in 1..33,554,432.
     * @return the queue.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public static SinkQueue dropNewest(final int capacity)
    {
        return new SinkQueue(BackPressure.DROP_NEWEST, capacity, ObjectPool.MAX_CAPACITY / 2);
    }

    /**
     * The newest events in order; while the queue is full, its oldest events are released and counted as displaced.
     *
     * @param capacity number of events, a power of two in 1..33,554,432.
     * @return the queue.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public static SinkQueue dropOldest(final int capacity)
    {
        return new SinkQueue(BackPressure.DROP_OLDEST, capacity, ObjectPool.MAX_CAPACITY / 2);
    }

    /** Twice the queue: one event is being filled and one handled, and capacities are powers of two. */
    InVmSource<BboEvent> newSource()
    {
        return new InVmSource<>(BboEvent::new, Math.max(4, capacity * 2));
    }

    Flow<BboEvent> flow(final Flow.Start start, final InVmSource<BboEvent> source)
    {
        return start.from(source).onFull(policy).through(policy == BackPressure.CONFLATE ?
            Pipelines.conflating(capacity, BboEvent::symbol) : Pipelines.spsc(capacity));
    }

    /** @return policy and capacity. */
    @Override
    public String toString()
    {
        return policy + "(" + capacity + ")";
    }
}
