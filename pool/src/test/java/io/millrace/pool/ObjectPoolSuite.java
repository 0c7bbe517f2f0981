package io.millrace.pool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P5, P6: behaviour of every kind of pool. Each kind runs this suite, in normal and in checked mode.
 */
abstract class ObjectPoolSuite
{
    static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(2);
    static final long LONG_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);

    private final List<Thread> started = new ArrayList<>();

    abstract ObjectPool<TestEvent> newPool(String name, Supplier<TestEvent> factory, int capacity, Exhaustion policy);

    /** A pool without a name. */
    abstract ObjectPool<TestEvent> newPool(Supplier<TestEvent> factory, int capacity);

    /** Make an acquired event one that any thread may release once. */
    void handToAnyThread(final ObjectPool<TestEvent> pool, final TestEvent event)
    {
    }

    /** Reference count of an event that was just acquired. */
    int countedReferences()
    {
        return 1;
    }

    final ObjectPool<TestEvent> newPool(final int capacity)
    {
        return newPool("test", TestEvent::new, capacity, Exhaustion.fail());
    }

    /** In checked mode a misuse throws; in normal mode it is only counted. */
    static void wrongly(final Runnable use)
    {
        if (PoolCheck.ENABLED)
        {
            assertThrows(PoolViolationException.class, use::run);
        }
        else
        {
            use.run();
        }
    }

    static List<TestEvent> acquire(final ObjectPool<TestEvent> pool, final int count)
    {
        final List<TestEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final TestEvent event = pool.acquire();
            assertNotNull(event, "event " + i + " of " + count);
            events.add(event);
        }
        return events;
    }

    final Thread start(final Runnable work)
    {
        final Thread thread = new Thread(work, "other");
        thread.setDaemon(true);
        started.add(thread);
        thread.start();
        return thread;
    }

    @AfterEach
    void joinThreads() throws InterruptedException
    {
        for (final Thread thread : started)
        {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertFalse(thread.isAlive(), thread + " hangs");
        }
    }

    @Test
    void shouldAcquireEachEventOnceUntilNoneIsFree()
    {
        final ObjectPool<TestEvent> pool = newPool(8);
        final Set<TestEvent> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
        inFlight.addAll(acquire(pool, 8));

        assertEquals(8, inFlight.size());
        assertEquals(0, pool.available());
        assertNull(pool.acquire());
    }

    @Test
    void shouldCountEachRequestThatFindsNoFreeEvent()
    {
        final ObjectPool<TestEvent> pool = newPool(2);
        acquire(pool, 2);

        assertNull(pool.acquire());
        assertNull(pool.acquire());
        assertEquals(2, pool.metrics().exhausted());
        assertEquals(0, pool.metrics().waits());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 64})
    void shouldHaveAllEventsFreeAfterAllAreReleased(final int capacity)
    {
        final ObjectPool<TestEvent> pool = newPool(capacity);
        for (int lap = 0; lap < 5; lap++)
        {
            acquire(pool, capacity).forEach(BasePoolAware::release);
            assertEquals(capacity, pool.available());
            assertEquals("", pool.describeInFlight());
        }
        assertEquals(capacity, pool.capacity());
        assertEquals(0, pool.metrics().doubleReleases());
        assertEquals(0, pool.metrics().lateReleases());
    }

    @Test
    void shouldReportHowManyAreFreeAndWhichAreInFlight()
    {
        final ObjectPool<TestEvent> pool = newPool(4);
        assertEquals(4, pool.available());
        assertEquals("", pool.describeInFlight());

        final List<TestEvent> events = acquire(pool, 3);
        assertEquals(1, pool.available());
        final String inFlight = pool.describeInFlight();
        assertTrue(inFlight.startsWith("3 of 4 events of pool test are in flight"), inFlight);

        events.forEach(BasePoolAware::release);
        assertEquals(4, pool.available());
        assertEquals("", pool.describeInFlight());
    }

    @Test
    void shouldStopWaitingAfterTheTimeout()
    {
        final ObjectPool<TestEvent> pool = newPool("test", TestEvent::new, 1, Exhaustion.waitFor(TIMEOUT_NS));
        acquire(pool, 1);
        final long startNs = System.nanoTime();

        assertNull(pool.acquire());
        assertTrue(System.nanoTime() - startNs >= TIMEOUT_NS);
        assertEquals(1, pool.metrics().exhausted());
        assertEquals(1, pool.metrics().waits());
        assertEquals(1, pool.metrics().waitTimeouts());
    }

    @Test
    void shouldAcquireAnEventReleasedDuringTheWait()
    {
        final ObjectPool<TestEvent> pool = newPool("test", TestEvent::new, 1, Exhaustion.waitFor(LONG_TIMEOUT_NS));
        final TestEvent event = pool.acquire();
        handToAnyThread(pool, event);
        start(() ->
        {
            while (pool.metrics().waits() == 0)
            {
                Thread.yield();
            }
            event.release();
        });

        assertSame(event, pool.acquire());
        assertEquals(1, pool.metrics().waits());
        assertEquals(0, pool.metrics().waitTimeouts());
    }

    @Test
    void shouldNotWaitWhenInterruptedBefore()
    {
        final ObjectPool<TestEvent> pool = newPool("test", TestEvent::new, 1, Exhaustion.waitFor(LONG_TIMEOUT_NS));
        acquire(pool, 1);
        Thread.currentThread().interrupt();

        assertNull(pool.acquire());
        assertTrue(Thread.interrupted(), "the flag stays set");
        assertEquals(1, pool.metrics().waitTimeouts());
    }

    @Test
    void shouldStopWaitingWhenInterrupted()
    {
        final ObjectPool<TestEvent> pool = newPool("test", TestEvent::new, 1, Exhaustion.waitFor(LONG_TIMEOUT_NS));
        acquire(pool, 1);
        final Thread waiting = Thread.currentThread();
        start(() ->
        {
            while (pool.metrics().waits() == 0)
            {
                Thread.yield();
            }
            waiting.interrupt();
        });

        assertNull(pool.acquire());
        assertTrue(Thread.interrupted(), "the flag stays set");
    }

    @Test
    void shouldBecomeFreeWithTheLastReference()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        assertEquals(countedReferences(), event.refCount());

        event.retain(2);
        assertEquals(countedReferences() + 2, event.refCount());
        event.release();
        event.release();
        assertEquals(countedReferences(), event.refCount());
        assertNull(pool.acquire());

        event.release();
        assertEquals(0, event.refCount());
        assertSame(event, pool.acquire());
    }

    @Test
    void shouldCountReferencesUpToTheMaximum()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        event.retain(BasePoolAware.MAX_REF_COUNT - countedReferences());
        assertEquals(BasePoolAware.MAX_REF_COUNT, event.refCount());

        final String message = assertThrows(IllegalArgumentException.class, () -> event.retain(1)).getMessage();
        assertTrue(message.contains("32768") && message.contains("1..32767"), message);
        assertEquals(BasePoolAware.MAX_REF_COUNT, event.refCount());
        for (int i = countedReferences(); i <= BasePoolAware.MAX_REF_COUNT; i++)
        {
            assertEquals(0, pool.available());
            event.release();
        }
        assertEquals(1, pool.available());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, BasePoolAware.MAX_REF_COUNT + 1, Integer.MIN_VALUE})
    void shouldRefuseToRetainACountOutOfRange(final int count)
    {
        final TestEvent event = newPool(1).acquire();

        final String message = assertThrows(IllegalArgumentException.class, () -> event.retain(count)).getMessage();
        assertTrue(message.contains("count " + count) && message.contains("1..32767"), message);
        assertEquals(countedReferences(), event.refCount());
    }

    @Test
    void shouldCountADoubleReleaseAndChangeNothing()
    {
        final ObjectPool<TestEvent> pool = newPool(2);
        final TestEvent event = pool.acquire();
        event.release();
        wrongly(event::release);
        wrongly(event::release);

        assertEquals(2, pool.metrics().doubleReleases());
        assertEquals(2, pool.available());
        assertEquals(1, event.hooks);
        final List<TestEvent> all = acquire(pool, 2);
        assertNotEquals(all.get(0), all.get(1));
        assertNull(pool.acquire());
    }

    @Test
    void shouldReleaseByTheStampOfTheGeneration()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        for (int i = 0; i < 5; i++)
        {
            final TestEvent event = pool.acquire();
            assertTrue(event.release(event.stamp()));
            assertEquals(1, pool.available());
        }
        assertEquals(0, pool.metrics().lateReleases());
    }

    @Test
    void shouldReleaseNothingByTheStampOfAnEarlierGeneration()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        final long early = event.stamp();
        event.release();
        wrongly(() -> assertFalse(event.release(early)));
        assertEquals(1, pool.metrics().lateReleases());

        assertSame(event, pool.acquire());
        assertNotEquals(early, event.stamp());
        wrongly(() -> assertFalse(event.release(early)));
        assertEquals(2, pool.metrics().lateReleases());
        assertEquals(0, pool.available());

        event.retain(1);
        wrongly(() -> assertFalse(event.release(early)));
        assertEquals(countedReferences() + 1, event.refCount());
        assertTrue(event.release(event.stamp()));
        assertTrue(event.release(event.stamp()));
        assertEquals(1, pool.available());
    }

    @Test
    void shouldRunTheHookOnceBetweenTwoUses()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final int before = pool.acquire().hooks;
        for (int lap = 1; lap <= 5; lap++)
        {
            final TestEvent event = lap == 1 ? only(pool) : pool.acquire();
            assertEquals(before + lap - 1, event.hooks);
            event.retain(1);
            event.release();
            event.release();
        }
    }

    /** The one event of the pool, which is in flight. */
    private TestEvent only(final ObjectPool<TestEvent> pool)
    {
        return (TestEvent)((EventPool<?>)pool).events()[0];
    }

    @Test
    void shouldKeepTheEventAlthoughItsHookThrows()
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        final TestEvent event = pool.acquire();
        event.thrownByHook = new IllegalStateException("hook");

        assertEquals("hook", assertThrows(IllegalStateException.class, () ->
        {
            event.release();
            pool.acquire();
        }).getMessage());
        assertEquals(1, pool.available());
        assertSame(event, pool.acquire());
    }

    @Test
    void shouldRefuseAFactoryThatReturnsNull()
    {
        final String message = assertThrows(NullPointerException.class,
            () -> newPool("test", () -> null, 4, Exhaustion.fail())).getMessage();
        assertTrue(message.contains("factory of pool test returned null"), message);
    }

    @Test
    void shouldRefuseAFactoryThatReturnsTheSameEventTwice()
    {
        final TestEvent same = new TestEvent();
        final String message = assertThrows(IllegalStateException.class,
            () -> newPool("test", () -> same, 4, Exhaustion.fail())).getMessage();
        assertTrue(message.contains(TestEvent.class.getName()) && message.contains("factory"), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, ObjectPool.MAX_CAPACITY + 1, Integer.MAX_VALUE})
    void shouldRefuseACapacityOutOfRange(final int capacity)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> newPool(capacity)).getMessage();
        assertTrue(message.contains("capacity " + capacity), message);
        assertTrue(message.contains("1..67108864"), message);
    }

    @Test
    void shouldRefuseMissingParts()
    {
        assertThrows(NullPointerException.class, () -> newPool(null, TestEvent::new, 1, Exhaustion.fail()));
        assertThrows(NullPointerException.class, () -> newPool("test", null, 1, Exhaustion.fail()));
        assertThrows(NullPointerException.class, () -> newPool("test", TestEvent::new, 1, null));
    }

    @Test
    void shouldHaveItsNameOrThatOfItsEventClass()
    {
        assertEquals("test", newPool(1).name());
        assertEquals("TestEvent", newPool(TestEvent::new, 1).name());
    }

    @Test
    void shouldShowItsCountersToOtherThreads() throws InterruptedException
    {
        final ObjectPool<TestEvent> pool = newPool(1);
        acquire(pool, 1);
        assertNull(pool.acquire());
        final CountDownLatch seen = new CountDownLatch(1);
        start(() ->
        {
            if (pool.metrics().exhausted() == 1 && pool.available() == 0 && pool.capacity() == 1)
            {
                seen.countDown();
            }
        });
        assertTrue(seen.await(30, TimeUnit.SECONDS));
        assertTrue(pool.metrics().toString().contains("exhausted=1 "), pool.metrics().toString());
    }
}
