package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One million values through a ring between two threads: the workload {@code spsc}. An operation is one value, so 1
 * ns/op is 1 ms for the million.
 * <p>
 * The reference is a bare ring of values (k words a place in one {@code long[]}), which is what languages with value
 * types measure.
 */
public class Spsc extends TimePerOperation
{
    /** The workload's number of values. */
    static final int VALUES = 1_000_000;

    /** The ring under test. */
    @Param({"baselineLongs", "ring", "ringBatch32", "lmax"})
    String contender;

    /** A value: one long, or an order of six longs, which is 48 bytes. */
    @Param({"long", "order"})
    String payload;

    /** The consuming thread stands ready, or is started and ended for each million. */
    @Param({"standing", "started"})
    String thread;

    private TwoThreads threads;

    @Setup
    public void setUp()
    {
        threads = new TwoThreads(Contenders.of(contender, fields(payload), VALUES), thread.equals("started"));
    }

    static int fields(final String payload)
    {
        return payload.equals("order") ? 6 : 1;
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long million() throws InterruptedException
    {
        return threads.transfer(VALUES);
    }

    @TearDown
    public void verify() throws InterruptedException
    {
        threads.close();
    }
}
