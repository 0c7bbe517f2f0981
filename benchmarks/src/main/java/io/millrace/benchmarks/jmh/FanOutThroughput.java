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
 * How many events pass to three stages that all run on one thread, as they do where there are two cores?
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
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FanOutThroughput
{
    /** Events of one measured call. */
    static final int EVENTS = PipelineThroughput.EVENTS;

    /** How the stages are polled. */
    @Param({"lmaxPolled", "lmaxFused", "ringPolled", "ringFused"})
    String contender;

    /** How the stages stand to each other. */
    @Param({"1to3", "1to1to2"})
    String topology;

    private TwoThreads threads;

    static Contender path(final String contender, final String topology, final int batch)
    {
        switch (contender)
        {
            case "lmaxPolled":
                return LmaxFanOut.polled(Topology.named(topology), batch);
            case "lmaxFused":
                return LmaxFanOut.fused(Topology.named(topology), batch);
            case "ringPolled":
                return RingFanOut.polled(Topology.named(topology), batch);
            case "ringFused":
                return RingFanOut.fused(Topology.named(topology), batch);
            default:
                throw new IllegalArgumentException("no contender '" + contender + "'");
        }
    }

    @Setup
    public void setUp()
    {
        threads = new TwoThreads(path(contender, topology, EVENTS), false);
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
