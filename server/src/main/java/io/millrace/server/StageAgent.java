package io.millrace.server;

import io.millrace.pool.PaddedLong;
import io.millrace.server.agent.CpuPlacement;
import org.agrona.concurrent.Agent;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * An agent of a server: each duty cycle polls its sources and stages, on one thread.
 * <p>
 * It ends only by a {@link FailStop}. An {@code AgentTerminationException} of the user's code is an ordinary failure.
 */
final class StageAgent implements Agent
{
    private final String name;
    private final int cpu;
    private final AgentWork[] duties;
    private final Failures failures;
    private final PaddedLong cycles = new PaddedLong(0);
    /** 1 while the thread is in its idle strategy. Padded: a spinning agent writes it all the time. */
    private final PaddedLong idling = new PaddedLong(0);
    private final FailStop failStop;
    private final FailStop stopped;
    private final FailStop endedUnasked;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Thread thread;
    private volatile Throwable startFailure;
    private volatile boolean stop;
    private volatile boolean alive;
    private volatile boolean running;
    private volatile boolean over;
    private volatile boolean woken;
    private volatile String placement = "not asked for a cpu";

    // The agent's thread only.
    private int startedWork;
    private boolean failed;

    StageAgent(final String name, final int cpu, final List<AgentWork> duties, final Failures failures)
    {
        this.name = name;
        this.cpu = cpu;
        this.duties = duties.toArray(new AgentWork[0]);
        this.failures = failures;
        failStop = failures.failStop("agent '" + name + "' failed");
        stopped = new FailStop("agent '" + name + "' was stopped");
        endedUnasked = failures.failStop("agent '" + name + "' ended without being stopped: its thread was " +
            "interrupted, or its idle strategy failed");
        duties.forEach(duty -> duty.hostedBy(this));
    }

    @Override
    public void onStart()
    {
        thread = Thread.currentThread();
        alive = true;
        try
        {
            if (cpu != AgentSpec.NO_CPU)
            {
                placement = CpuPlacement.pinCurrentThread(cpu);
            }
            for (final AgentWork duty : duties)
            {
                // Count first, because close() is called for work whose start failed halfway.
                startedWork++;
                duty.onStart();
            }
            running = true;
        }
        catch (final Throwable ex)
        {
            startFailure = ex;
            Failures.keepInterrupt(ex);
            // No duty cycle may follow.
            throw new FailStop("agent '" + name + "' could not start").of(ex);
        }
        finally
        {
            started.countDown();
        }
    }

    @Override
    public int doWork()
    {
        // Release: pairs with the acquire in cycles(). A thread that sees this cycle sees the work of the one before.
        cycles.setRelease(cycles.getPlain() + 1);
        if (stop)
        {
            throw stopped;
        }
        final AgentWork[] all = duties;
        int work = 0;
        try
        {
            for (int i = 0; i < all.length; i++)
            {
                work += all[i].doWork();
            }
        }
        catch (final FailStop ex)
        {
            failed = true;
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw failed(ex);
        }
        return work;
    }

    /** Called by the agent's thread when its work or the idle strategy threw; no duty cycle follows. */
    FailStop failed(final Throwable cause)
    {
        failed = true;
        return failures.stop(ErrorPolicy.STOP_SERVER, failStop.of(cause));
    }

    /**
     * A second call has no effect. Interrupts are cleared during the close and restored at the end.
     */
    @Override
    public void onClose()
    {
        over = true;
        boolean interrupted = Thread.interrupted();
        while (startedWork > 0)
        {
            startedWork--;
            try
            {
                duties[startedWork].onClose();
            }
            catch (final Throwable ex)
            {
                failures.report("closing agent '" + name + "'", ex);
            }
            interrupted |= Thread.interrupted();
        }
        final boolean unasked = running && !stop && !failed;
        running = false;
        alive = false;
        if (unasked)
        {
            failures.stop(ErrorPolicy.STOP_SERVER, endedUnasked);
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

    /** Wait until the agent's thread has called every {@code onStart}; returns the exception of one, or null. */
    Throwable awaitStart() throws InterruptedException
    {
        started.await();
        return startFailure;
    }

    /** End at the next duty cycle. Any thread. */
    void stop()
    {
        stop = true;
    }

    /** True from the end of the start to the end of the close. Any thread. */
    boolean isRunning()
    {
        return running;
    }

    /** True from the beginning of the start, in which the agent may hang too, to the end of the close. Any thread. */
    boolean isAlive()
    {
        return alive;
    }

    /** Whether the agent has ended or is about to end, and does no more work. Any thread. */
    boolean isEnding()
    {
        return over;
    }

    /** INVOKER mode: set the invoking thread, which may differ from the starting thread. */
    void invokedByCurrentThread()
    {
        final Thread current = Thread.currentThread();
        if (thread != current)
        {
            thread = current;
        }
    }

    /** Called by the agent's thread before and after a call of the idle strategy in an empty cycle. */
    void idling(final boolean now)
    {
        // Opaque, no fence: the closing thread gives it a millisecond to become visible, see AgentGroup.wake().
        idling.setOpaque(now ? 1 : 0);
    }

    /**
     * Called by the closing thread: from now on the agent does not call its idle strategy, which may sleep for long.
     */
    void wake()
    {
        woken = true;
    }

    boolean isWoken()
    {
        return woken;
    }

    /** End a sleep of the idle strategy. Called by the closing thread, a moment after {@link #wake()}. */
    synchronized void interruptIdling()
    {
        if (idling.getOpaque() != 0)
        {
            thread.interrupt();
        }
    }

    /**
     * Clear the interrupt that ended the sleep. Called by the agent's thread after the idle strategy, if it was woken.
     */
    synchronized void forgetInterrupt()
    {
        Thread.interrupted();
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
