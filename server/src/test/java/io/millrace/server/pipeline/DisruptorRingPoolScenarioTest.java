package io.millrace.server.pipeline;

/**
 * The scenarios on a Disruptor of one publisher with events of a ring pool.
 */
class DisruptorRingPoolScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        pool = ringPool(2 * CAPACITY);
        pipeline = FarStart.at(start, DisruptorPipeline.single(CAPACITY));
    }
}
