package io.millrace.engine.book;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Bytes that this thread allocates. */
final class Allocations
{
    /**
     * The JVM itself allocates some dozens of bytes when it links a call, and when it gives up compiled code that kept
     * an object in registers. Code that allocates does so in every window.
     */
    private static final int MAX_WINDOWS = 8;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Allocations()
    {
    }

    static long bytes(final Runnable window)
    {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        window.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Runs it once to warm up, then until it allocates nothing. */
    static void shouldBeNone(final Runnable window)
    {
        window.run();
        final List<Long> windows = new ArrayList<>();
        do
        {
            windows.add(bytes(window));
        }
        while (windows.get(windows.size() - 1) != 0 && windows.size() < MAX_WINDOWS);
        assertEquals(0, windows.get(windows.size() - 1), () -> "bytes of each window: " + windows);
    }
}
