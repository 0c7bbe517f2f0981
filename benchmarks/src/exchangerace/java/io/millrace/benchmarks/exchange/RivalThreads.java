package io.millrace.benchmarks.exchange;

import exchange.core2.core.processors.GroupingProcessor;
import exchange.core2.core.processors.TwoStepMasterProcessor;

import com.lmax.disruptor.EventProcessor;

import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/**
 * Makes exchange-core's threads, puts them where they do best on two CPUs, and reads what those that live have used:
 * grouping and risk beside the source, matching and results on the other CPU. Any thread.
 */
final class RivalThreads implements ThreadFactory
{
    private final int sourceCpu;
    private final int otherCpu;
    private final List<ThreadProbe> probes = new CopyOnWriteArrayList<>();

    RivalThreads(final int sourceCpu, final int otherCpu)
    {
        this.sourceCpu = sourceCpu;
        this.otherCpu = otherCpu;
    }

    @Override
    public Thread newThread(final Runnable task)
    {
        final Thread thread = new Thread(() -> run(task));
        thread.setDaemon(true);
        return thread;
    }

    private void run(final Runnable task)
    {
        if (!(task instanceof EventProcessor))
        {
            // Makes its engines before the start, then ends.
            task.run();
            return;
        }
        final boolean early = task instanceof GroupingProcessor || task instanceof TwoStepMasterProcessor;
        Pinning.pinCurrentThread(early ? sourceCpu : otherCpu);
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        probes.add(probe);
        try
        {
            task.run();
        }
        finally
        {
            probes.remove(probe);
        }
    }

    int count()
    {
        return probes.size();
    }

    /** All of them together. */
    ThreadProbe.Usage usage()
    {
        long cpuNs = 0;
        long allocatedBytes = 0;
        long involuntarySwitches = 0;
        for (final ThreadProbe probe : probes)
        {
            final ThreadProbe.Usage usage = probe.usage();
            cpuNs += usage.cpuNs();
            allocatedBytes += usage.allocatedBytes();
            involuntarySwitches += usage.involuntarySwitches();
        }
        return new ThreadProbe.Usage(cpuNs, allocatedBytes, involuntarySwitches);
    }

    /** How long all of them were ready to run and did not, in nanoseconds; not a number when it is not known. */
    double waitedNs()
    {
        double waitedNs = 0;
        for (final ThreadProbe probe : probes)
        {
            waitedNs += known(probe.waitedNs());
        }
        return waitedNs;
    }

    /** A reading, or not a number when the system does not say. */
    static double known(final long waitedNs)
    {
        return waitedNs < 0 ? Double.NaN : waitedNs;
    }
}
