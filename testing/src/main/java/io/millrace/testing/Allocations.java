package io.millrace.testing;

import com.sun.management.ThreadMXBean;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Asserts that code allocates nothing, on the thread that calls. In INVOKER mode that thread is also the agents'
 * thread, so a window that publishes and invokes covers the whole path of an event.
 */
public final class Allocations
{
    /**
     * The JVM itself allocates some dozens of bytes when it links a call, and when it gives up compiled code that kept
     * an object in registers. Before it compiles a method with C2, it makes the strings of the method's class and loads
     * the classes of its signature, on the thread that calls. Code that allocates does so in every window.
     */
    private static final int MAX_WINDOWS = 8;
    /** With those in which the compiler was at work: a busy machine compiles late. */
    private static final int MAX_ALL_WINDOWS = 32;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private Allocations()
    {
    }

    /**
     * Some code of a test.
     *
     * @param <X> what it throws.
     */
    @FunctionalInterface
    public interface Window<X extends Exception>
    {
        /**
         * Run it. It may be called up to 33 times.
         *
         * @throws X on failure, which fails the test.
         */
        void run() throws X;
    }

    /**
     * Count what a window allocates.
     *
     * @param window some code.
     * @param <X>    what it throws.
     * @return bytes that the calling thread allocated in it.
     * @throws X                     if the window does.
     * @throws IllegalStateException if the JVM does not count them.
     */
    public static <X extends Exception> long bytes(final Window<X> window) throws X
    {
        // -1 if switched off: the difference would be 0, whatever the window allocates.
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        window.run();
        final long after = THREADS.getCurrentThreadAllocatedBytes();
        if (before < 0 || after < 0)
        {
            throw new IllegalStateException(
                "this JVM does not count what a thread allocates: ThreadMXBean.setThreadAllocatedMemoryEnabled");
        }
        return after - before;
    }

    /**
     * Run a window once to warm up, then until it allocates nothing, at most eight times. A run in which the JVM
     * measured time of compilation does not count, up to 32 runs.
     *
     * @param window some code, long enough that an allocation for each event would show: thousands of events.
     * @param <X>    what it throws.
     * @throws X                     if the window does.
     * @throws AssertionError        if it allocated each time; the message has the bytes of each run.
     * @throws IllegalStateException if the JVM does not count them.
     */
    public static <X extends Exception> void shouldBeNone(final Window<X> window) throws X
    {
        window.run();
        final List<Long> windows = new ArrayList<>();
        int counting = 0;
        long bytes;
        do
        {
            final long compiledMs = compiledMs();
            bytes = bytes(window);
            windows.add(bytes);
            counting += compiledMs == compiledMs() ? 1 : 0;
        }
        while (bytes != 0 && counting < MAX_WINDOWS && windows.size() < MAX_ALL_WINDOWS);
        if (bytes != 0)
        {
            throw new AssertionError("the code allocates: bytes of each run: " + windows);
        }
    }

    /** Time spent in compilation, all threads; 0 if the JVM does not measure it. */
    private static long compiledMs()
    {
        return COMPILER != null && COMPILER.isCompilationTimeMonitoringSupported() ?
            COMPILER.getTotalCompilationTime() : 0;
    }
}
