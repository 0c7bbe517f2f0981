package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Cost of the whole path of an event on one thread, without transfers of cache lines between cores. An operation is:
 * acquire, fill, offer, poll, handle, release, on one thread, one event at a time.
 * <p>
 * The reference is the bare ring: a preallocated ring of plain events with two indexes. The queues of others hand
 * references of preallocated plain events; theirs are 48 bytes long, ours 64, with the same four fields.
 */
public class OneThreadPath extends OneThread
{
    /** Events of one measured call: one lap of the ring. */
    static final int EVENTS = Contender.CAPACITY;

    private static final int FIELDS = 4;

    /** Path of the event. */
    @Param({"baseline", "ring", "spscRingPool", "spscSharedPool", "disruptorRingPool", "disruptorMulti",
        "direct", "lmaxPoller", "agrona", "jctools", "arrayBlocking"})
    String contender;

    @Override
    Contender open()
    {
        return Contenders.of(contender, FIELDS, EVENTS);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long path() throws Exception
    {
        return pass(EVENTS);
    }
}
