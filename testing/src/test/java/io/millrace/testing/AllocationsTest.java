package io.millrace.testing;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When code counts as free of allocation. */
class AllocationsTest
{
    private static Object kept;

    private final AtomicInteger runs = new AtomicInteger();

    private void allocateInTheFirst(final int count)
    {
        if (runs.incrementAndGet() <= count)
        {
            kept = new byte[1_000];
        }
    }

    @Test
    void shouldLeaveOutTheFirstRun()
    {
        Allocations.shouldBeNone(() -> allocateInTheFirst(1));
        assertTrue(runs.get() >= 2, () -> runs + " runs");
    }

    @Test
    void shouldTakeOneOfSeveralRunsWithoutAllocation()
    {
        // Not in the last one: the JVM may allocate in it.
        Allocations.shouldBeNone(() -> allocateInTheFirst(5));
        assertTrue(runs.get() >= 6, () -> runs + " runs");
    }

    @Test
    void shouldRefuseCodeThatAllocatesEachTimeAndNameTheBytesOfEachRun()
    {
        final AssertionError failed =
            assertThrows(AssertionError.class, () -> Allocations.shouldBeNone(() -> allocateInTheFirst(100)));
        assertTrue(runs.get() >= 9 && runs.get() <= 33, () -> runs + " runs");
        final String[] bytes = failed.getMessage().replaceAll("[^0-9,]", "").split(",");
        assertEquals(runs.get() - 1, bytes.length, failed.getMessage());
        for (final String each : bytes)
        {
            assertTrue(Long.parseLong(each) >= 1_000, failed.getMessage());
        }
        assertTrue(kept instanceof byte[]);
    }

    /** Otherwise each code would pass. */
    @Test
    void shouldNotPassOnAJvmThatDoesNotCount()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        threads.setThreadAllocatedMemoryEnabled(false);
        try
        {
            assertThrows(IllegalStateException.class, () -> Allocations.shouldBeNone(() -> allocateInTheFirst(100)));
        }
        finally
        {
            threads.setThreadAllocatedMemoryEnabled(true);
        }
    }

    @Test
    void shouldPassOnWhatTheWindowThrows()
    {
        final Exception thrown = new Exception("planted");
        assertEquals(thrown, assertThrows(Exception.class, () -> Allocations.shouldBeNone(() ->
        {
            throw thrown;
        })));
    }
}
