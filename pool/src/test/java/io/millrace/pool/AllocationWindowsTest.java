package io.millrace.pool;

import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Test;

import java.util.concurrent.SynchronousQueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The allocation tests of all modules refuse code that allocates in each window, and no other. */
final class AllocationWindowsTest
{
    private static final int MAX_WINDOWS = 6;

    private int runs;
    private volatile Object kept;

    private void allocateUntil(final int lastRun)
    {
        if (runs++ < lastRun)
        {
            kept = new byte[8];
        }
    }

    private static String refusal(final AllocationWindows.Run<InterruptedException> test)
    {
        return assertThrows(AssertionError.class, test::run).getMessage();
    }

    @Test
    void shouldRefuseARunThatAllocatesEachTime()
    {
        final String message = refusal(() -> AllocationWindows.assertNothing(
            "arrays", MAX_WINDOWS, () -> allocateUntil(Integer.MAX_VALUE)));
        assertEquals(MAX_WINDOWS, runs);
        assertTrue(message.matches("arrays: .*: \\[(\\[[1-9]\\d*], ){5}\\[[1-9]\\d*]]"), message);
    }

    @Test
    void shouldAcceptARunThatAllocatesInItsFirstWindowOnly()
    {
        AllocationWindows.assertNothing("arrays", MAX_WINDOWS, () -> allocateUntil(1));
        assertTrue(runs > 1, "one window was enough");
    }

    @Test
    void shouldAcceptARunThatAllocatesNothing()
    {
        AllocationWindows.assertNothing("nothing", MAX_WINDOWS, () -> allocateUntil(0));
        assertTrue(runs > 0, "no window");
    }

    @Test
    void shouldRefuseBytesThatAWindowReadsEachTime()
    {
        final String message = refusal(() -> AllocationWindows.assertNoBytes("all", MAX_WINDOWS, () -> ++runs));
        assertEquals("all: bytes in each window: [[1], [2], [3], [4], [5], [6]]", message);
        AllocationWindows.assertNoBytes("last", MAX_WINDOWS, () -> runs++ < 11 ? runs : 0);
        assertEquals(12, runs);
    }

    @Test
    void shouldCountTheSecondPartForOtherThreadsOnly()
    {
        AllocationWindows.assertNothing("second part", MAX_WINDOWS, () ->
        {
        }, () -> allocateUntil(Integer.MAX_VALUE));
    }

    @Test
    void shouldRefuseAnotherThreadThatAllocatesEachTime() throws InterruptedException
    {
        final SynchronousQueue<Object> handOver = new SynchronousQueue<>();
        final TestThreads threads = new TestThreads();
        final Thread other = threads.add("other", () ->
        {
            for (int i = 0; i <= 2 * MAX_WINDOWS; i++)
            {
                kept = new byte[8];
                handOver.put(kept);
            }
        });
        other.start();
        // The second object of a window was made within it.
        final String message = refusal(() -> AllocationWindows.assertNothing("arrays", MAX_WINDOWS, () ->
        {
        }, () ->
        {
            handOver.take();
            handOver.take();
        }, other.getId()));
        handOver.take();
        threads.join();
        assertTrue(message.matches("arrays: .*, \\[\\d+, [1-9]\\d*]]"), message);
    }

    @Test
    void shouldRefuseAThreadThatHasEnded() throws InterruptedException
    {
        final TestThreads threads = new TestThreads();
        final Thread ended = threads.add("ended", () ->
        {
        });
        threads.work("it ends");
        final String message = refusal(() -> AllocationWindows.assertNothing("none", MAX_WINDOWS, () ->
        {
        }, ended.getId()));
        assertTrue(message.endsWith("has ended: what it allocated cannot be read"), message);
    }
}
