package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.RateEvent;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Our ring with three stages on one thread.
 */
final class RingFanOutPath extends FanOutPath<RateEvent>
{
    // As an agent without a limit of its own.
    private static final int POLL_LIMIT = 256;

    private final RingPool<RateEvent> pool;
    private final RingPipeline<RateEvent> pipeline;
    private final List<EventSubscription<RateEvent>> subscriptions = new ArrayList<>();
    private final List<EventHandler<RateEvent>> handlers = new ArrayList<>();

    private RingFanOutPath(final int capacity, final FanOutStages stages)
    {
        super(stages);
        pool = new RingPool<>(RateEvent::new, capacity);
        pipeline = new RingPipeline<>(pool);
    }

    static FanOutPath<RateEvent> polled(final int capacity, final Topology topology, final FanOutStages stages)
    {
        final RingFanOutPath path = new RingFanOutPath(capacity, stages);
        for (int i = 0; i < Topology.STAGES; i++)
        {
            final int stage = i;
            path.subscriptions.add(topology.follows(i) ?
                path.pipeline.subscribe("stage" + i, path.subscriptions.get(0)) :
                path.pipeline.subscribe("stage" + i));
            path.handlers.add((event, sequence, endOfBatch) -> stages.accept(stage, event));
        }
        return path;
    }

    static FanOutPath<RateEvent> fused(final int capacity, final FanOutStages stages)
    {
        final RingFanOutPath path = new RingFanOutPath(capacity, stages);
        path.subscriptions.add(path.pipeline.subscribe("all"));
        path.handlers.add((event, sequence, endOfBatch) -> stages.acceptAll(event));
        return path;
    }

    @Override
    int poll() throws Exception
    {
        int done = 0;
        for (int i = 0; i < handlers.size(); i++)
        {
            done += subscriptions.get(i).poll(handlers.get(i), POLL_LIMIT);
        }
        return done;
    }

    @Override
    public RateEvent claim()
    {
        return pool.acquire();
    }

    @Override
    public void publish(final RateEvent message)
    {
        if (!pipeline.offer(message))
        {
            throw new IllegalStateException("the ring refused an event of its own");
        }
    }
}
