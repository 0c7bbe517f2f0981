package io.millrace.benchmarks.jmh;

import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A benchmark that publishes and polls alternately, on one thread.
 */
public abstract class OneThread extends TimePerOperation
{
    private Contender path;
    private long published;

    /** The way of the events. */
    abstract Contender open();

    /**
     * Open the contender.
     */
    @Setup
    public void setUp()
    {
        path = open();
    }

    /** Pass events, one at a time. Returns a sum over them, so that nothing is optimised away. */
    final long pass(final int count) throws Exception
    {
        path.roundTrips(published, count);
        published += count;
        return path.check.sum;
    }

    /**
     * Check the answer.
     */
    @TearDown
    public void verify()
    {
        path.check.verify(published);
        path.verifyBalance();
    }
}
