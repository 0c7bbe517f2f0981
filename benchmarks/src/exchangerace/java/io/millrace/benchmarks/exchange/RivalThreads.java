package io.millrace.benchmarks.exchange;

import com.lmax.disruptor.EventProcessor;
import exchange.core2.core.processors.GroupingProcessor;
import exchange.core2.core.processors.TwoStepMasterProcessor;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/**
 * Makes exchange-core's threads, puts them where they do best on two CPUs, and reads what those that live have used:
 * grouping and risk with the source, matching and results on the other CPU. Any thread.
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

    /** The processors' threads, as long as they run. */
    List<ThreadProbe> probes()
    {
        return probes;
    }
}
