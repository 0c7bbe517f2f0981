package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;

/**
 * The scenarios on the one-line path.
 */
final class RingScenarioTest extends FanOutScenarioSuite
{
    @Override
    void create()
    {
        final RingPool<NumberedEvent> ring = new RingPool<>(NumberedEvent::new, CAPACITY);
        pool = ring;
        pipeline = new RingPipeline<>(ring);
    }
}
