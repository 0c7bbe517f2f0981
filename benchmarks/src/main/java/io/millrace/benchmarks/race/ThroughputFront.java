package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.OpenLane;

import java.util.concurrent.TimeUnit;

/**
 * Publishes as fast as the lane takes it, the way the contender publishes.
 */
final class ThroughputFront extends Front
{
    /** Events between two looks at the clock, and of the check's batches: a lap of the ring, some 50 µs. */
    static final int CHUNK = 4_096;
    private static final int LEAD_IN_CHUNKS = 8;
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);

    private final OpenLane lane;
    private final Check check;
    private final long roundNs;
    private long published;

    ThroughputFront(final OpenLane lane, final Check check, final RacePlan plan)
    {
        super(lane, plan.frontCpu());
        this.lane = lane;
        this.check = check;
        roundNs = plan.roundNs();
    }

    @Override
    void leadIn()
    {
        for (int i = 0; i < LEAD_IN_CHUNKS; i++)
        {
            publishChunk();
        }
        awaitHandled(lane, check, published);
    }

    @Override
    long timed()
    {
        final long startNs = System.nanoTime();
        do
        {
            publishChunk();
        }
        while (System.nanoTime() - startNs < roundNs);
        awaitHandled(lane, check, published);
        return System.nanoTime() - startNs;
    }

    private void publishChunk()
    {
        lane.publish(published, CHUNK);
        published += CHUNK;
    }

    /** Wait until a check has seen all; a path that loses an event would wait for ever. */
    static void awaitHandled(final OpenLane lane, final Check check, final long count)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (!check.isReached(count))
        {
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException("wrong answer: not all of " + count + " events came out in 10 s");
            }
            lane.pause();
        }
    }

    long published()
    {
        return published;
    }

    static long leadInEvents()
    {
        return (long)LEAD_IN_CHUNKS * CHUNK;
    }
}
