package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.concurrent.TimeUnit;

/**
 * Push one value, pop one value, on one thread: the last part of the workload {@code spsc}. An operation is both.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SpscPushPop
{
    /** Values of one measured call: a lap of the ring. */
    static final int VALUES = Contender.CAPACITY;

    /** Which ring. */
    @Param({"baselineLongs", "ring", "lmaxPoller"})
    String contender;

    /** What passes: one long, or an order of six longs. */
    @Param({"long", "order"})
    String payload;

    private Contender path;
    private long published;

    @Setup
    public void setUp()
    {
        path = Contenders.of(contender, Spsc.fields(payload), VALUES);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long pushPop() throws Exception
    {
        path.roundTrips(published, VALUES);
        published += VALUES;
        return path.check.sum;
    }

    @TearDown
    public void verify()
    {
        path.check.verify(published);
    }
}
