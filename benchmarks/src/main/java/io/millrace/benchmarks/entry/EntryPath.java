package io.millrace.benchmarks.entry;

import org.HdrHistogram.Histogram;

import java.io.IOException;

/**
 * A path under test: its server runs on threads of its own, its clients on the calling thread. Each request gets one
 * answer.
 */
abstract class EntryPath implements AutoCloseable
{
    /** Greatest number of requests without an answer, a power of two. */
    static final int MAX_UNANSWERED = 1 << 14;
    private static final int MASK = MAX_UNANSWERED - 1;

    private final String name;
    private final long[] intendedNs = new long[MAX_UNANSWERED];
    private Histogram histogram;
    private long sent;
    private long answered;

    EntryPath(final String name)
    {
        this.name = name;
    }

    /** Sends the next request. Returns false when nothing can be sent now. */
    abstract boolean send(long number) throws IOException;

    /** Receives what is there; calls {@link #onAnswer} for each answer. */
    abstract void poll() throws IOException;

    @Override
    public abstract void close() throws IOException;

    final String name()
    {
        return name;
    }

    final void onAnswer(final long number)
    {
        answered++;
        histogram.recordValue(System.nanoTime() - intendedNs[(int)number & MASK]);
    }

    /**
     * An open loop: requests are due at fixed times, whatever the answers do.
     *
     * @param perSecond rate.
     * @param roundNs   length.
     * @param into      gets the time from the intended send to the answer.
     * @return answers per second.
     */
    final double round(final long perSecond, final long roundNs, final Histogram into) throws IOException
    {
        histogram = into;
        final double intervalNs = 1e9 / perSecond;
        final long count = Math.max(1, (long)(roundNs / intervalNs));
        final long beginNs = System.nanoTime() + 1_000_000;
        final long before = answered;
        long due = 0;
        while (answered - before < count)
        {
            final long nowNs = System.nanoTime();
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
        return count * 1e9 / (System.nanoTime() - beginNs);
    }

    /**
     * A closed loop: each request is sent after the answer to the one before.
     *
     * @param roundNs length.
     * @param into    gets the time from the send to the answer.
     */
    final void roundTrips(final long roundNs, final Histogram into) throws IOException
    {
        histogram = into;
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
    }

    /** Yields the CPU when there is nothing: a server has up to two threads. */
    private void pollOrYield() throws IOException
    {
        final long before = answered;
        poll();
        if (answered == before)
        {
            Thread.yield();
        }
    }
}
