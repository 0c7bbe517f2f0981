package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.agent.UninterruptedWait;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs changes of a running server: one at a time, none while it closes. Their parts run on the agents' threads.
 */
final class Changes
{
    /** A change, which may throw. */
    @FunctionalInterface
    interface Change
    {
        void run() throws Exception;
    }

    private final String server;
    private final AgentGroup agents;
    private final BooleanSupplier isOpen;
    private final Failures failures;
    /** Longest wait for an agent, for another change and, when the server closes, for the last change. */
    private final long timeoutNs;
    private final ReentrantLock changing = new ReentrantLock();
    /** Whether a change runs. Written by its thread; read by the thread of the next start. */
    private volatile boolean isRunning;
    /** Flows that were removed while a publisher was inside of a handler. */
    private final List<RunningFlow<?>> busy = new CopyOnWriteArrayList<>();

    Changes(
        final Server.Context context, final AgentGroup agents, final BooleanSupplier isOpen, final Failures failures)
    {
        server = context.name();
        this.agents = agents;
        this.isOpen = isOpen;
        this.failures = failures;
        timeoutNs = Math.max(AgentGroup.MIN_END_NS, context.drainTimeoutNs());
    }

    long timeoutNs()
    {
        return timeoutNs;
    }

    /** Whether the caller is inside of a change, for example in the start of a service that is added. */
    boolean isOwnThread()
    {
        return changing.isHeldByCurrentThread();
    }

    /** A change that has waited for events of a server that closes leaves them to the close. */
    void checkOpen()
    {
        if (!isOpen.getAsBoolean())
        {
            throw closes(server);
        }
    }

    static IllegalStateException closes(final String server)
    {
        return new IllegalStateException("server '" + server + "' cannot be changed: it closes");
    }

    void run(final Change change)
    {
        if (agents.isOwnThread() || isOwnThread())
        {
            throw new IllegalStateException("a server cannot be changed on the thread of an agent or inside of " +
                "another change, because the change would wait for itself: call it on another thread");
        }
        // Once: a server that is starting may run a moment later, and no change hangs then.
        final boolean wasOpen = isOpen.getAsBoolean();
        if (!wasOpen || !lock())
        {
            throw new IllegalStateException("server '" + server + "' cannot be changed: " +
                (wasOpen && isOpen.getAsBoolean() ? "a change hangs" : "it does not run"));
        }
        boolean entered = false;
        try
        {
            entered = isOpen.getAsBoolean() && agents.enter(timeoutNs);
            if (!entered)
            {
                throw new IllegalStateException("server '" + server + "' cannot be changed: " +
                    (Thread.currentThread().isInterrupted() ? "the calling thread was interrupted" :
                    "it closes, or an invocation does not end"));
            }
            isRunning = true;
            change.run();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            Failures.keepInterrupt(ex);
            throw new IllegalStateException("server '" + server + "' could not be changed: " +
                (ex instanceof InterruptedException ? "the calling thread was interrupted" : ex.getMessage()), ex);
        }
        finally
        {
            if (entered)
            {
                agents.giveBack();
            }
            isRunning = false;
            changing.unlock();
        }
    }

    /** Run an action on an agent's thread and wait for it. Only inside of a change. */
    <T> T call(final StageAgent agent, final Callable<T> action) throws Exception
    {
        return call(agent, action, isDone ->
        {
        });
    }

    /** As above; {@code atEnd} learns whether it was carried out: on this thread, or later on the agent's. */
    <T> T call(final StageAgent agent, final Callable<T> action, final Consumer<Boolean> atEnd) throws Exception
    {
        final AgentRequest<T> request = new AgentRequest<>(action);
        try
        {
            if (agents.hasThreads())
            {
                agent.request(request);
                return answer(agent, request, false);
            }
            if (agent.isAlive())
            {
                request.run();
            }
            else
            {
                request.refuseAtEnd(agent.roleName());
            }
            return result(request);
        }
        finally
        {
            request.whenComplete((result, failure) -> atEnd.accept(failure == null));
        }
    }

    /**
     * @param isQuick whether the action calls no code of the application: once begun, it is awaited after the timeout.
     */
    private <T> T answer(
        final StageAgent agent, final AgentRequest<T> request, final boolean isQuick) throws Exception
    {
        try
        {
            return request.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final ExecutionException ex)
        {
            return result(request);
        }
        catch (final TimeoutException | InterruptedException ex)
        {
            Failures.keepInterrupt(ex);
            final boolean refused = request.refuse("withdrawn");
            // What the agent has begun is awaited: an interrupt must not leave half a change.
            final boolean isAwaited = isQuick || ex instanceof InterruptedException;
            if (!refused && (request.isDone() || isAwaited && hasAnswered(request)))
            {
                return result(request);
            }
            if (!refused)
            {
                request.whenComplete((result, failure) -> reportLate(agent, failure));
            }
            throw new IllegalStateException("agent '" + agent.roleName() + (ex instanceof TimeoutException ?
                "' did not answer in time: " : "' did not answer before the caller was interrupted: ") +
                (refused ? "nothing has changed there" : "it is still carrying out the change"), ex);
        }
    }

    private static <T> T result(final AgentRequest<T> answered) throws Exception
    {
        try
        {
            return answered.get();
        }
        catch (final ExecutionException ex)
        {
            throw ex.getCause() instanceof Exception ? (Exception)ex.getCause() : ex;
        }
    }

    /** As {@link #call}; if the agent has ended, the calling thread is the only one that uses its parts. */
    <T> T callOrDo(final StageAgent agent, final Callable<T> action) throws Exception
    {
        return callOrDo(agent, action, false);
    }

    /** As above, for an action that calls no code of the application: it is not left half done at the timeout. */
    <T> T callOrDoQuick(final StageAgent agent, final Callable<T> action) throws Exception
    {
        return callOrDo(agent, action, true);
    }

    private <T> T callOrDo(final StageAgent agent, final Callable<T> action, final boolean isQuick) throws Exception
    {
        if (!agents.hasThreads() || !agent.isAlive())
        {
            return action.call();
        }
        final AgentRequest<T> request = new AgentRequest<>(action);
        agent.request(request);
        try
        {
            return answer(agent, request, isQuick);
        }
        catch (final IllegalStateException ex)
        {
            if (!request.isRefusedAtEnd())
            {
                throw ex;
            }
            if (!hasEnded(agent))
            {
                throw new IllegalStateException("agent '" + agent.roleName() + "' does not end in time: this part of " +
                    "the change is not done");
            }
            return action.call();
        }
    }

    /** Waits for an agent that has begun to end: it may still close its parts. */
    private boolean hasEnded(final StageAgent agent)
    {
        return UninterruptedWait.join(agent.thread(), timeoutNs) || !agent.isAlive();
    }

    /** As {@link #doSurely}; throws if the step is not done yet. */
    void finish(final StageAgent agent, final Runnable step, final Runnable atEnd)
    {
        if (!doSurely(agent, step, atEnd))
        {
            throw new IllegalStateException("agent '" + agent.roleName() + "' did not answer in time: it carries out " +
                "the end of the change later");
        }
    }

    /** As below; nothing follows the step. */
    boolean doSurely(final StageAgent agent, final Runnable step)
    {
        return doSurely(agent, step, () ->
        {
        });
    }

    /**
     * A step on an agent's thread that is not withdrawn, as the last one of a change or the end of one that failed. An
     * agent that does not answer carries it out later, at the latest when it ends; if the agent has ended, the calling
     * thread does. An interrupt does not shorten the wait.
     *
     * @param atEnd called after the step: on this thread, or later on the agent's.
     * @return false if the step is not done yet.
     */
    boolean doSurely(final StageAgent agent, final Runnable step, final Runnable atEnd)
    {
        final boolean interrupted = Thread.interrupted();
        final AgentRequest<Object> request = new AgentRequest<>(Executors.callable(step), true);
        if (agents.hasThreads() && !agent.hasClosed())
        {
            agent.request(request);
            // One that was given up during its start has no time left.
            if (!agent.isEnding() || agent.state() != AgentState.STARTING)
            {
                hasAnswered(request);
            }
        }
        else
        {
            request.run();
        }
        request.whenComplete((result, failure) ->
        {
            reportLate(agent, failure);
            atEnd.run();
        });
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return request.isDone();
    }

    private void reportLate(final StageAgent agent, final Throwable failure)
    {
        if (failure != null)
        {
            failures.report("the end of a change on agent '" + agent.roleName() + "'", failure);
        }
    }

    /** An interrupt does not shorten the wait. False after the timeout. */
    private boolean hasAnswered(final AgentRequest<?> request)
    {
        return UninterruptedWait.await(timeoutNs, remainingNs ->
        {
            try
            {
                request.get(remainingNs, TimeUnit.NANOSECONDS);
            }
            catch (final ExecutionException | TimeoutException ignored)
            {
                // Either way it is known below whether it is done.
            }
            return request.isDone();
        });
    }

    /** Wait while the agents work; in INVOKER mode the calling thread runs them. Only inside of a change. */
    boolean await(final long endNs, final BooleanSupplier reached)
    {
        boolean interrupted = false;
        boolean isReached = reached.getAsBoolean();
        while (!isReached && System.nanoTime() - endNs < 0 && isOpen.getAsBoolean())
        {
            if (agents.invokeEntered() == 0)
            {
                // A set flag would end each park at once.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(Lifecycle.POLL_INTERVAL_NS);
            }
            isReached = reached.getAsBoolean();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return isReached;
    }

    /** The closing thread: no change follows. False if one hangs. */
    boolean end()
    {
        return changing.tryLock() || lock();
    }

    /** The closing thread, after {@link #end} was true. */
    void ended()
    {
        changing.unlock();
    }

    /** A flow that was removed: its handlers may be in use. */
    void removed(final RunningFlow<?> flow)
    {
        busy.removeIf(each -> each.stillRunning() == null);
        if (flow.stillRunning() != null)
        {
            busy.add(flow);
        }
    }

    /** After the close, any thread: a change that hangs, or a handler of a flow that was removed; null if none. */
    String stillRunning()
    {
        return isRunning ? "a change" :
            busy.stream().map(RunningFlow::stillRunning).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** An interrupt does not shorten the wait. */
    private boolean lock()
    {
        return UninterruptedWait.await(timeoutNs, remainingNs -> changing.tryLock(remainingNs, TimeUnit.NANOSECONDS));
    }

    /** The host polls the new stage from now on. If it does not answer, the stage does not join. */
    <E extends BasePoolAware> void join(
        final RunningFlow<E> flow, final String stage, final StageWork<E> work) throws Exception
    {
        // The host or this thread, whichever comes first.
        final AtomicBoolean decided = new AtomicBoolean();
        try
        {
            call(work.host(), () ->
            {
                if (decided.compareAndSet(false, true))
                {
                    boolean joined = false;
                    try
                    {
                        // With a host, the handlers follow the time of the events.
                        work.handlersChanged();
                        work.host().add(work);
                        joined = true;
                    }
                    finally
                    {
                        decided.set(joined);
                    }
                }
                return true;
            });
        }
        catch (final Throwable ex)
        {
            if (decided.compareAndSet(false, true))
            {
                flow.remove(stage, work);
                throw ex;
            }
        }
    }
}
