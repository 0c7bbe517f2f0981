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
        // A ring lends in order: what is refused moves it on, and it must not come round to what is still out.
        pool = new RingPool<>(NumberedEvent::new, 16 * CAPACITY);
        pipeline = DisruptorPipeline.single(CAPACITY);
    }
}
