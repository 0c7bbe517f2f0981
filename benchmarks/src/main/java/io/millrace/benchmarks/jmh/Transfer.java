package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.concurrent.TimeUnit;

/**
 * A benchmark that passes batches of events from one thread to another.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Transfer
{
    /** Events of one measured call. */
    static final int EVENTS = 1_000_000;

    private TwoThreads threads;

    /** The way of the events, whose check has batches of {@link #EVENTS}. */
    abstract Contender open();

    /**
     * Open the contender.
     */
    @Setup
    public void setUp()
    {
        threads = new TwoThreads(open(), false);
    }

    /**
     * Pass one batch.
     *
     * @return a sum over the events, so that nothing is optimised away.
     * @throws InterruptedException when the thread is interrupted.
     */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long transfer() throws InterruptedException
    {
        return threads.transfer(EVENTS);
    }

    /**
     * Check the answer.
     *
     * @throws InterruptedException when the thread is interrupted.
     */
    @TearDown
    public void verify() throws InterruptedException
    {
        threads.close();
    }
}
