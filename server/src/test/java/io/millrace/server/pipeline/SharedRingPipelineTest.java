package io.millrace.server.pipeline;

import io.millrace.pool.SharedRingPool;

/**
 * The suite over the ring of many publishers, where pool and pipeline are one.
 */
final class SharedRingPipelineTest extends StagedPipelineSuite
{
    @Override
    void create()
    {
        final SharedRingPool<NumberedEvent> ring = new SharedRingPool<>(NumberedEvent::new, CAPACITY);
        pool = ring;
        pipeline = new SharedRingPipeline<>(ring);
    }

    @Override
    boolean takesAnyEvent()
    {
        return false;
    }

    @Override
    boolean takesOnePublisher()
    {
        return false;
    }
}
