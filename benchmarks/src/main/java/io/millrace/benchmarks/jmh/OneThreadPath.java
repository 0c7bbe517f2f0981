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
 * Cost of the whole path of an event on one thread, without transfers of cache lines between cores. An operation is:
 * acquire, fill, offer, poll, handle, release, on one thread, one event at a time.
 * <p>
 * The reference is the bare ring: a preallocated ring of plain events with two indexes. The queues of others hand
 * references of preallocated plain events; theirs are 48 bytes long, ours 64, with the same four fields.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OneThreadPath
{
    /** Events of one measured call: a lap of the ring. */
    static final int EVENTS = Contender.CAPACITY;

    private static final int FIELDS = 4;

    /** Which way the event takes. */
    @Param({"baseline", "ring", "spscRingPool", "spscSharedPool", "disruptorRingPool", "disruptorMulti",
        "direct", "lmaxPoller", "agrona", "jctools", "arrayBlocking"})
    String contender;

    private Contender path;
    private long published;

    @Setup
    public void setUp()
    {
        path = Contenders.of(contender, FIELDS, EVENTS);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long path() throws Exception
    {
        path.roundTrips(published, EVENTS);
        published += EVENTS;
        return path.check.sum;
    }

    @TearDown
    public void verify()
    {
        path.check.verify(published);
        path.verifyBalance();
    }
}
