package io.millrace.pool;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ObjectPoolsRegistryTest
{
    private static final Supplier<TestEvent> FACTORY = TestEvent::new;

    private final ObjectPoolsRegistry registry = new ObjectPoolsRegistry();

    private ObjectPool<TestEvent> getOrCreate(
        final Supplier<TestEvent> factory, final int capacity, final Exhaustion policy)
    {
        return registry.getOrCreate(TestEvent.class, factory, capacity, policy);
    }

    @Test
    void shouldReturnThePoolThatTheFirstCallCreated()
    {
        final ObjectPool<TestEvent> pool = getOrCreate(FACTORY, 3, Exhaustion.waitFor(5));

        assertSame(pool, getOrCreate(FACTORY, 3, Exhaustion.waitFor(5)));
        assertEquals(3, pool.capacity());
        assertEquals("TestEvent", pool.name());
        assertEquals(List.of(pool), registry.pools());
    }

    @Test
    void shouldRefuseARequestWithOtherSettings()
    {
        getOrCreate(FACTORY, 3, Exhaustion.fail());

        assertConflict("capacity 3", "capacity 4", () -> getOrCreate(FACTORY, 4, Exhaustion.fail()));
        assertConflict("policy FAIL", "policy WAIT(7 ns)", () -> getOrCreate(FACTORY, 3, Exhaustion.waitFor(7)));
        assertConflict("policy FAIL", "policy GROW(to 9)", () -> getOrCreate(FACTORY, 3, Exhaustion.grow(9)));
        assertConflict("another factory", "this one", () -> getOrCreate(() -> null, 3, Exhaustion.fail()));
        assertEquals(1, registry.pools().size());
    }

    private static void assertConflict(final String present, final String asked, final Runnable call)
    {
        final String message = assertThrows(IllegalStateException.class, call::run).getMessage();
        assertTrue(message.contains(TestEvent.class.getName()), message);
        assertTrue(message.contains(present) && message.contains(asked), message);
    }

    @Test
    void shouldKeepNothingOfAPoolThatCouldNotBeCreated()
    {
        assertThrows(IllegalArgumentException.class, () -> getOrCreate(FACTORY, 0, Exhaustion.fail()));
        assertThrows(NullPointerException.class, () -> getOrCreate(null, 1, Exhaustion.fail()));
        assertThrows(NullPointerException.class, () -> registry.getOrCreate(null, FACTORY, 1, Exhaustion.fail()));

        assertEquals(List.of(), registry.pools());
        assertEquals(1, getOrCreate(FACTORY, 1, Exhaustion.fail()).capacity());
    }

    @Test
    void shouldReportOnAddedPoolsWithTheOthers()
    {
        final RingPool<TestEvent> ring = registry.add(new RingPool<>(FACTORY, 2));
        final ObjectPool<TestEvent> shared = getOrCreate(FACTORY, 2, Exhaustion.fail());
        assertEquals(List.of(shared, ring), registry.pools());
        assertThrows(IllegalStateException.class, () -> registry.add(ring));
        assertThrows(IllegalStateException.class, () -> registry.add(shared));
        assertThrows(NullPointerException.class, () -> registry.add(null));
        assertEquals("", registry.describeInFlight());

        final TestEvent event = ring.acquire();
        shared.acquire();
        assertEquals(2, registry.describeInFlight().lines().count());
        event.release();
        assertEquals(1, registry.describeInFlight().lines().count());
    }

    @Test
    void shouldShareNothingWithAnotherRegistry()
    {
        assertNotSame(getOrCreate(FACTORY, 1, Exhaustion.fail()),
            new ObjectPoolsRegistry().getOrCreate(TestEvent.class, FACTORY, 1, Exhaustion.fail()));
    }
}
