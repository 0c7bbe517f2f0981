package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The scenarios of one consumer on the SPSC ring with events of a ring pool.
 */
final class SpscRingPoolScenarioTest extends ScenarioSuite
{
    @Override
    void create()
    {
        pool = new RingPool<>(NumberedEvent::new, 2 * CAPACITY);
        pipeline = new SpscPipeline<>(CAPACITY);
    }
}
