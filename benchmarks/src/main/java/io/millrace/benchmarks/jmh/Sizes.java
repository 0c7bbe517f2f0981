package io.millrace.benchmarks.jmh;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * Measures how large an object is, so that a benchmark that is named after a size has that size.
 */
public final class Sizes
{
    /** Enough that what else the thread allocates does not count. */
    private static final int SAMPLES = 10_000;

    private Sizes()
    {
    }

    /**
     * Check what an object takes on the heap.
     *
     * @param bytes   expected size.
     * @param factory makes objects of one class.
     * @param <T>     type of the objects.
     * @return the factory.
     * @throws IllegalStateException when they have another size, for instance without compressed class pointers.
     */
    public static <T> Supplier<T> checked(final int bytes, final Supplier<T> factory)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        final Object[] keep = new Object[SAMPLES];
        keep[0] = factory.get();
        final long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < SAMPLES; i++)
        {
            keep[i] = factory.get();
        }
        final long each = (threads.getThreadAllocatedBytes(thread) - before) / SAMPLES;
        if (each != bytes)
        {
            throw new IllegalStateException(
                keep[0].getClass().getName() + " takes " + each + " bytes on this JVM, not " + bytes);
        }
        return factory;
    }
}
