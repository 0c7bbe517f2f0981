package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The suite over a Disruptor with one publishing thread and events of a ring pool.
 */
final class DisruptorPipelineTest extends StagedPipelineSuite
{
    @Override
    void create()
    {
        // A ring pool acquires in order: refused events advance it too, and it must not wrap to an event in flight.
        pool = new RingPool<>(NumberedEvent::new, 16 * CAPACITY);
        pipeline = DisruptorPipeline.single(CAPACITY);
    }
}
