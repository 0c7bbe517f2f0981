package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;

/**
 * The scenarios of one consumer on the SPSC ring with events of a shared pool.
 */
class SpscScenarioTest extends ScenarioSuite
{
    @Override
    void create()
    {
        pool = new SharedPool<>(NumberedEvent::new, CAPACITY + 4);
        pipeline = FarStart.at(start, new SpscPipeline<>(CAPACITY));
    }
}
