package io.millrace.server;

import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The agents of one server: starts them in order, each on a thread of its own or, in INVOKER mode, on the caller's;
 * ends them in reverse order.
 */
final class AgentCrew
{
    /**
     * Least time for an agent to end: an idle one parks for a millisecond, and a busy host may leave it off its core
     * for some tens of them.
     */
    static final long MIN_END_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String server;
    private final List<StageAgent> agents;
    private final Function<StageAgent, IdleStrategy> idle;
    private final Failures failures;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param idle of each agent; null: no threads.
     */
    AgentCrew(
        final String server,
        final List<StageAgent> agents,
        final Function<StageAgent, IdleStrategy> idle,
        final Failures failures)
    {
        this.server = server;
        this.agents = agents;
        this.idle = idle;
        this.failures = failures;
    }

    boolean hasThreads()
    {
        return idle != null;
    }

    void start() throws Exception
    {
        for (final StageAgent agent : agents)
        {
            if (hasThreads())
            {
                startThread(agent);
            }
            else
            {
                startHere(agent);
            }
            final Throwable startFailure = agent.awaitStart();
            if (startFailure != null)
            {
                throw new IllegalStateException("agent '" + agent.roleName() + "': " + startFailure, startFailure);
            }
        }
    }

    private void startThread(final StageAgent agent)
    {
        final AgentRunner runner = new AgentRunner(
            idle.apply(agent), ex -> failures.onAgentError(agent.roleName(), ex), null, agent);
        // Not by AgentRunner.startOnThread: that names the thread after the agent alone.
        final Thread thread = new Thread(() -> run(runner, agent), server + "-" + agent.roleName());
        threads.add(thread);
        thread.start();
    }

    private static void run(final AgentRunner runner, final StageAgent agent)
    {
        try
        {
            runner.run();
        }
        finally
        {
            // Agrona lets an Error of the idle strategy end the thread without closing the agent.
            agent.onClose();
        }
    }

    private static void startHere(final StageAgent agent)
    {
        try
        {
            agent.onStart();
        }
        catch (final AgentEnd ignored)
        {
            // awaitStart() tells why.
            agent.onClose();
        }
    }

    /** One duty cycle of each agent that runs. INVOKER mode. */
    int invoke()
    {
        int work = 0;
        for (int i = 0; i < agents.size(); i++)
        {
            work += invoke(agents.get(i));
        }
        return work;
    }

    private static int invoke(final StageAgent agent)
    {
        try
        {
            return agent.isRunning() ? agent.doWork() : 0;
        }
        catch (final AgentEnd ignored)
        {
            // Reported where it was thrown.
            agent.onClose();
            return 0;
        }
    }

    /** Whether the caller is the thread of an agent. */
    boolean isOwnThread()
    {
        for (final Thread thread : threads)
        {
            if (thread == Thread.currentThread())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * End the agents, the last started first. One that does not end in time is reported and left behind: it ends when
     * what it hangs in returns.
     */
    void close(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        for (int i = agents.size() - 1; i >= 0; i--)
        {
            final StageAgent agent = agents.get(i);
            agent.stop();
            final Thread thread = i < threads.size() ? threads.get(i) : null;
            if (thread != null && !hasEnded(thread, Math.max(deadlineNs - System.nanoTime(), MIN_END_NS)))
            {
                reportHanging(agent, thread);
            }
            else
            {
                // Its own thread, if it has one, did so already.
                agent.onClose();
            }
        }
    }

    private void reportHanging(final StageAgent agent, final Thread thread)
    {
        final Exception where = new Exception("stack of thread " + thread.getName());
        where.setStackTrace(thread.getStackTrace());
        failures.report("agent '" + agent.roleName() + "' hangs and is left behind", where);
    }

    /** Wait for a thread, not shortened by an interrupt. */
    static boolean hasEnded(final Thread thread, final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        boolean interrupted = false;
        while (thread.isAlive() && System.nanoTime() - deadlineNs < 0)
        {
            try
            {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadlineNs - System.nanoTime()));
            }
            catch (final InterruptedException ignored)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    List<StageAgent> agents()
    {
        return agents;
    }
}
