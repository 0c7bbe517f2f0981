package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The scenarios on a Disruptor of one publisher with events of a ring pool.
 */
final class DisruptorRingPoolScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        pool = new RingPool<>(NumberedEvent::new, 2 * CAPACITY);
        pipeline = DisruptorPipeline.single(CAPACITY);
    }
}
