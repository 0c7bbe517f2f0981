package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The scenarios on the one-line path.
 */
class RingScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        final RingPool<NumberedEvent> ring = ringPool(CAPACITY);
        pool = ring;
        pipeline = new RingPipeline<>(ring);
    }
}
