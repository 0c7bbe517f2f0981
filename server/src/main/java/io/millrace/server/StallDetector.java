package io.millrace.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks the cycle counts of the agents from its own thread, four times per stall time. An idle agent also counts
 * cycles; an agent whose handler hangs does not.
 */
final class StallDetector implements Runnable
{
    /** A stall is thus reported 1 to 1.5 times the stall time after it began. */
    private static final int CHECKS_PER_TIMEOUT = 4;

    private final String server;
    private final List<StageAgent> agents;
    private final long timeoutNs;
    private final StallListener listener;
    private final Failures failures;
    private final long[] lastCycles;
    private final long[] unmovedNs;
    /** 1 if the stall was reported and the agent has not moved since. Read by any thread. */
    private final AtomicIntegerArray stalled;
    private final AtomicLong stalls = new AtomicLong();
    private volatile boolean running = true;
    private Thread thread;

    StallDetector(
        final String server,
        final List<StageAgent> agents,
        final long timeoutNs,
        final StallListener listener,
        final Failures failures)
    {
        this.server = server;
        this.agents = agents;
        this.timeoutNs = timeoutNs;
        this.listener = listener;
        this.failures = failures;
        lastCycles = new long[agents.size()];
        unmovedNs = new long[agents.size()];
        stalled = new AtomicIntegerArray(agents.size());
    }

    void start()
    {
        thread = new Thread(this, server + "-stall-detector");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run()
    {
        final long intervalNs = Math.max(timeoutNs / CHECKS_PER_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1));
        long lastNs = System.nanoTime();
        while (running)
        {
            LockSupport.parkNanos(intervalNs);
            if (Thread.interrupted() || !running)
            {
                continue;
            }
            final long nowNs = System.nanoTime();
            // If this thread was suspended, for example with the whole process, the agents may have been too.
            final long elapsedNs = Math.min(nowNs - lastNs, 2 * intervalNs);
            lastNs = nowNs;
            for (int i = 0; i < agents.size(); i++)
            {
                check(i, elapsedNs);
            }
        }
    }

    private void check(final int index, final long elapsedNs)
    {
        final StageAgent agent = agents.get(index);
        final long cycles = agent.cycles();
        if (cycles != lastCycles[index] || !agent.isRunning())
        {
            lastCycles[index] = cycles;
            unmovedNs[index] = 0;
            stalled.set(index, 0);
            return;
        }
        unmovedNs[index] += elapsedNs;
        if (unmovedNs[index] > timeoutNs && stalled.get(index) == 0)
        {
            stalled.set(index, 1);
            stalls.incrementAndGet();
            try
            {
                listener.onStall(agent.roleName(), unmovedNs[index], agent.thread().getStackTrace());
            }
            catch (final Throwable ex)
            {
                failures.report("the stall listener failed", ex);
            }
        }
    }

    long stalls()
    {
        return stalls.get();
    }

    List<String> stalled()
    {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++)
        {
            if (stalled.get(i) != 0)
            {
                names.add(agents.get(i).roleName());
            }
        }
        return names;
    }

    /** End the thread and wait for it, unless its listener is the caller. */
    void stop()
    {
        running = false;
        LockSupport.unpark(thread);
        if (thread != Thread.currentThread())
        {
            AgentGroup.hasEnded(thread, AgentGroup.MIN_END_NS);
        }
    }
}
