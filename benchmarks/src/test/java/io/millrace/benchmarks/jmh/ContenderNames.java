package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The values of a benchmark's parameter, so that the tests try what the benchmarks run.
 */
final class ContenderNames
{
    private ContenderNames()
    {
    }

    static Stream<String> of(final Class<?> benchmark)
    {
        try
        {
            return Arrays.stream(benchmark.getDeclaredField("contender").getAnnotation(Param.class).value());
        }
        catch (final NoSuchFieldException ex)
        {
            throw new AssertionError(benchmark + " has no contenders", ex);
        }
    }
}
