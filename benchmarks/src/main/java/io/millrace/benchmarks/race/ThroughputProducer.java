package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.jmh.Contender;

import java.util.concurrent.TimeUnit;

/**
 * Publishes as fast as the contender takes it, the way the contender publishes.
 */
final class ThroughputProducer implements Producer
{
    /** Events between two clock readings, also the size of a checked batch: one lap of the ring, some 50 µs. */
    static final int CHUNK = 4_096;
    private static final int LEAD_IN_CHUNKS = 8;
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);

    private final Contender path;
    private final Check check;
    private final long roundNs;
    private long published;

    ThroughputProducer(final Contender path, final Check check, final RacePlan plan)
    {
        this.path = path;
        this.check = check;
        roundNs = plan.roundNs();
    }

    @Override
    public void leadIn()
    {
        for (int i = 0; i < LEAD_IN_CHUNKS; i++)
        {
            publishChunk();
        }
        awaitHandled(path, check, published);
    }

    @Override
    public long timed()
    {
        final long startNs = System.nanoTime();
        do
        {
            publishChunk();
        }
        while (System.nanoTime() - startNs < roundNs);
        awaitHandled(path, check, published);
        return System.nanoTime() - startNs;
    }

    private void publishChunk()
    {
        path.publish(published, CHUNK);
        published += CHUNK;
    }

    /** Wait until a check has seen all; a path that loses an event would wait for ever. */
    static void awaitHandled(final Contender path, final Check check, final long count)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (!check.isReached(count))
        {
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException("wrong answer: not all of " + count + " events came out in 10 s");
            }
            path.pause();
        }
    }

    @Override
    public long events()
    {
        return published - (long)LEAD_IN_CHUNKS * CHUNK;
    }

    @Override
    public long published()
    {
        return published;
    }
}
