package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;

/**
 * The suite over the SPSC ring with events of a shared pool.
 */
final class SpscSharedPoolPipelineTest extends OneStagePipelineSuite implements Losslessness
{
    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, 2 * CAPACITY);
        pipeline = new SpscPipeline<>(CAPACITY);
    }

    @Override
    EventPipeline<NumberedEvent> ofCapacity(final int capacity)
    {
        return new SpscPipeline<>(capacity);
    }
}
