package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.List;

/**
 * Measures only the host, in a child JVM: the cost of a transfer between the two CPUs, the cost of reading the clock,
 * and the hiccups of two idle threads. One thread.
 *
 * @param child      the process.
 * @param sourceCpu  CPU of one thread, or {@link Pinning#NONE}.
 * @param handlerCpu CPU of the other.
 */
public record HostMeter(ChildProcess<HostFiles> child, int sourceCpu, int handlerCpu) implements AutoCloseable
{
    private static final long PER_SECOND = 1_000_000;

    /**
     * Start the process.
     *
     * @param flags      JVM flags after the usual ones.
     * @param sourceCpu  CPU of one thread, or {@link Pinning#NONE}.
     * @param handlerCpu CPU of the other.
     * @throws IOException when it does not start.
     */
    public HostMeter(final List<String> flags, final int sourceCpu, final int handlerCpu) throws IOException
    {
        this(ChildProcess.start("host", flags, () -> HostFiles.HERE), sourceCpu, handlerCpu);
    }

    /**
     * Measure the baselines.
     *
     * @return the readings.
     * @throws IOException when the process fails.
     */
    public HostBaseline baseline() throws IOException
    {
        final int first = sourceCpu;
        final int second = handlerCpu;
        return child.ask(host ->
        {
            // The first ones warm up.
            HostBaseline.measureClockNs();
            return new HostBaseline(HostBaseline.measureClockNs(), HostBaseline.measureLineNs(first, second));
        });
    }

    /**
     * One round of the hiccup meter, at 1,000,000 samples a second.
     *
     * @param roundMs its duration in milliseconds.
     * @return the round.
     * @throws IOException when the process fails.
     */
    public HiccupRound hiccup(final long roundMs) throws IOException
    {
        final int first = sourceCpu;
        final int second = handlerCpu;
        return child.ask(host -> Pinning.onOwnThread(() -> hiccup(host, Math.max(1, roundMs), first, second)));
    }

    private static HiccupRound hiccup(final HostFiles host, final long roundMs, final int first, final int second)
        throws InterruptedException
    {
        System.gc();
        final List<Integer> cpus = Pinning.asked(first, second);
        final HostFiles.Ticks before = host.ticks(cpus);
        final Histogram hiccups = new HiccupMeter(PER_SECOND, roundMs, first, second).run();
        return new HiccupRound(hiccups, host.ticks(cpus).stealSince(before));
    }

    @Override
    public void close()
    {
        child.close();
    }
}
