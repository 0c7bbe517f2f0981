package io.millrace.server;

import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.locks.LockSupport;

/**
 * Loop of an agent's thread. Agrona's runner would end a sleeping agent at the interrupt that only wakes it. It also
 * lets an Error of the idle strategy end the thread without closing the agent.
 */
final class AgentLoop implements Runnable
{
    private final StageAgent agent;
    private final IdleStrategy strategy;
    private final Runnable atEnd;

    AgentLoop(final StageAgent agent, final IdleStrategy strategy, final Runnable atEnd)
    {
        this.agent = agent;
        this.strategy = strategy;
        this.atEnd = atEnd;
    }

    @Override
    public void run()
    {
        try
        {
            agent.onStart();
            boolean running = true;
            while (running)
            {
                running = cycle(agent, strategy);
            }
        }
        catch (final FailStop ignored)
        {
            // Reported where it was thrown.
        }
        catch (final Throwable ex)
        {
            agent.failed(ex);
        }
        finally
        {
            agent.onClose();
            atEnd.run();
        }
    }

    /** False if the thread was interrupted, except by the close. */
    private static boolean cycle(final StageAgent agent, final IdleStrategy strategy)
    {
        final int work = agent.doWork();
        if (work > 0)
        {
            strategy.idle(work);
            return true;
        }
        if (agent.isWoken())
        {
            LockSupport.parkNanos(Lifecycle.POLL_INTERVAL_NS);
            return !Thread.currentThread().isInterrupted();
        }
        agent.idling(true);
        try
        {
            strategy.idle(work);
        }
        catch (final Throwable ex)
        {
            // A strategy may throw when its sleep is interrupted.
            if (!agent.isWoken())
            {
                throw ex;
            }
        }
        finally
        {
            agent.idling(false);
        }
        if (agent.isWoken())
        {
            agent.forgetInterrupt();
        }
        return !Thread.currentThread().isInterrupted();
    }
}
