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
 * How many events pass to three stages that have a thread each? The topologies are those of {@link FanOutThroughput};
 * {@code 1to3} and {@code 1to1to2} are four busy threads.
 * <p>
 * Nothing is pinned. With four CPUs or more all threads busy-spin; with fewer they yield, the Disruptor by
 * its own yielding wait strategy, and what is compared is how well each shares its cores: there {@link
 * FanOutThroughput} shows what a user should do. An operation is one event that all three stages have handled and
 * checked. The reference is the Disruptor with three batch processors, which is how its makers run it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FanOutThreads
{
    /** Events of one measured call. */
    static final int EVENTS = PipelineThroughput.EVENTS;

    /** Whose threads. */
    @Param({"lmax", "ring"})
    String contender;

    /** How the stages, and so the threads, stand to each other. */
    @Param({"1to3", "1to1to2"})
    String threads;

    private TwoThreads driver;

    static Contender path(final String contender, final String threads, final int batch)
    {
        switch (contender)
        {
            case "lmax":
                return LmaxFanOut.onThreads(Topology.named(threads), batch);
            case "ring":
                return RingFanOut.onThreads(Topology.named(threads), batch);
            default:
                throw new IllegalArgumentException("no contender '" + contender + "'");
        }
    }

    @Setup
    public void setUp()
    {
        driver = new TwoThreads(path(contender, threads, EVENTS), false);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long transfer() throws InterruptedException
    {
        return driver.transfer(EVENTS);
    }

    @TearDown
    public void verify() throws InterruptedException
    {
        driver.close();
    }
}
