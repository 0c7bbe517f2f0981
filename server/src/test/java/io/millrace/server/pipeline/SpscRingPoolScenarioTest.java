package io.millrace.server.pipeline;

/**
 * The scenarios of one consumer on the SPSC ring with events of a ring pool.
 */
class SpscRingPoolScenarioTest extends ScenarioSuite
{
    @Override
    void create()
    {
        pool = ringPool(2 * CAPACITY);
        pipeline = FarStart.at(start, new SpscPipeline<>(CAPACITY));
    }
}
