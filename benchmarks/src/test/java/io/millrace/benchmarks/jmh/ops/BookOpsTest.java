package io.millrace.benchmarks.jmh.ops;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each operation comes to its answer, again and again, and allocates nothing.
 */
class BookOpsTest
{
    private static final int MAX_WINDOWS = 20;
    private static final int RUNS = 5;

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
        AllocationWindows.assertNoBytes(benchmark, MAX_WINDOWS, () ->
        {
            long bytes = 0;
            for (int i = 0; i < RUNS; i++)
            {
                batch.prepare();
                final long before = AllocationWindows.allocatedBytes();
                final int operations = batch.run();
                bytes += AllocationWindows.allocatedBytes() - before;
                batch.check();
                assertTrue(operations > 0);
            }
            return bytes;
        });
    }
}
