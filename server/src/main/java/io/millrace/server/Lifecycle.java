package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.PoolCheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Starts the parts of one server in order; {@link Shutdown} ends them.
 */
final class Lifecycle
{
    /** Interval between two checks of a condition in a wait. */
    static final long POLL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Wait before a close that ran out of memory is tried again: memory may become free meanwhile. */
    private static final long OUT_OF_MEMORY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Server.Context context;
    private final Failures failures;
    private final Counters counters = new Counters();
    private final ObjectPoolsRegistry pools = new ObjectPoolsRegistry();
    private final List<RunningFlow<?>> flows;
    private final AgentGroup agents;
    private final List<Service> startedServices = new ArrayList<>();
    /** Whether a close has begun, 0 or 1. No AtomicBoolean: its first use allocates. */
    private final AtomicInteger closing = new AtomicInteger();
    /** Whether a failure or a handler asked for a close, 0 or 1. */
    private final AtomicInteger stopping = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    /**
     * Thread that closes the server when a failure or a handler requests it. It starts at the launch, so that a server
     * without memory for a new thread can still stop. It is not a daemon, because the JVM must not end while it closes
     * services. Null in INVOKER mode.
     */
    private final Thread stopThread;
    private volatile Shutdown shutdown;
    private volatile StallDetector stallDetector;

    private Lifecycle(final Server.Context context)
    {
        this.context = context;
        failures = context.failures();
        final Assembly assembly = new Assembly(context, failures, counters, pools);
        flows = assembly.flows();
        final boolean threads = context.threadingMode() != ThreadingMode.INVOKER;
        agents = new AgentGroup(context.name(), assembly.agents(),
            threads ? agent -> context.idleOf(context.placement().spec(agent.roleName())) : null, failures);
        stopThread = threads ? new Thread(this::closeWhenStopped, context.name() + "-stop") : null;
        agents.onOtherInvoker(() -> flows.forEach(RunningFlow::clearPublishingThread));
        flows.forEach(flow -> flow.startIsFutile(agents::isWaitFutile));
        counters.add("server.errors", "failures reported to the error handler", failures::errors);
        counters.add("server.deadLetters", "events skipped after their handler threw", failures::deadLetters);
        counters.add("server.stalls", "times that a duty cycle took longer than the stall time",
            () -> stallDetector == null ? 0 : stallDetector.stalls());
    }

    static Lifecycle start(final Server.Context context)
    {
        context.launched();
        final List<InVmSource<?>> taken = takeSources(context);
        boolean started = false;
        try
        {
            final Lifecycle lifecycle = new Lifecycle(context);
            lifecycle.startOrClose();
            started = true;
            return lifecycle;
        }
        finally
        {
            if (!started)
            {
                taken.forEach(InVmSource::giveBack);
            }
        }
    }

    private static List<InVmSource<?>> takeSources(final Server.Context context)
    {
        final List<InVmSource<?>> taken = new ArrayList<>();
        for (final Flow<?> flow : context.flows())
        {
            final InVmSource<?> source = flow.inVmSource();
            if (source != null && !source.take())
            {
                taken.forEach(InVmSource::giveBack);
                throw FlowCheck.sourceIsTaken(flow);
            }
            if (source != null)
            {
                taken.add(source);
            }
        }
        return taken;
    }

    private void startOrClose()
    {
        try
        {
            if (stopThread != null)
            {
                stopThread.start();
            }
            startServices();
            // Attach sources before any handler starts, because a handler may publish to sources of other flows.
            flows.forEach(RunningFlow::attachSource);
            // Start with the last flow: a direct flow has no queue for events that an earlier flow publishes at its
            // start.
            for (int i = flows.size() - 1; i >= 0; i--)
            {
                flows.get(i).startInlineHandlers();
            }
            // Handlers may have published in onStart, on another thread than the one that publishes from now on.
            flows.forEach(RunningFlow::clearPublishingThread);
            agents.start();
            startStallDetector();
            flows.forEach(RunningFlow::startPolling);
        }
        catch (final Throwable ex)
        {
            close();
            if (ex instanceof InterruptedException)
            {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("server '" + context.name() + "' could not start: " + reason(ex), ex);
        }
        // Not earlier: a stop during the start would miss the agents that start later.
        failures.onStop(this::requestClose);
        failures.stopIfFatal();
    }

    private static String reason(final Throwable cause)
    {
        return cause instanceof InterruptedException ? "the launching thread was interrupted" :
            cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void startServices() throws Exception
    {
        final ServiceContext offered = new ServiceContext(context.name(), pools, counters);
        for (final Service service : context.services())
        {
            service.onStart(offered);
            startedServices.add(service);
        }
    }

    private void startStallDetector()
    {
        if (context.stallTimeoutNs() > 0 && agents.hasThreads() && !agents.agents().isEmpty())
        {
            final StallListener listener =
                context.stallListener() != null ? context.stallListener() : this::reportStall;
            final StallDetector detector =
                new StallDetector(context.name(), agents.agents(), context.stallTimeoutNs(), listener, failures);
            detector.start();
            stallDetector = detector;
        }
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
        if (agents.hasThreads())
        {
            throw new IllegalStateException(
                "invoke() is for INVOKER mode; this server runs in " + context.threadingMode());
        }
        final int work = agents.invoke();
        if (stopping.get() != 0)
        {
            close();
        }
        return work;
    }

    private void requestClose()
    {
        // INVOKER mode has no stop thread: the current or the next invoke() closes the server.
        if (stopping.compareAndSet(0, 1) && stopThread != null)
        {
            LockSupport.unpark(stopThread);
        }
    }

    private void closeWhenStopped()
    {
        while (stopping.get() == 0 && closing.get() == 0)
        {
            LockSupport.park(this);
            // A set flag would turn the wait into a spin.
            Thread.interrupted();
        }
        closeOnce();
    }

    void close()
    {
        final Shutdown running = shutdown;
        if (running != null && running.isOwnThread())
        {
            // The close waits for the caller, so the caller must not wait for the close.
            return;
        }
        if (agents.isOwnThread() || flows.stream().anyMatch(RunningFlow::isInsideInlineHandler))
        {
            requestClose();
        }
        else if (!closeOnce())
        {
            awaitClosedQuietly();
        }
    }

    private boolean closeOnce()
    {
        if (!closing.compareAndSet(0, 1))
        {
            return false;
        }
        try
        {
            while (!hasShutDown())
            {
                LockSupport.parkNanos(OUT_OF_MEMORY_NS);
            }
            reportInFlight();
        }
        finally
        {
            endStopThread();
            closed.countDown();
        }
        return true;
    }

    /** False if memory ran out: closed parts stay closed, and the other parts are tried again. */
    private boolean hasShutDown()
    {
        try
        {
            shutdown = new Shutdown(context, flows, agents, failures);
            shutdown.run(stallDetector, startedServices);
            return true;
        }
        catch (final OutOfMemoryError ex)
        {
            return false;
        }
    }

    private void endStopThread()
    {
        if (stopThread != null && stopThread != Thread.currentThread())
        {
            LockSupport.unpark(stopThread);
            AgentGroup.hasEnded(stopThread, AgentGroup.MIN_END_NS);
        }
    }

    private void reportInFlight()
    {
        final String inFlight = PoolCheck.ENABLED ? pools.describeInFlight() : "";
        if (!inFlight.isEmpty())
        {
            failures.report("events were not released: " + inFlight, null);
        }
    }

    /** An interrupt does not shorten the wait: callers of close() rely on it. */
    private void awaitClosedQuietly()
    {
        boolean interrupted = false;
        while (closed.getCount() != 0)
        {
            try
            {
                closed.await();
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
    }

    boolean awaitClosed(final long timeoutNs) throws InterruptedException
    {
        return closed.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    boolean awaitExhausted(final long timeoutNs) throws InterruptedException
    {
        if (!agents.hasThreads() || agents.isOwnThread() || flows.stream().anyMatch(RunningFlow::isInsideInlineHandler))
        {
            throw new IllegalStateException("awaitExhausted() waits for the handlers: it cannot be called on the " +
                "thread of an agent, inside of a direct flow's handler, or in INVOKER mode, where invoke() returns 0 " +
                "when there is no work");
        }
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final List<Quiescence> watches = flows.stream().map(Quiescence::new).collect(Collectors.toList());
        while (System.nanoTime() - deadlineNs < 0 && failures.fatal() == null)
        {
            if (areExhausted(watches))
            {
                return flows.stream().noneMatch(RunningFlow::isAnyStageDead);
            }
            // A close stops the sources: a source that is not exhausted by then never will be. Events in flight are
            // handled.
            if (closed.getCount() == 0 || closing.get() != 0 && !flows.stream().allMatch(RunningFlow::isExhausted))
            {
                return false;
            }
            if (Thread.interrupted())
            {
                throw new InterruptedException("interrupted while waiting for the sources");
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
        return false;
    }

    private boolean areExhausted(final List<Quiescence> watches)
    {
        for (int i = 0; i < watches.size(); i++)
        {
            if (!flows.get(i).isExhausted() || !watches.get(i).isReached())
            {
                return false;
            }
        }
        return true;
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
        agents.agents().forEach(agent -> placements.put(agent.roleName(), agent.placement()));
        return placements;
    }

    List<String> stalledAgents()
    {
        final StallDetector detector = stallDetector;
        return detector == null ? List.of() : detector.stalled();
    }
}
