package io.millrace.pool;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Bytes allocated to create a ring, per event: the event and its array element. Measured in bytes, because reflection
 * would copy the methods of a class for each event.
 */
@Tag("normal")
final class RingPoolMakingTest
{
    private static final int CAPACITY = 8_192;

    /** Two alternating event classes, one of them with a hook. */
    private static final class PlainEvent extends BasePoolAware
    {
    }

    private int made;

    private BasePoolAware make()
    {
        made++;
        return made % 2 == 0 ? new PlainEvent() : new TestEvent();
    }

    @Test
    void shouldInspectEachEventClassOnce()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count allocated bytes");
        threads.setThreadAllocatedMemoryEnabled(true);
        new RingPool<>(this::make, CAPACITY);
        final long thread = Thread.currentThread().getId();
        final long before = threads.getThreadAllocatedBytes(thread);
        final RingPool<BasePoolAware> pool = new RingPool<>(this::make, CAPACITY);
        final long eachBytes = (threads.getThreadAllocatedBytes(thread) - before) / CAPACITY;
        assertTrue(eachBytes < 100, eachBytes + " bytes for each event");
        assertEquals(2 * CAPACITY, made);
        // The pool also finds the hook of the second class.
        pool.bind(pool::publishedPosition);
        pool.acquire();
        pool.acquire();
        final BasePoolAware event = pool.event(0) instanceof TestEvent ? pool.event(0) : pool.event(1);
        assertEquals(1, ((TestEvent)event).hooks);
    }
}
