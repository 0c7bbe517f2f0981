package io.millrace.pool.testkit;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Asserts that code allocates nothing: one of a few windows of a test must read 0. The JVM itself allocates on the
 * thread that calls, some 64 to 500 bytes at a time: strings of the class names of a method's signature when the
 * thread asks for its compilation, and less when it links a call or gives up compiled code. Code that allocates does so
 * in every window, so none of them reads 0.
 * <p>
 * {@code Allocations} of millrace-testing is for users, and for the calling thread only; pool and server are below it.
 */
public final class AllocationWindows
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    static
    {
        // Otherwise each reading is -1, and each window 0.
        THREADS.setThreadAllocatedMemoryEnabled(true);
    }

    private AllocationWindows()
    {
    }

    /** Code of a test. */
    public interface Run<X extends Exception>
    {
        void run() throws X;
    }

    /** A window that measures only a part of what it does. */
    public interface Window<X extends Exception>
    {
        long bytes() throws X;
    }

    private interface Readings<X extends Exception>
    {
        /** Bytes of each thread. */
        long[] read() throws X;
    }

    /** Bytes that the calling thread has allocated since its start. */
    public static long allocatedBytes()
    {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Bytes that the calling thread allocates in a run. */
    public static <X extends Exception> long allocatedBytes(final Run<X> run) throws X
    {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        run.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Measures windows until one reads 0. */
    public static <X extends Exception> void assertNoBytes(
        final String what, final int maxWindows, final Window<X> window) throws X
    {
        assertZeros(what, maxWindows, () -> new long[] {window.bytes()});
    }

    /** Repeats a run until one allocates nothing, on the calling thread and on other ones, by their ids. */
    public static <X extends Exception> void assertNothing(
        final String what, final int maxWindows, final Run<X> run, final long... others) throws X
    {
        assertNothing(what, maxWindows, run, () ->
        {
        }, others);
    }

    /**
     * The same with a second part that counts for the other threads only, for instance because it waits for them with
     * calls that allocate.
     */
    public static <X extends Exception> void assertNothing(
        final String what, final int maxWindows, final Run<X> run, final Run<X> uncounted, final long... others)
        throws X
    {
        assertZeros(what, maxWindows, () ->
        {
            final long[] bytes = new long[1 + others.length];
            final long[] before = new long[others.length];
            for (int i = 0; i < others.length; i++)
            {
                before[i] = allocatedBytes(others[i]);
            }
            bytes[0] = allocatedBytes(run);
            uncounted.run();
            for (int i = 0; i < others.length; i++)
            {
                bytes[1 + i] = allocatedBytes(others[i]) - before[i];
            }
            return bytes;
        });
    }

    private static long allocatedBytes(final long threadId)
    {
        final long bytes = THREADS.getThreadAllocatedBytes(threadId);
        if (bytes < 0)
        {
            throw new AssertionError("thread " + threadId + " has ended: what it allocated cannot be read");
        }
        return bytes;
    }

    private static <X extends Exception> void assertZeros(
        final String what, final int maxWindows, final Readings<X> readings) throws X
    {
        final List<String> windows = new ArrayList<>();
        long[] bytes;
        do
        {
            bytes = readings.read();
            windows.add(Arrays.toString(bytes));
        }
        while (!Arrays.equals(bytes, new long[bytes.length]) && windows.size() < maxWindows);
        if (!Arrays.equals(bytes, new long[bytes.length]))
        {
            throw new AssertionError(what + ": bytes in each window: " + windows);
        }
    }
}
