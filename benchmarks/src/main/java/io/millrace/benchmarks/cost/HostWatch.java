package io.millrace.benchmarks.cost;

import java.util.List;
import java.util.stream.IntStream;

import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;

/**
 * What the host did to a round. One thread; it allocates, so it looks before the first and after the last reading of
 * the measured threads.
 */
final class HostWatch
{
    private final HostFiles host;
    private List<Integer> cpus = List.of();
    private HostFiles.Ticks before;
    private int crowdBefore;

    HostWatch(final HostFiles host)
    {
        this.host = host;
    }

    void start(final int... measuredCpus)
    {
        start(IntStream.of(measuredCpus).filter(cpu -> cpu != Pinning.NONE).boxed().toList());
    }

    void start(final List<Integer> measuredCpus)
    {
        cpus = measuredCpus;
        before = host.ticks(cpus);
        crowdBefore = crowdNow();
    }

    /** Part of the CPUs' time that was stolen since the start; not a number when not known. */
    double steal()
    {
        return host.ticks(cpus).stealSince(before);
    }

    /**
     * Runnable threads beyond the machine's CPUs, the smaller of the number at the start and now: a thread that runs
     * for a moment at one end is no crowd.
     */
    int crowd()
    {
        return Math.min(crowdBefore, crowdNow());
    }

    private int crowdNow()
    {
        return host.runnable() - host.onlineCpus();
    }
}
