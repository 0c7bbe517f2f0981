package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A benchmark that passes batches of events from one thread to another.
 */
public abstract class Transfer extends TimePerOperation
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
