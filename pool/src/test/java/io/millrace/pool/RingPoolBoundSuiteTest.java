package io.millrace.pool;

import java.util.function.Supplier;

/**
 * The suite of every pool, for a ring pool that is bound to a pipeline without stages.
 */
final class RingPoolBoundSuiteTest extends ObjectPoolSuite
{
    @Override
    RingPool<TestEvent> newPool(
        final String name, final Supplier<TestEvent> factory, final int capacity, final Exhaustion policy)
    {
        return bound(new RingPool<>(name, factory, capacity, policy, 0));
    }

    @Override
    RingPool<TestEvent> newPool(final Supplier<TestEvent> factory, final int capacity)
    {
        return bound(new RingPool<>(factory, capacity));
    }

    private static RingPool<TestEvent> bound(final RingPool<TestEvent> pool)
    {
        pool.bind(pool::publishedPosition);
        return pool;
    }

    @Override
    void handToAnyThread(final ObjectPool<TestEvent> pool, final TestEvent event)
    {
        if (!PoolCheck.ENABLED)
        {
            // Checked mode already counts the reference that moves with the event.
            event.retain(1);
        }
        ((RingPool<TestEvent>)pool).publish(event);
    }

    @Override
    int countedReferences()
    {
        return PoolCheck.ENABLED ? 1 : 0;
    }
}
