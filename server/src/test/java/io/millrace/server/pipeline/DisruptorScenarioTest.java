package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;

/**
 * The scenarios on a Disruptor with events of a shared pool.
 */
class DisruptorScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, CAPACITY + 4);
        pipeline = FarStart.at(start, DisruptorPipeline.multi(CAPACITY));
    }
}
