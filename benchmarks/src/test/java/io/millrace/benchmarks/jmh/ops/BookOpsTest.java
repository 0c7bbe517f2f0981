package io.millrace.benchmarks.jmh.ops;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each operation comes to its answer, again and again, and allocates nothing.
 */
class BookOpsTest
{
    private static final int MAX_WINDOWS = 20;
    private static final int RUNS = 5;

    static Stream<String> operations() throws NoSuchFieldException
    {
        return Stream.of(Batch.class.getField("operation").getAnnotation(Param.class).value());
    }

    @Test
    void shouldHaveAParameterForEachOperation() throws NoSuchFieldException
    {
        assertEquals(BookOps.KINDS.keySet(), operations().collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void shouldComeToItsAnswerAndAllocateNothing(final String operation)
    {
        final Batch batch = new Batch();
        batch.operation = operation;
        batch.make();
        AllocationWindows.assertNoBytes(operation, MAX_WINDOWS, () ->
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
