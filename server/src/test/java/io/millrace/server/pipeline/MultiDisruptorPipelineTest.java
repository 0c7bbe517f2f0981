package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;

/**
 * The suite over a Disruptor with many publishing threads and events of a shared pool.
 */
final class MultiDisruptorPipelineTest extends StagedPipelineSuite
{
    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, CAPACITY + 3);
        pipeline = DisruptorPipeline.multi(CAPACITY);
    }

    @Override
    boolean takesOnePublisher()
    {
        return false;
    }
}
