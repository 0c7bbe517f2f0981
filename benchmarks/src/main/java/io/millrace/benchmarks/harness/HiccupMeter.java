package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the hiccups of the host: the latency of an open loop of two threads without any work or transfer between
 * them. Both follow the same schedule, each on its CPU, and only read the clock; a sample is as late as the later of
 * the two saw it, since an interruption of the publishing thread delays an event as much as one of the handling thread.
 * <p>
 * One use. What it reads is the host's doing at that moment, no path's; a path that ran at another moment may read
 * less.
 */
public final class HiccupMeter
{
    private static final long LEAD_NS = 2_000_000L;

    private final long roundNs;
    private final int sourceCpu;
    private final int handlerCpu;
    private final int[] sourceLateNs;
    private final int[] handlerLateNs;
    private final CountDownLatch sourceIsThere = new CountDownLatch(1);
    private volatile long startNs;

    /**
     * A meter.
     *
     * @param perSecond  samples per second.
     * @param roundMs    for how long, in milliseconds.
     * @param sourceCpu  CPU of one thread, or {@link Pinning#NONE}.
     * @param handlerCpu CPU of the other.
     */
    HiccupMeter(final long perSecond, final long roundMs, final int sourceCpu, final int handlerCpu)
    {
        this.sourceCpu = sourceCpu;
        this.handlerCpu = handlerCpu;
        roundNs = TimeUnit.MILLISECONDS.toNanos(roundMs);
        final int samples = Math.toIntExact(Math.max(1, perSecond * roundMs / 1_000));
        sourceLateNs = new int[samples];
        handlerLateNs = new int[samples];
    }

    /**
     * Measure on threads of its own; the calling thread sleeps.
     *
     * @param perSecond  samples per second.
     * @param roundMs    for how long, in milliseconds.
     * @param sourceCpu  CPU of one thread, or {@link Pinning#NONE}.
     * @param handlerCpu CPU of the other.
     * @return lateness of the samples, in nanoseconds.
     * @throws IOException when the calling thread is interrupted.
     */
    public static Histogram measure(
        final long perSecond, final long roundMs, final int sourceCpu, final int handlerCpu) throws IOException
    {
        return Pinning.onOwnThread(() -> new HiccupMeter(perSecond, roundMs, sourceCpu, handlerCpu).run());
    }

    /**
     * Run. The calling thread is the handling one.
     *
     * @return lateness of the samples, in nanoseconds.
     * @throws InterruptedException when the calling thread is interrupted.
     */
    Histogram run() throws InterruptedException
    {
        final Thread source = Daemon.start("hiccup-source", this::followAsSource);
        Pinning.pinCurrentThread(handlerCpu);
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
        Pinning.pinCurrentThread(sourceCpu);
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
        final double intervalNs = (double)roundNs / lateNs.length;
        for (int i = 0; i < lateNs.length; i++)
        {
            final long sampleNs = firstNs + (long)(i * intervalNs);
            long nowNs = System.nanoTime();
            while (nowNs < sampleNs)
            {
                Thread.onSpinWait();
                nowNs = System.nanoTime();
            }
            lateNs[i] = (int)Math.min(Integer.MAX_VALUE, nowNs - sampleNs);
        }
    }
}
