package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.pool.PaddedLong;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.util.concurrent.TimeUnit;

/**
 * A way on which packets come to a handler, and what the handler sees. The handler's thread writes the histograms; the
 * thread that made the path reads them when all packets of a round are handled.
 */
abstract class QuotePath implements AutoCloseable
{
    /** Where the receiving thread runs, and how it waits. */
    record Place(String name, int cpu, boolean spins, boolean twoAgents, int priority)
    {
        /** The part of the report that has this place. */
        String part()
        {
            return "ladder " + name;
        }

        IdleStrategy idle()
        {
            return spins ? new BusySpinIdleStrategy() : new SleepingIdleStrategy(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static final long GIVE_UP_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** From the intended send time to the handler. */
    final Histogram wire = LatencyRecorder.newHistogram();
    /** Of the gateway, from reception to the handler; of a bare decoder, the decoding between two clock readings. */
    final Histogram inside = LatencyRecorder.newHistogram();
    private final PaddedLong handled = new PaddedLong(0);
    private long sequenceSum;
    /** Volatile: the handler's thread writes it once, another thread reads it. */
    private volatile ThreadProbe receiver;

    abstract int port();

    /** Packets that the path knows to be lost, by their sequence numbers. */
    abstract long lost();

    /** What became of the real-time priority. */
    abstract String realTime();

    final void started()
    {
        receiver = ThreadProbe.ofCurrentThread();
    }

    /** The thread that receives. */
    final ThreadProbe receiver()
    {
        while (receiver == null)
        {
            Thread.onSpinWait();
        }
        return receiver;
    }

    /** Handler's thread, for each packet. */
    final void handle(final long sequence, final long intendedNs, final long insideNs, final long nowNs)
    {
        if (intendedNs != 0)
        {
            wire.recordValue(LatencyRecorder.clamp(nowNs - intendedNs));
            inside.recordValue(LatencyRecorder.clamp(insideNs));
        }
        sequenceSum += sequence;
        // Release: pairs with the acquire load in await().
        handled.setRelease(handled.getPlain() + 1);
    }

    /** Begin a round: nothing is on its way. */
    final void reset()
    {
        wire.reset();
        inside.reset();
    }

    /** Waits until so many packets were handled, or no more come; returns how many are missing. */
    final long await(final long sent)
    {
        long seen = handled.getAcquire();
        long sinceNs = System.nanoTime();
        while (seen < sent && System.nanoTime() - sinceNs < GIVE_UP_NS)
        {
            Thread.yield();
            final long now = handled.getAcquire();
            if (now != seen)
            {
                seen = now;
                sinceNs = System.nanoTime();
            }
        }
        if (seen == sent && sequenceSum != sent * (sent + 1) / 2)
        {
            throw new WrongAnswerException("the sum of " + sent + " sequence numbers is " + sequenceSum);
        }
        return sent - seen;
    }

    @Override
    public abstract void close();
}
