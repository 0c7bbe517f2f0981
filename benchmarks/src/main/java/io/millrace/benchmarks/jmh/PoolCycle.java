package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost to acquire an event, fill it, read it and release it, on one thread. An operation is one cycle.
 * <p>
 * The reference is plain allocation, whose price is also paid later, by the collector. Pools that are queues hold the
 * same number of the same events.
 */
public class PoolCycle extends TimePerOperation
{
    /** Cycles of one measured call: one lap of the pool, so that each event is used. */
    static final int CYCLES = Pools.CAPACITY;

    /** The pool under test. */
    @Param({"allocation", "ringPool", "sharedPool", "concurrentLinkedQueue", "jctoolsMpmc"})
    String contender;

    private Pools pool;
    private long cycles;
    private long sum;

    @Setup
    public void setUp()
    {
        pool = Pools.of(contender);
    }

    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public long cycle(final Blackhole blackhole)
    {
        long total = sum;
        final long first = cycles;
        for (int i = 0; i < CYCLES; i++)
        {
            final PooledEvent event = pool.take();
            event.fill(first + i);
            blackhole.consume(event);
            total += event.id(0);
            pool.give(event);
        }
        cycles = first + CYCLES;
        sum = total;
        return total;
    }

    @TearDown
    public void verify()
    {
        // CYCLES is even, so cycles is.
        final long expected = cycles / 2 * (cycles - 1);
        if (sum != expected)
        {
            throw new IllegalStateException("wrong answer: sum " + sum + " instead of " + expected);
        }
        pool.verifyBalance();
    }
}
