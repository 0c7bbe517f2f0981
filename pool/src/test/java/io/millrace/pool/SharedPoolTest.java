package io.millrace.pool;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SharedPoolTest extends ObjectPoolSuite
{
    @Override
    ObjectPool<TestEvent> newPool(
        final String name, final Supplier<TestEvent> factory, final int capacity, final Exhaustion policy)
    {
        return new SharedPool<>(name, factory, capacity, policy);
    }

    @Override
    ObjectPool<TestEvent> newPool(final Supplier<TestEvent> factory, final int capacity)
    {
        return new SharedPool<>(factory, capacity);
    }

    @Test
    void shouldAcquireTheEventReleasedFirst()
    {
        final ObjectPool<TestEvent> pool = newPool(3);
        final List<TestEvent> events = acquire(pool, 3);
        events.get(1).release();
        events.get(0).release();
        events.get(2).release();

        assertSame(events.get(1), pool.acquire());
        assertSame(events.get(0), pool.acquire());
        assertSame(events.get(2), pool.acquire());
    }

    @Test
    void shouldAcquireOtherEventsWhileOneIsInUse()
    {
        final ObjectPool<TestEvent> pool = newPool(3);
        final TestEvent inUse = pool.acquire();
        for (int i = 0; i < 100; i++)
        {
            final TestEvent event = pool.acquire();
            assertNotSame(inUse, event);
            event.release();
        }
        assertEquals(2, pool.available());
    }

    @Test
    void shouldAcceptAnyCapacity()
    {
        for (int capacity = 1; capacity < 70; capacity++)
        {
            final ObjectPool<TestEvent> pool = newPool(capacity);
            for (int lap = 0; lap < 3; lap++)
            {
                final List<TestEvent> events = acquire(pool, capacity);
                assertNull(pool.acquire());
                events.forEach(BasePoolAware::release);
            }
            assertEquals(capacity, pool.available());
        }
    }

    @Test
    void shouldRefuseToRetainAReleasedEvent()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        event.release();

        assertThrows(IllegalStateException.class, () -> event.retain(1));
        assertEquals(1, pool.metrics().doubleReleases());
        assertEquals(0, event.refCount());
        assertEquals(1, pool.available());
    }

    @Test
    void shouldGrowOneByOneToTheLimitAndCountIt()
    {
        final ObjectPool<TestEvent> pool = newPool("test", TestEvent::new, 2, Exhaustion.grow(5));
        final Set<TestEvent> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
        inFlight.addAll(acquire(pool, 2));
        assertEquals(2, pool.capacity());
        for (int capacity = 3; capacity <= 5; capacity++)
        {
            inFlight.addAll(acquire(pool, 1));
            assertEquals(capacity, pool.capacity());
            assertEquals(capacity - 2, pool.metrics().grown());
        }
        assertEquals(5, inFlight.size());
        assertNull(pool.acquire());
        assertEquals(4, pool.metrics().exhausted());

        inFlight.forEach(BasePoolAware::release);
        assertEquals(5, pool.available());
        assertEquals("", pool.describeInFlight());
    }

    @Test
    void shouldStayUnchangedWhenTheFactoryFailsToGrow()
    {
        final TestEvent[] made = {new TestEvent(), new TestEvent(), null};
        final int[] next = {0};
        final ObjectPool<TestEvent> pool = newPool("test", () -> made[next[0]++], 2, Exhaustion.grow(4));
        final List<TestEvent> inFlight = acquire(pool, 2);

        final String message = assertThrows(NullPointerException.class, pool::acquire).getMessage();
        assertTrue(message.contains("event 2"), message);
        assertEquals(2, pool.capacity());
        assertEquals(0, pool.metrics().grown());
        inFlight.forEach(BasePoolAware::release);
        assertEquals(2, pool.available());
    }

    @Test
    void shouldRefuseALimitBelowTheCapacity()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> newPool("test", TestEvent::new, 8, Exhaustion.grow(7))).getMessage();
        assertTrue(message.contains("7") && message.contains("8"), message);
    }
}
