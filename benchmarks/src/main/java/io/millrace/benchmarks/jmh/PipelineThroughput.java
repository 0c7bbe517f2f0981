package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * Throughput of events from one thread to another.
 * <pre>
 *   JMH's thread, CPU a                                     thread "consumer", CPU b
 *   borrow, fill 4 longs, publish  ---- ring or queue of 4,096 ---&gt;  read 4 longs, check the order, add up
 * </pre>
 * An operation is one event; a measured call publishes a million and waits until the last was handled. Publisher and
 * consumer are the only busy threads. The reference is the LMAX Disruptor with one event per publish.
 */
public class PipelineThroughput extends Transfer
{
    private static final int FIELDS = 4;

    /** Path of the events; {@code Batch32}: published 32 at a time. */
    @Param({"lmax", "lmaxSpin", "lmaxBatch32", "ring", "ringBatch32", "spscRingPool", "spscSharedPool",
        "disruptorRingPool", "disruptorMulti", "agrona", "jctools", "arrayBlocking", "baseline", "baselineSequence"})
    String contender;

    @Override
    Contender open()
    {
        return Contenders.of(contender, FIELDS, EVENTS);
    }
}
