package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A path under test: its server runs on threads of its own, its clients on the calling thread. Each request gets one
 * answer.
 */
abstract class EntryPath implements AutoCloseable
{
    /** Greatest number of requests without an answer, a power of two. */
    static final int MAX_UNANSWERED = 1 << 14;
    private static final int MASK = MAX_UNANSWERED - 1;

    // A path that answers nothing for so long has failed.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);

    final String name;
    private final long hangNs;
    private final long[] intendedNs = new long[MAX_UNANSWERED];
    private Histogram histogram;
    private long sent;
    private long answered;
    private long silentSinceNs;

    EntryPath(final String name)
    {
        this(name, HANG_NS);
    }

    EntryPath(final String name, final long hangNs)
    {
        this.name = name;
        this.hangNs = hangNs;
    }

    /** Sends the next request. Returns false when nothing can be sent now. */
    abstract boolean send(long number) throws IOException;

    /** Receives what is there; calls {@link #onAnswer} for each answer. */
    abstract void poll() throws IOException;

    @Override
    public abstract void close() throws IOException;

    final void onAnswer(final long number)
    {
        answered++;
        histogram.recordValue(LatencyRecorder.clamp(System.nanoTime() - intendedNs[(int)number & MASK]));
    }

    /**
     * An open loop: requests are due at fixed times, whatever the answers do. What is still unsent when the round has
     * taken half as long again as planned is not sent.
     *
     * @param perSecond rate.
     * @param roundNs   length.
     */
    final EntryRound round(final long perSecond, final long roundNs) throws IOException
    {
        histogram = LatencyRecorder.newHistogram();
        silentSinceNs = System.nanoTime();
        final HostFiles.Ticks ticks = HostFiles.HERE.ticks(List.of());
        final double intervalNs = 1e9 / perSecond;
        final long beginNs = System.nanoTime() + 1_000_000;
        final long giveUpNs = beginNs + roundNs + roundNs / 2;
        final long before = answered;
        long count = Math.max(1, (long)(roundNs / intervalNs));
        long due = 0;
        while (answered - before < count)
        {
            final long nowNs = System.nanoTime();
            count = nowNs - giveUpNs > 0 ? due : count;
            while (due < count && beginNs + (long)(due * intervalNs) - nowNs <= 0 && sent - answered < MAX_UNANSWERED)
            {
                intendedNs[(int)(sent + 1) & MASK] = beginNs + (long)(due * intervalNs);
                if (!send(sent + 1))
                {
                    break;
                }
                sent++;
                due++;
            }
            pollOrYield();
        }
        return result(ticks, before, beginNs);
    }

    /**
     * A closed loop: each request is sent after the answer to the one before.
     *
     * @param roundNs length.
     */
    final EntryRound roundTrips(final long roundNs) throws IOException
    {
        histogram = LatencyRecorder.newHistogram();
        silentSinceNs = System.nanoTime();
        final HostFiles.Ticks ticks = HostFiles.HERE.ticks(List.of());
        final long before = answered;
        final long beginNs = System.nanoTime();
        long nowNs = beginNs;
        while (nowNs - beginNs < roundNs)
        {
            intendedNs[(int)(sent + 1) & MASK] = nowNs;
            if (!send(sent + 1))
            {
                throw new IOException(name + " takes no request while none is unanswered");
            }
            sent++;
            while (answered < sent)
            {
                pollOrYield();
            }
            nowNs = System.nanoTime();
        }
        return result(ticks, before, beginNs);
    }

    private EntryRound result(final HostFiles.Ticks ticks, final long answeredBefore, final long beginNs)
    {
        final double answersPerSecond = (answered - answeredBefore) * 1e9 / (System.nanoTime() - beginNs);
        return new EntryRound(histogram, answersPerSecond, HostFiles.HERE.ticks(List.of()).stealSince(ticks));
    }

    /** Yields the CPU when there is nothing: a server has up to two threads. */
    private void pollOrYield() throws IOException
    {
        final long before = answered;
        poll();
        if (answered != before || answered == sent)
        {
            silentSinceNs = System.nanoTime();
        }
        else if (System.nanoTime() - silentSinceNs > hangNs)
        {
            throw new IOException(name + " has answered " + answered + " of " + sent + " requests, and then none for " +
                TimeUnit.NANOSECONDS.toSeconds(hangNs) + " s");
        }
        if (answered == before)
        {
            Thread.yield();
        }
    }
}
