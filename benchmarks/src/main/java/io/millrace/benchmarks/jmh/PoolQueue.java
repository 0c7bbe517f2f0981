package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of a pool whose events are acquired by one thread and released by another. The workload is {@code pool-queue}:
 * an operation is one event that is acquired, filled, handed over, read and released.
 * <p>
 * The way there is the same bare ring of references for all (see {@link PoolRelay} for the shapes); the way back is
 * the pool. All pools hold 1,024 events of 64 bytes. The reference is a pool that is the JDK's concurrent queue. With
 * more threads than CPUs the threads yield when they have nothing to do, and are not pinned.
 */
public class PoolQueue extends TimePerOperation
{
    /** Events of one measured call. */
    static final int EVENTS = Transfer.EVENTS;

    /** The pool under test. */
    @Param({"concurrentLinkedQueue", "ringPool", "sharedPool", "jctoolsMpmc", "agronaManyToMany"})
    String contender;

    /** Borrowing and returning threads. */
    @Param({"1to1", "1to2", "2to1"})
    String threads;

    private PoolRelay relay;

    @Setup
    public void setUp()
    {
        relay = new PoolRelay(contender, threads.charAt(0) - '0', threads.charAt(3) - '0', EVENTS);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long cycle()
    {
        return relay.run();
    }

    @TearDown
    public void verify() throws InterruptedException
    {
        relay.close();
    }
}
