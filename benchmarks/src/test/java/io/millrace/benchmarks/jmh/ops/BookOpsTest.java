package io.millrace.benchmarks.jmh.ops;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each operation comes to its answer, again and again, and allocates nothing.
 */
class BookOpsTest
{
    /** The JVM itself allocates some dozens of bytes when it links or gives up compiled code; an operation always. */
    private static final int MAX_WINDOWS = 20;
    private static final int RUNS = 5;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    static Stream<String> benchmarks()
    {
        return Arrays.stream(BookOps.class.getMethods()).filter(method -> method.isAnnotationPresent(Benchmark.class))
            .map(Method::getName);
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void shouldComeToItsAnswerAndAllocateNothing(final String benchmark)
    {
        final Batch batch = new Batch();
        batch.make(benchmark);
        final List<Long> windows = new ArrayList<>();
        do
        {
            long bytes = 0;
            for (int i = 0; i < RUNS; i++)
            {
                batch.prepare();
                final long before = THREADS.getCurrentThreadAllocatedBytes();
                final int operations = batch.run();
                bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
                batch.check();
                assertTrue(operations > 0);
            }
            windows.add(bytes);
        }
        while (windows.get(windows.size() - 1) != 0 && windows.size() < MAX_WINDOWS);
        assertEquals(0, windows.get(windows.size() - 1), windows::toString);
    }
}
