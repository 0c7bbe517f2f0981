package io.millrace.server;

import io.millrace.server.agent.UninterruptedWait;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Checks the cycle counts of the agents from its own thread, four times per stall time. An idle agent also counts
 * cycles; an agent whose handler hangs does not.
 */
final class StallDetector implements Runnable
{
    /** A stall is thus reported 1 to 1.5 times the stall time after it began. */
    private static final int CHECKS_PER_TIMEOUT = 4;

    /** What is known of one agent. The detector's thread; {@code stalled} is read by any thread. */
    static final class Watch
    {
        long cycles;
        long unmovedNs;
        /** Processor time of its thread at the first check in which it had not moved; -1 if not measured. */
        long cpuNs;
        /** What {@code unmovedNs} was then. */
        long cpuFromNs;
        volatile boolean stalled;
        /** The longest duty cycle that was looked at, of a measured agent. */
        long longestNs;
    }

    private final Server.Context context;
    private final List<StageAgent> agents;
    private final long timeoutNs;
    private final StallListener listener;
    private final Failures failures;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean measuresCpu = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    private final AtomicLong stalls = new AtomicLong();
    private volatile boolean running = true;
    private Thread thread;

    /**
     * @param agents the list may change.
     */
    StallDetector(
        final Server.Context context,
        final List<StageAgent> agents,
        final long timeoutNs,
        final StallListener listener,
        final Failures failures)
    {
        this.context = context;
        this.agents = agents;
        this.timeoutNs = timeoutNs;
        this.listener = listener;
        this.failures = failures;
    }

    void start()
    {
        thread = context.newThread(this, "stall-detector");
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
            // By index: an iterator allocates. An agent that leaves meanwhile is checked once less.
            for (int i = 0; i < agents.size(); i++)
            {
                try
                {
                    check(i, elapsedNs);
                }
                catch (final Throwable ex)
                {
                    failures.report("a look for stalls, or the stall listener failed", ex);
                }
            }
        }
    }

    private void check(final int index, final long elapsedNs)
    {
        final StageAgent agent;
        try
        {
            agent = agents.get(index);
        }
        catch (final IndexOutOfBoundsException left)
        {
            return;
        }
        final Watch watch = agent.watch();
        final long cycles = agent.cycles();
        if (agent.meter() != null && agent.meter().longestNs() > watch.longestNs)
        {
            watch.longestNs = agent.meter().longestNs();
            FlightEvents.longestCycle(context.name(), agent.roleName(), watch.longestNs);
        }
        if (cycles != watch.cycles || !agent.isRunning())
        {
            watch.cycles = cycles;
            watch.unmovedNs = 0;
            watch.stalled = false;
            return;
        }
        if (watch.unmovedNs == 0)
        {
            // Not earlier: the call allocates.
            watch.cpuNs = cpuNs(agent);
            watch.cpuFromNs = elapsedNs;
        }
        watch.unmovedNs += elapsedNs;
        if (watch.unmovedNs > timeoutNs && !watch.stalled)
        {
            watch.stalled = true;
            stalls.incrementAndGet();
            final StackTraceElement[] stack = agent.thread().getStackTrace();
            final StallCause cause = cause(agent, watch);
            FlightEvents.stall(context.name(), agent.roleName(), watch.unmovedNs, cause, stack);
            listener.onStall(agent.roleName(), watch.unmovedNs, cause, stack);
        }
    }

    private long cpuNs(final StageAgent agent)
    {
        return measuresCpu && agent.thread() != null ? threads.getThreadCpuTime(agent.thread().getId()) : -1;
    }

    private StallCause cause(final StageAgent agent, final Watch watch)
    {
        final Thread.State state = agent.thread().getState();
        if (state != Thread.State.RUNNABLE)
        {
            return StallCause.BLOCKED;
        }
        final long nowNs = cpuNs(agent);
        if (nowNs < 0 || watch.cpuNs < 0)
        {
            return StallCause.UNKNOWN;
        }
        final long elapsedNs = watch.unmovedNs - watch.cpuFromNs;
        return nowNs - watch.cpuNs >= elapsedNs / 2 ? StallCause.BUSY : StallCause.DID_NOT_RUN;
    }

    long stalls()
    {
        return stalls.get();
    }

    List<String> stalled()
    {
        return agents.stream().filter(agent -> agent.watch().stalled).map(StageAgent::roleName)
            .collect(Collectors.toList());
    }

    /** End the thread and wait for it, unless its listener is the caller. */
    void stop()
    {
        running = false;
        LockSupport.unpark(thread);
        if (thread != Thread.currentThread())
        {
            UninterruptedWait.join(thread, AgentGroup.MIN_END_NS);
        }
    }
}
