package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * Throughput of events to three stages with a thread each. The topologies are the same as in {@link FanOutThroughput};
 * {@code 1to3} and {@code 1to1to2} are four busy threads.
 * <p>
 * Nothing is pinned. With four CPUs or more all threads busy-spin; with fewer they yield, the Disruptor by
 * its own yielding wait strategy, and what is compared is how well each shares its cores: there {@link
 * FanOutThroughput} shows what a user should do. An operation is one event that all three stages have handled and
 * checked. The reference is the Disruptor with three batch processors, which is how its makers run it.
 */
public class FanOutThreads extends Transfer
{
    /** The library whose threads run. */
    @Param({"lmax", "ring"})
    String contender;

    /** Order of the stages, and so of the threads. */
    @Param({"1to3", "1to1to2"})
    String threads;

    @Override
    Contender open()
    {
        return FanOutContender.named(contender + "OnThreads", Topology.named(threads), EVENTS);
    }
}
