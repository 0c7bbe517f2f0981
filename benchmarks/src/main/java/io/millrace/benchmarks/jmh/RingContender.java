package io.millrace.benchmarks.jmh;

import io.millrace.pool.RingPool;
import io.millrace.server.agent.GatheringIdleStrategy;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.function.Supplier;

/**
 * Our one-line path: a {@link RingPipeline} over its pool, drained as by an agent with a {@link
 * GatheringIdleStrategy}.
 */
class RingContender extends Contender
{
    final RingPool<PooledEvent> pool;
    final RingPipeline<PooledEvent> pipeline;
    private final EventSubscription<PooledEvent> subscription;
    private final EventHandler<PooledEvent> handler;
    /** Made when the consuming thread first needs it, for only then it is known whether it may spin. */
    private IdleStrategy idle;

    RingContender(final Check check, final Supplier<PooledEvent> events)
    {
        super(check);
        pool = new RingPool<>(events, CAPACITY);
        pipeline = new RingPipeline<>(pool);
        subscription = pipeline.subscribe("check");
        handler = (event, sequence, endOfBatch) -> check.accept(event, sequence);
    }

    @Override
    public boolean offer(final long id)
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
    int poll() throws Exception
    {
        return subscription.poll(handler, POLL_LIMIT);
    }

    @Override
    void rest(final int found)
    {
        if (idle == null)
        {
            idle = new GatheringIdleStrategy(
                isYielding() ? new YieldingIdleStrategy() : new BusySpinIdleStrategy(), GATHER_SPINS);
        }
        idle.idle(found);
    }

    @Override
    public void verifyBalance()
    {
        subscription.flush();
        Pools.verifyBalance(pool);
    }

    /** Claims and publishes several events at once. */
    static final class Batch extends RingContender
    {
        private final int size;

        Batch(final Check check, final Supplier<PooledEvent> events, final int size)
        {
            super(check, events);
            this.size = size;
        }

        @Override
        public void publish(final long firstId, final int count)
        {
            final long end = firstId + count;
            long id = firstId;
            while (id < end)
            {
                final int batch = (int)Math.min(size, end - id);
                final long first = pool.claim(batch);
                if (first < 0)
                {
                    pause();
                }
                else
                {
                    for (int i = 0; i < batch; i++)
                    {
                        pool.event(first + i).fill(id++);
                    }
                    pipeline.offer(first, batch);
                }
            }
        }
    }
}
