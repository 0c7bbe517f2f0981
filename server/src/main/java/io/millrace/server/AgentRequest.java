package io.millrace.server;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message to an agent: an action that its thread runs between two duty cycles, and the result. It runs once, or never
 * and says why.
 */
final class AgentRequest<T> extends CompletableFuture<T>
{
    private final Callable<T> action;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Plain: written before the request completes, read after that. */
    private boolean refusedAtEnd;

    AgentRequest(final Callable<T> action)
    {
        this.action = action;
    }

    /** The agent's thread. */
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
        final boolean refused = taken.compareAndSet(false, true);
        if (refused)
        {
            completeExceptionally(new IllegalStateException(why));
        }
        return refused;
    }

    /** As {@link #refuse}, because the agent ends. */
    void refuseAtEnd(final String why)
    {
        if (taken.compareAndSet(false, true))
        {
            refusedAtEnd = true;
            completeExceptionally(new IllegalStateException(why));
        }
    }

    /** Whether it has not run because the agent had begun to end. */
    boolean isRefusedAtEnd()
    {
        return isDone() && refusedAtEnd;
    }
}
