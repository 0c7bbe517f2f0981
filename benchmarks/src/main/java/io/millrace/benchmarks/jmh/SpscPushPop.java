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
    static final int VALUES = Lane.CAPACITY;

    /** Which ring. */
    @Param({"floorLongs", "ring", "lmaxPoller"})
    String contender;

    /** What passes: one long, or an order of six longs. */
    @Param({"long", "order"})
    String payload;

    private Lane lane;
    private long published;

    @Setup
    public void setUp()
    {
        lane = Lanes.of(contender, Spsc.fields(payload), VALUES);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long pushPop() throws Exception
    {
        lane.roundTrips(published, VALUES);
        published += VALUES;
        return lane.check.sum;
    }

    @TearDown
    public void verify()
    {
        lane.check.verify(published);
    }
}
