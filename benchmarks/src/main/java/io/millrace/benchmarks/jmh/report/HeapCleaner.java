package io.millrace.benchmarks.jmh.report;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

import java.util.Collection;
import java.util.List;

/**
 * Collects the garbage before each measured iteration, so that none pays for what came before it.
 * <p>
 * JMH's own option does the same and then waits half a second; over all rounds of the report that is six minutes of
 * waiting. JMH makes the instance, in the benchmark's JVM.
 */
public final class HeapCleaner implements InternalProfiler
{
    @Override
    public void beforeIteration(final BenchmarkParams benchmark, final IterationParams iteration)
    {
        System.gc();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
        final BenchmarkParams benchmark, final IterationParams iteration, final IterationResult result)
    {
        return List.of();
    }

    @Override
    public String getDescription()
    {
        return "collects the garbage before each measured iteration";
    }
}
