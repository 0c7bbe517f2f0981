package io.millrace.benchmarks.jmh;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Our ring with three stages.
 *
 * @param <E> its events.
 */
public final class RingFanOut<E extends BasePoolAware> implements FanOut<E>
{
    private final RingPool<E> pool;
    private final RingPipeline<E> pipeline;
    private final List<EventSubscription<E>> subscriptions = new ArrayList<>();
    private final List<EventHandler<E>> handlers = new ArrayList<>();

    private RingFanOut(final int capacity, final Supplier<E> events)
    {
        pool = new RingPool<>(events, capacity);
        pipeline = new RingPipeline<>(pool);
    }

    /**
     * One subscription, and the three stages called for each event: what a server does with stages of one agent.
     *
     * @param capacity of the ring.
     * @param events   makes its events.
     * @param stages   the stages' handlers.
     * @param <E>      its events.
     * @return the ring.
     */
    public static <E extends BasePoolAware> FanOut<E> fused(
        final int capacity, final Supplier<E> events, final Stages<E> stages)
    {
        final RingFanOut<E> ring = new RingFanOut<>(capacity, events);
        ring.subscriptions.add(ring.pipeline.subscribe("all"));
        ring.handlers.add((event, sequence, endOfBatch) -> stages.acceptAll(event, sequence));
        return ring;
    }

    /**
     * Three subscriptions, polled alternately by one thread, or each by its own.
     *
     * @param capacity of the ring.
     * @param events   makes its events.
     * @param topology which stage follows which.
     * @param stages   the stages' handlers.
     * @param <E>      its events.
     * @return the ring.
     */
    public static <E extends BasePoolAware> FanOut<E> polled(
        final int capacity, final Supplier<E> events, final Topology topology, final Stages<E> stages)
    {
        final RingFanOut<E> ring = new RingFanOut<>(capacity, events);
        for (int i = 0; i < Topology.STAGES; i++)
        {
            final int stage = i;
            ring.subscriptions.add(topology.follows(i) ?
                ring.pipeline.subscribe("stage" + i, ring.subscriptions.get(0)) :
                ring.pipeline.subscribe("stage" + i));
            ring.handlers.add((event, sequence, endOfBatch) -> stages.accept(stage, event, sequence));
        }
        return ring;
    }

    @Override
    public E claim()
    {
        return pool.acquire();
    }

    @Override
    public boolean publish(final E event)
    {
        return pipeline.offer(event);
    }

    @Override
    public int poll() throws Exception
    {
        int done = 0;
        for (int i = 0; i < handlers.size(); i++)
        {
            done += poll(i);
        }
        return done;
    }

    @Override
    public int poll(final int stage) throws Exception
    {
        return subscriptions.get(stage).poll(handlers.get(stage), POLL_LIMIT);
    }

    @Override
    public void verifyBalance()
    {
        subscriptions.forEach(EventSubscription::flush);
        Pools.verifyBalance(pool);
    }
}
