package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Push one value, pop one value, on one thread: the last part of the workload {@code spsc}. An operation is both.
 */
public class SpscPushPop extends OneThread
{
    /** Values of one measured call: one lap of the ring. */
    static final int VALUES = Contender.CAPACITY;

    /** The ring under test. */
    @Param({"baselineLongs", "ring", "lmaxPoller"})
    String contender;

    /** A value: one long, or an order of six longs. */
    @Param({"long", "order"})
    String payload;

    @Override
    Contender open()
    {
        return Contenders.of(contender, Spsc.fields(payload), VALUES);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long pushPop() throws Exception
    {
        return pass(VALUES);
    }
}
