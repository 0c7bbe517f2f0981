package io.millrace.testing;

import org.junit.jupiter.api.Test;

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
    void shouldTakeOneRunOfEightWithoutAllocation()
    {
        Allocations.shouldBeNone(() -> allocateInTheFirst(8));
        assertTrue(runs.get() >= 9, () -> runs + " runs");
    }

    @Test
    void shouldRefuseCodeThatAllocatesEachTimeAndNameTheBytesOfEachRun()
    {
        final AssertionError failed =
            assertThrows(AssertionError.class, () -> Allocations.shouldBeNone(() -> allocateInTheFirst(100)));
        assertTrue(runs.get() >= 9 && runs.get() <= 33, () -> runs + " runs");
        assertEquals(runs.get() - 1, failed.getMessage().split("\\[")[1].split(", ").length, failed.getMessage());
        assertTrue(kept instanceof byte[]);
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
