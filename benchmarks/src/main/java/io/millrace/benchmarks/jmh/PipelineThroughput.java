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
 * How many events pass from one thread to another?
 * <pre>
 *   JMH's thread, CPU a                                     thread "consumer", CPU b
 *   borrow, fill 4 longs, publish  ---- ring or queue of 4,096 ---&gt;  read 4 longs, check the order, add up
 * </pre>
 * An operation is one event; a measured call publishes a million and waits until the last was handled. Publisher and
 * consumer are the only busy threads. The reference is the LMAX Disruptor with one event per publish.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PipelineThroughput
{
    /** Events of one measured call: the start and the end of a batch, about a microsecond, vanish in it. */
    static final int EVENTS = 1_000_000;

    private static final int FIELDS = 4;

    /** Which way the events take; {@code Batch32}: published 32 at a time. */
    @Param({"lmax", "lmaxSpin", "lmaxBatch32", "ring", "ringBatch32", "spscRingPool", "spscSharedPool",
        "disruptorRingPool", "disruptorMulti", "agrona", "jctools", "arrayBlocking", "floor", "floorSequence"})
    String contender;

    private TwoThreads threads;

    @Setup
    public void setUp()
    {
        threads = new TwoThreads(Contenders.of(contender, FIELDS, EVENTS), false);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long transfer() throws InterruptedException
    {
        return threads.transfer(EVENTS);
    }

    @TearDown
    public void verify() throws InterruptedException
    {
        threads.close();
    }
}
