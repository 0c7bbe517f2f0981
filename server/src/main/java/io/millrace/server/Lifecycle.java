package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.PoolCheck;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts and stops the parts of one server in order.
 */
final class Lifecycle
{
    /** Between two looks at what is still under way. */
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    /**
     * After the sources are closed: a publisher that was past its look at the closed flag finishes its publish. A
     * store takes
     * nanoseconds to become visible; a millisecond is ample, and no fence is paid for it in every publish.
     */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Server.Context context;
    private final Failures failures;
    private final Counters counters = new Counters();
    private final ObjectPoolsRegistry pools = new ObjectPoolsRegistry();
    private final List<RunningFlow<?>> flows;
    private final List<StageAgent> agents;
    private final List<AgentRunner> runners = new ArrayList<>();
    private final List<AgentInvoker> invokers = new ArrayList<>();
    private final List<Service> startedServices = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private StallDetector stallDetector;

    private Lifecycle(final Server.Context context)
    {
        this.context = context;
        failures = context.failures();
        final Assembly assembly = new Assembly(context, failures, counters, pools);
        flows = assembly.flows();
        agents = assembly.agents();
        counters.add("server.errors", "everything that was told to the error handler", failures::errors);
        counters.add("server.deadLetters", "events skipped after their handler threw", failures::deadLetters);
        counters.add("server.stalls", "times that a duty cycle took longer than the stall time",
            () -> stallDetector == null ? 0 : stallDetector.stalls());
    }

    static Lifecycle start(final Server.Context context)
    {
        context.launched();
        final Lifecycle lifecycle = new Lifecycle(context);
        try
        {
            lifecycle.startServices();
            lifecycle.flows.forEach(RunningFlow::start);
            lifecycle.startAgents();
        }
        catch (final Exception ex)
        {
            lifecycle.close();
            throw new IllegalStateException("server '" + context.name() + "' could not start: " + ex.getMessage(), ex);
        }
        return lifecycle;
    }

    private void startServices() throws Exception
    {
        final ServiceContext offered = new ServiceContext(context.name(), pools, counters);
        for (final Service service : context.services())
        {
            startedServices.add(service);
            service.onStart(offered);
        }
    }

    private void startAgents() throws Exception
    {
        failures.onStop(this::closeFromElsewhere);
        for (final StageAgent agent : agents)
        {
            if (context.threadingMode() == ThreadingMode.INVOKER)
            {
                final AgentInvoker invoker =
                    new AgentInvoker(ex -> failures.onAgentError(agent.roleName(), ex), null, agent);
                invokers.add(invoker);
                invoker.start();
            }
            else
            {
                final AgentRunner runner = new AgentRunner(context.idleOf(specOf(agent)),
                    ex -> failures.onAgentError(agent.roleName(), ex), null, agent);
                runners.add(runner);
                AgentRunner.startOnThread(runner, task -> new Thread(task, context.name() + "-" + agent.roleName()));
            }
            final Throwable startFailure = agent.awaitStart();
            if (startFailure != null)
            {
                throw new IllegalStateException("agent '" + agent.roleName() + "': " + startFailure, startFailure);
            }
        }
        if (context.stallTimeoutNs() > 0 && !runners.isEmpty())
        {
            final StallListener listener =
                context.stallListener() != null ? context.stallListener() : this::reportStall;
            stallDetector = new StallDetector(context.name(), agents, context.stallTimeoutNs(), listener, failures);
            stallDetector.start();
        }
    }

    private AgentSpec specOf(final StageAgent agent)
    {
        return context.placement().agents().stream()
            .filter(spec -> spec.name().equals(agent.roleName())).findFirst().orElseThrow();
    }

    private void reportStall(final String agent, final long stalledNs, final StackTraceElement[] stack)
    {
        final Exception where = new Exception("stack of agent '" + agent + "'");
        where.setStackTrace(stack);
        failures.report("agent '" + agent + "' has been in one duty cycle for " +
            TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms", where);
    }

    int invoke()
    {
        if (context.threadingMode() != ThreadingMode.INVOKER)
        {
            throw new IllegalStateException(
                "invoke() is for INVOKER mode; this server runs in " + context.threadingMode());
        }
        final int work = invokeAll();
        if (failures.fatal() != null)
        {
            close();
        }
        return work;
    }

    private int invokeAll()
    {
        int work = 0;
        for (int i = 0; i < invokers.size(); i++)
        {
            work += invokers.get(i).invoke();
        }
        return work;
    }

    private void closeFromElsewhere()
    {
        if (context.threadingMode() != ThreadingMode.INVOKER && !closing.get())
        {
            new Thread(this::close, context.name() + "-stop").start();
        }
    }

    void close()
    {
        for (final StageAgent agent : agents)
        {
            if (!runners.isEmpty() && agent.isCurrentThread() && !agent.isEnded())
            {
                closeFromElsewhere();
                return;
            }
        }
        if (closing.compareAndSet(false, true))
        {
            try
            {
                closeInOrder();
            }
            finally
            {
                closed.countDown();
            }
        }
        else
        {
            awaitClosedQuietly();
        }
    }

    private void awaitClosedQuietly()
    {
        try
        {
            closed.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void closeInOrder()
    {
        // An interrupted closer still waits its times: the flag is put back at the end.
        final boolean interrupted = Thread.interrupted();
        try
        {
            closeUninterrupted();
        }
        finally
        {
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeUninterrupted()
    {
        final long deadlineNs = System.nanoTime() + context.drainTimeoutNs();
        if (!runners.isEmpty() || !invokers.isEmpty())
        {
            flows.forEach(flow -> drain(flow, deadlineNs));
        }
        if (stallDetector != null)
        {
            stallDetector.stop();
        }
        closeAgents();
        flows.forEach(flow -> flow.close(failures));
        final String lent = pools.describeLent();
        if (PoolCheck.ENABLED && !lent.isEmpty())
        {
            failures.report("events were not given back: " + lent, null);
        }
        for (int i = startedServices.size() - 1; i >= 0; i--)
        {
            final Service service = startedServices.get(i);
            try
            {
                service.close();
            }
            catch (final RuntimeException ex)
            {
                failures.report("closing service '" + service.name() + "'", ex);
            }
        }
    }

    private void drain(final RunningFlow<?> flow, final long deadlineNs)
    {
        flow.stopSource();
        LockSupport.parkNanos(QUIET_NS);
        while (flow.canDrain() && !(flow.isSourceStopped() && flow.isDrained()) && System.nanoTime() - deadlineNs < 0)
        {
            if (invokers.isEmpty())
            {
                LockSupport.parkNanos(LOOK_NS);
            }
            else
            {
                invokeAll();
            }
        }
    }

    private void closeAgents()
    {
        invokers.forEach(AgentInvoker::close);
        for (final AgentRunner runner : runners)
        {
            final String name = runner.agent().roleName();
            try
            {
                final long waitMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(context.drainTimeoutNs()));
                runner.close((int)Math.min(Integer.MAX_VALUE, waitMs), thread ->
                {
                    throw new IllegalStateException(
                        "thread " + thread.getName() + " did not end within " + waitMs + " ms");
                });
            }
            catch (final IllegalStateException ex)
            {
                failures.report("agent '" + name + "' hangs and is left behind", ex);
            }
        }
    }

    boolean awaitClosed(final long timeoutNs) throws InterruptedException
    {
        return closed.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    boolean awaitExhausted(final long timeoutNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (System.nanoTime() - deadlineNs < 0 && failures.fatal() == null)
        {
            if (flows.stream().allMatch(RunningFlow::isExhausted))
            {
                return true;
            }
            if (Thread.interrupted())
            {
                throw new InterruptedException("interrupted while waiting for the sources");
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return false;
    }

    Failures failures()
    {
        return failures;
    }

    Counters counters()
    {
        return counters;
    }

    ObjectPoolsRegistry pools()
    {
        return pools;
    }

    Map<String, String> placements()
    {
        final Map<String, String> placements = new LinkedHashMap<>();
        agents.forEach(agent -> placements.put(agent.roleName(), agent.placement()));
        return placements;
    }

    List<String> stalledAgents()
    {
        final List<String> stalled = new ArrayList<>();
        for (int i = 0; stallDetector != null && i < agents.size(); i++)
        {
            if (stallDetector.isStalled(i))
            {
                stalled.add(agents.get(i).roleName());
            }
        }
        return stalled;
    }
}
