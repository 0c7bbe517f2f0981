package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The suite over the one-line path, where pool and pipeline are one.
 */
final class RingPipelineTest extends StagedPipelineSuite
{
    @Override
    void create()
    {
        final RingPool<NumberedEvent> ring = new RingPool<>(NumberedEvent::new, CAPACITY);
        pool = ring;
        pipeline = new RingPipeline<>(ring);
    }

    @Override
    boolean takesAnyEvent()
    {
        return false;
    }
}
