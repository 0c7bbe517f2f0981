package io.millrace.server.pipeline;

import io.millrace.pool.Exhaustion;
import io.millrace.pool.SharedRingPool;

/**
 * The scenarios on the ring of many publishers, with one.
 */
class SharedRingScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        final SharedRingPool<NumberedEvent> ring =
            new SharedRingPool<>("ring", NumberedEvent::new, CAPACITY, Exhaustion.fail(), start);
        pool = ring;
        pipeline = new SharedRingPipeline<>(ring);
    }
}
