package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of an event by its size, and effect of padding: events of several sizes through the ring pipeline, on one thread
 * and between two.
 * <p>
 * {@code ringN} is an event of N bytes all of whose fields are written and read. It begins at 32 bytes, which are the
 * header and the pool's words alone (its content is then its sequence). {@code paddedN} carries one {@code long} and
 * padding up to N bytes: compared with {@code ring40}, the same content unpadded, it says whether a separate line is
 * worth having. The sizes are measured when the benchmark starts; a JVM that lays objects out otherwise is refused.
 */
public class EventLayout extends TimePerOperation
{
    /** Events of one measured call. */
    static final int EVENTS = Transfer.EVENTS;

    /** The events under test. */
    @Param({"ring40", "ring32", "ring64", "ring80", "ring96", "ring128", "padded64", "padded128"})
    String contender;

    /** 1: publish and poll alternately. 2: one thread publishes, one polls. */
    @Param({"1", "2"})
    int threads;

    private Contender path;
    private TwoThreads two;
    private long published;

    @Setup
    public void setUp()
    {
        path = Contenders.ofLayout(contender, EVENTS);
        two = new TwoThreads(path, false);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long pass() throws Exception
    {
        if (threads == 2)
        {
            return two.transfer(EVENTS);
        }
        path.roundTrips(published, EVENTS);
        published += EVENTS;
        return path.check.sum;
    }

    @TearDown
    public void verify() throws InterruptedException
    {
        if (threads == 2)
        {
            two.close();
        }
        else
        {
            path.check.verify(published);
            path.verifyBalance();
        }
    }
}
