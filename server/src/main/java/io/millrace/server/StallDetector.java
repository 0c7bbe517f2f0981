package io.millrace.server;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches the cycle counts of the agents from a thread of its own that sleeps a quarter of the allowed time between
 * looks. An agent that
 * idles counts cycles too; one whose handler hangs does not.
 */
final class StallDetector implements Runnable
{
    private static final int LOOKS_PER_TIMEOUT = 4;

    private final String server;
    private final List<StageAgent> agents;
    private final long timeoutNs;
    private final StallListener listener;
    private final Failures failures;
    private final long[] lastCycles;
    private final long[] movedNs;
    private final boolean[] reported;
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
        movedNs = new long[agents.size()];
        reported = new boolean[agents.size()];
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
        final long startNs = System.nanoTime();
        Arrays.fill(movedNs, startNs);
        while (running)
        {
            LockSupport.parkNanos(Math.max(timeoutNs / LOOKS_PER_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1)));
            for (int i = 0; i < agents.size(); i++)
            {
                look(i, System.nanoTime());
            }
        }
    }

    private void look(final int index, final long nowNs)
    {
        final StageAgent agent = agents.get(index);
        final long cycles = agent.cycles();
        if (cycles != lastCycles[index] || agent.isEnded())
        {
            lastCycles[index] = cycles;
            movedNs[index] = nowNs;
            reported[index] = false;
        }
        else if (nowNs - movedNs[index] > timeoutNs && !reported[index] && agent.thread() != null)
        {
            reported[index] = true;
            stalls.incrementAndGet();
            try
            {
                listener.onStall(agent.roleName(), nowNs - movedNs[index], agent.thread().getStackTrace());
            }
            catch (final RuntimeException ex)
            {
                failures.report("the stall listener failed", ex);
            }
        }
    }

    long stalls()
    {
        return stalls.get();
    }

    boolean isStalled(final int index)
    {
        return reported[index];
    }

    void stop()
    {
        running = false;
        if (thread != null)
        {
            LockSupport.unpark(thread);
        }
    }
}
