package io.millrace.server;

import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.Agent;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * An agent of a server: does its duties in turn, on one thread.
 */
final class StageAgent implements Agent
{
    private final String name;
    private final int cpu;
    private final Duty[] duties;
    private final Failures failures;
    private final PaddedLong cycles = new PaddedLong(0);
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Thread thread;
    private volatile Throwable startFailure;
    private volatile boolean ended;
    private volatile String placement = "not asked for a cpu";

    StageAgent(final String name, final int cpu, final List<Duty> duties, final Failures failures)
    {
        this.name = name;
        this.cpu = cpu;
        this.duties = duties.toArray(new Duty[0]);
        this.failures = failures;
    }

    @Override
    public void onStart()
    {
        thread = Thread.currentThread();
        if (cpu != AgentSpec.NO_CPU)
        {
            placement = CpuPlacement.pinCurrentThread(cpu);
        }
        try
        {
            for (final Duty duty : duties)
            {
                duty.onStart();
            }
        }
        catch (final Throwable ex)
        {
            startFailure = ex;
        }
        started.countDown();
    }

    @Override
    public int doWork()
    {
        cycles.setOpaque(cycles.getPlain() + 1);
        final Duty[] all = duties;
        int work = 0;
        for (int i = 0; i < all.length; i++)
        {
            work += all[i].doWork();
        }
        return work;
    }

    @Override
    public void onClose()
    {
        for (final Duty duty : duties)
        {
            try
            {
                duty.onClose();
            }
            catch (final Throwable ex)
            {
                failures.report("closing agent '" + name + "'", ex);
            }
        }
        ended = true;
        started.countDown();
    }

    @Override
    public String roleName()
    {
        return name;
    }

    /** Wait until the agent's thread has called every {@code onStart}; what one of them threw. */
    Throwable awaitStart() throws InterruptedException
    {
        started.await();
        return startFailure;
    }

    boolean isCurrentThread()
    {
        return thread == Thread.currentThread();
    }

    Thread thread()
    {
        return thread;
    }

    boolean isEnded()
    {
        return ended;
    }

    long cycles()
    {
        return cycles.getOpaque();
    }

    String placement()
    {
        return placement;
    }
}
