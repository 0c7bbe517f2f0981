package io.millrace.pool;

import java.util.function.Supplier;

/**
 * The suite of every pool, for a shared ring pool that is bound to a pipeline without stages.
 */
final class SharedRingPoolSuiteTest extends ObjectPoolSuite
{
    @Override
    SharedRingPool<TestEvent> newPool(
        final String name, final Supplier<TestEvent> factory, final int capacity, final Exhaustion policy)
    {
        return bound(new SharedRingPool<>(name, factory, capacity, policy, 0));
    }

    @Override
    SharedRingPool<TestEvent> newPool(final Supplier<TestEvent> factory, final int capacity)
    {
        return bound(new SharedRingPool<>(factory, capacity));
    }

    private static SharedRingPool<TestEvent> bound(final SharedRingPool<TestEvent> pool)
    {
        pool.bind(pool::resolvedPosition);
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
        ((SharedRingPool<TestEvent>)pool).publish(event);
    }

    @Override
    int countedReferences()
    {
        return PoolCheck.ENABLED ? 1 : 0;
    }
}
