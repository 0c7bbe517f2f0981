package io.millrace.benchmarks.rate;

import java.util.concurrent.CountDownLatch;

import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * The hiccups of the host: what an open loop of two threads would read if neither had anything to do and nothing had
 * to go from one to the other. Both follow the same schedule, each on its CPU, and only look at the clock; a beat is as
 * late as the later of the two saw it, since an interruption of the publishing thread delays an event as much as one of
 * the handling thread.
 * <p>
 * One use. What it reads is the host's doing at that moment, no path's; a path that ran at another moment may read
 * less.
 */
public final class HiccupMeter
{
    private static final long LEAD_NS = 2_000_000L;

    private final RoundPlan plan;
    private final int[] sourceLateNs;
    private final int[] handlerLateNs;
    private final CountDownLatch sourceIsThere = new CountDownLatch(1);
    private volatile long startNs;

    /**
     * A meter.
     *
     * @param plan rate, duration and the CPU of each thread, or {@link Pinning#NONE}.
     */
    public HiccupMeter(final RoundPlan plan)
    {
        this.plan = plan;
        final int beats = Math.toIntExact(Math.max(1, plan.events()));
        sourceLateNs = new int[beats];
        handlerLateNs = new int[beats];
    }

    /**
     * Run. The calling thread is the handling one.
     *
     * @return lateness of the beats, in nanoseconds.
     * @throws InterruptedException when the calling thread is interrupted.
     */
    public Histogram run() throws InterruptedException
    {
        final Thread source = new Thread(this::followAsSource, "hiccup-source");
        source.setDaemon(true);
        source.start();
        Pinning.pinCurrentThread(plan.handlerCpu());
        sourceIsThere.await();
        startNs = System.nanoTime() + LEAD_NS;
        follow(handlerLateNs);
        source.join();
        final Histogram late = LatencyRecorder.newHistogram();
        for (int i = 0; i < handlerLateNs.length; i++)
        {
            late.recordValue(Math.max(sourceLateNs[i], handlerLateNs[i]));
        }
        return late;
    }

    private void followAsSource()
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        sourceIsThere.countDown();
        while (startNs == 0)
        {
            Thread.yield();
        }
        follow(sourceLateNs);
    }

    private void follow(final int[] lateNs)
    {
        final long firstNs = startNs;
        final double intervalNs = (double)plan.roundNs() / lateNs.length;
        for (int i = 0; i < lateNs.length; i++)
        {
            final long beatNs = firstNs + (long)(i * intervalNs);
            long nowNs = System.nanoTime();
            while (nowNs < beatNs)
            {
                Thread.onSpinWait();
                nowNs = System.nanoTime();
            }
            lateNs[i] = (int)Math.min(Integer.MAX_VALUE, nowNs - beatNs);
        }
    }
}
