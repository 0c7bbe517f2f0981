package io.millrace.server;

import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.Agent;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * An agent of a server: does its duties in turn, on one thread.
 * <p>
 * Whatever ends it leaves it as an {@link AgentEnd}: Agrona's runner goes on after any other exception
 * and lets its thread die without {@link #onClose()} on an {@link Error}.
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
    private volatile boolean stop;
    private volatile boolean running;
    private volatile String placement = "not asked for a cpu";

    // The agent's thread only.
    private int startedDuties;
    private boolean failed;

    StageAgent(final String name, final int cpu, final List<Duty> duties, final Failures failures)
    {
        this.name = name;
        this.cpu = cpu;
        this.duties = duties.toArray(new Duty[0]);
        this.failures = failures;
        duties.forEach(duty -> duty.hostedBy(this));
    }

    @Override
    public void onStart()
    {
        thread = Thread.currentThread();
        try
        {
            if (cpu != AgentSpec.NO_CPU)
            {
                placement = CpuPlacement.pinCurrentThread(cpu);
            }
            for (final Duty duty : duties)
            {
                // Counted first: a duty that fails half way closes the half that had started.
                startedDuties++;
                duty.onStart();
            }
            running = true;
        }
        catch (final Throwable ex)
        {
            startFailure = ex;
            Failures.keepInterrupt(ex);
            // No duty cycle may follow.
            throw new AgentEnd("agent '" + name + "' could not start", ex);
        }
        finally
        {
            started.countDown();
        }
    }

    @Override
    public int doWork()
    {
        // Release: who sees the next cycle sees what the one before has done.
        cycles.setRelease(cycles.getPlain() + 1);
        if (stop)
        {
            throw new AgentEnd("agent '" + name + "' was stopped", null);
        }
        final Duty[] all = duties;
        int work = 0;
        try
        {
            for (int i = 0; i < all.length; i++)
            {
                work += all[i].doWork();
            }
        }
        catch (final AgentEnd ex)
        {
            failed = true;
            throw ex;
        }
        catch (final Throwable ex)
        {
            failed = true;
            failures.stop(ErrorPolicy.STOP_SERVER, "agent '" + name + "' failed", ex);
            throw new AgentEnd("agent '" + name + "' failed", ex);
        }
        return work;
    }

    /**
     * A second call does nothing. An interrupt does not disturb what is being closed; the flag is put back at the end.
     */
    @Override
    public void onClose()
    {
        boolean interrupted = Thread.interrupted();
        while (startedDuties > 0)
        {
            startedDuties--;
            try
            {
                duties[startedDuties].onClose();
            }
            catch (final Throwable ex)
            {
                failures.report("closing agent '" + name + "'", ex);
            }
            interrupted |= Thread.interrupted();
        }
        final boolean unasked = running && !stop && !failed;
        running = false;
        if (unasked)
        {
            failures.stop(ErrorPolicy.STOP_SERVER, "agent '" + name +
                "' ended although nobody stopped it: its thread was interrupted, or its idle strategy failed", null);
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
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

    /** Any thread: end at the next duty cycle. */
    void stop()
    {
        stop = true;
    }

    /** Any thread: from the end of the start to the end of the close. */
    boolean isRunning()
    {
        return running;
    }

    boolean isCurrentThread()
    {
        return thread == Thread.currentThread();
    }

    /** Null before the start. */
    Thread thread()
    {
        return thread;
    }

    long cycles()
    {
        return cycles.getAcquire();
    }

    String placement()
    {
        return placement;
    }
}
