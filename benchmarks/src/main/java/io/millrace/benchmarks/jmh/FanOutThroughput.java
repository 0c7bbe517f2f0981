package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * Throughput of events to three stages that run on one thread, as on a machine with two cores.
 * <pre>
 *   topology 1to3                             topology 1to1to2
 *                 +--&gt; stage                               +--&gt; stage
 *   publisher ----+--&gt; stage                  publisher --&gt; journal
 *                 +--&gt; stage                               +--&gt; stage
 * </pre>
 * Publisher on CPU a, the stages on CPU b. {@code lmaxPolled} and {@code ringPolled}: three positions,
 * polled alternately.
 * {@code lmaxFused} and {@code ringFused}: one position, and one call that hands each event to the three stages (the
 * topologies then differ in nothing but the check of the order); {@code lmaxFused} is a batch processor, {@code
 * ringFused} does what a server does with stages on one agent. An operation is one event that all three have handled
 * and checked. The reference is the Disruptor with its pollers.
 */
public class FanOutThroughput extends Transfer
{
    /** Polling of the stages. */
    @Param({"lmaxPolled", "lmaxFused", "ringPolled", "ringFused"})
    String contender;

    /** Order of the stages. */
    @Param({"1to3", "1to1to2"})
    String topology;

    @Override
    Contender open()
    {
        return FanOutContender.named(contender, Topology.named(topology), EVENTS);
    }
}
