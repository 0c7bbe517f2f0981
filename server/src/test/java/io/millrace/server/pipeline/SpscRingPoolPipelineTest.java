package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The suite over the SPSC ring with events of a ring pool.
 */
final class SpscRingPoolPipelineTest extends OneStagePipelineSuite implements Losslessness
{
    @Override
    void create()
    {
        // A ring pool acquires in order: refused events advance it too, and it must not wrap to an event in flight.
        pool = new RingPool<>(NumberedEvent::new, 16 * CAPACITY);
        pipeline = new SpscPipeline<>(CAPACITY);
    }

    @Override
    EventPipeline<NumberedEvent> ofCapacity(final int capacity)
    {
        return new SpscPipeline<>(capacity);
    }
}
