package io.millrace.benchmarks.jmh;

import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Our ring with three stages.
 */
abstract class RingFanOut extends FanOutContender
{
    final RingPool<PooledEvent> pool = new RingPool<>(PooledEvent.ofSize(64), CAPACITY);
    final RingPipeline<PooledEvent> pipeline = new RingPipeline<>(pool);
    final List<EventSubscription<PooledEvent>> subscriptions = new ArrayList<>();

    RingFanOut(final Topology topology, final int batch)
    {
        super(topology, stages(topology, batch));
    }

    /** One subscription, and the three stages called for each event: what a server does with stages of one agent. */
    static Contender fused(final Topology topology, final int batch)
    {
        return new Fused(topology, batch);
    }

    /** Three subscriptions, polled alternately by one thread. */
    static Contender polled(final Topology topology, final int batch)
    {
        return new Polled(topology, batch);
    }

    /** Three subscriptions, each on a thread of its own. */
    static Contender onThreads(final Topology topology, final int batch)
    {
        return new OnThreads(topology, batch);
    }

    @Override
    public final boolean offer(final long id)
    {
        final PooledEvent event = pool.acquire();
        if (event == null)
        {
            return false;
        }
        event.fill(id);
        return pipeline.offer(event);
    }

    @Override
    public final void verifyBalance()
    {
        subscriptions.forEach(EventSubscription::flush);
        Pools.verifyBalance(pool);
    }

    private static final class Fused extends RingFanOut
    {
        private final EventSubscription<PooledEvent> subscription;
        private final EventHandler<PooledEvent> handler;

        Fused(final Topology topology, final int batch)
        {
            super(topology, batch);
            subscription = pipeline.subscribe("all");
            subscriptions.add(subscription);
            final Stage first = stages.get(0);
            final Stage second = stages.get(1);
            final Stage third = stages.get(2);
            handler = (event, sequence, endOfBatch) ->
            {
                first.accept(event, sequence);
                second.accept(event, sequence);
                third.accept(event, sequence);
            };
        }

        @Override
        int poll() throws Exception
        {
            return subscription.poll(handler, POLL_LIMIT);
        }
    }

    private abstract static class Apart extends RingFanOut
    {
        private final List<EventHandler<PooledEvent>> handlers = new ArrayList<>();

        Apart(final Topology topology, final int batch)
        {
            super(topology, batch);
            for (int i = 0; i < Topology.STAGES; i++)
            {
                final Stage stage = stages.get(i);
                subscriptions.add(topology.follows(i) ?
                    pipeline.subscribe("stage" + i, subscriptions.get(0)) : pipeline.subscribe("stage" + i));
                handlers.add((event, sequence, endOfBatch) -> stage.accept(event, sequence));
            }
        }

        final int poll(final int stage) throws Exception
        {
            return subscriptions.get(stage).poll(handlers.get(stage), POLL_LIMIT);
        }
    }

    private static final class Polled extends Apart
    {
        Polled(final Topology topology, final int batch)
        {
            super(topology, batch);
        }

        @Override
        int poll() throws Exception
        {
            return poll(0) + poll(1) + poll(2);
        }
    }

    private static final class OnThreads extends Apart
    {
        OnThreads(final Topology topology, final int batch)
        {
            super(topology, batch);
            if (!hasCpuForEach())
            {
                yieldWhenIdle();
            }
        }

        @Override
        int poll()
        {
            throw new UnsupportedOperationException("each stage has a thread of its own");
        }

        @Override
        public void consume() throws Exception
        {
            consumeOnThreads(this::consume);
        }

        private void consume(final int stage) throws Exception
        {
            while (!isStopped())
            {
                if (poll(stage) == 0)
                {
                    idle();
                }
            }
        }

        /** The threads share what CPUs there are. */
        @Override
        boolean isPinned()
        {
            return false;
        }
    }
}
