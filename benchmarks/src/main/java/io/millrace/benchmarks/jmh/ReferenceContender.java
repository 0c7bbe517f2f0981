package io.millrace.benchmarks.jmh;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventSubscription;

import java.util.function.Supplier;

/**
 * Our pipelines that carry references: the events come from a separate pool and return to it by their reference count.
 */
final class ReferenceContender extends Contender
{
    private final ObjectPool<PooledEvent> pool;
    private final EventPipeline<PooledEvent> pipeline;
    private final EventSubscription<PooledEvent> subscription;
    private final EventHandler<PooledEvent> handler;

    ReferenceContender(
        final Check check, final ObjectPool<PooledEvent> pool, final EventPipeline<PooledEvent> pipeline)
    {
        super(check);
        this.pool = pool;
        this.pipeline = pipeline;
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
        if (pipeline.offer(event))
        {
            return true;
        }
        event.release();
        return false;
    }

    @Override
    int poll() throws Exception
    {
        return subscription.poll(handler, POLL_LIMIT);
    }

    @Override
    public void verifyBalance()
    {
        Pools.verifyBalance(pool);
    }

    /** Handles the event inside of the offer; there is nothing to poll, and no second thread. */
    static final class Direct extends Contender
    {
        private final RingPool<PooledEvent> pool;
        private final DirectPipeline<PooledEvent> pipeline = new DirectPipeline<>();

        Direct(final Check check, final Supplier<PooledEvent> events)
        {
            super(check);
            pool = new RingPool<>(events, CAPACITY);
            pipeline.subscribe("check").connect((event, sequence, endOfBatch) -> check.accept(event, sequence));
        }

        @Override
        public boolean offer(final long id)
        {
            final PooledEvent event = pool.acquire();
            event.fill(id);
            return pipeline.offer(event);
        }

        @Override
        int poll()
        {
            return 1;
        }

        @Override
        public void verifyBalance()
        {
            Pools.verifyBalance(pool);
        }
    }
}
