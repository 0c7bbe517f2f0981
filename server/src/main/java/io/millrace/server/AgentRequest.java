package io.millrace.server;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message to an agent: an action that its thread runs between two duty cycles, and the result. It runs once, or never
 * and says why. A last step of a change also runs if the agent ends before.
 */
final class AgentRequest<T> extends CompletableFuture<T>
{
    private final Callable<T> action;
    private final boolean isLastStep;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Plain: written before the request completes, read after that. */
    private boolean refusedAtEnd;

    AgentRequest(final Callable<T> action)
    {
        this(action, false);
    }

    AgentRequest(final Callable<T> action, final boolean isLastStep)
    {
        this.action = action;
        this.isLastStep = isLastStep;
    }

    /** The agent's thread, or a thread that finds that the agent has closed its parts. */
    void run()
    {
        if (isDone() || !taken.compareAndSet(false, true))
        {
            return;
        }
        try
        {
            complete(action.call());
        }
        catch (final Throwable ex)
        {
            completeExceptionally(ex);
            Failures.keepInterrupt(ex);
        }
    }

    /** Any thread: from now on it does not run. False if it runs or has run. */
    boolean refuse(final String why)
    {
        return refuse(why, false);
    }

    /** As {@link #refuse}, because the agent of this name ends. */
    void refuseAtEnd(final String agent)
    {
        refuse("agent '" + agent + "' has ended", true);
    }

    /** The agent of this name ends. False for a last step, which still runs when the agent has closed its parts. */
    boolean isEndedWith(final String agent)
    {
        if (!isLastStep)
        {
            refuseAtEnd(agent);
        }
        return !isLastStep;
    }

    private boolean refuse(final String why, final boolean isAtEnd)
    {
        final boolean refused = taken.compareAndSet(false, true);
        if (refused)
        {
            refusedAtEnd = isAtEnd;
            completeExceptionally(new IllegalStateException(why));
        }
        return refused;
    }

    /** Whether it has not run because the agent had begun to end. */
    boolean isRefusedAtEnd()
    {
        return isDone() && refusedAtEnd;
    }
}
