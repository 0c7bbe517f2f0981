package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.PoolCheck;
import io.millrace.server.agent.UninterruptedWait;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

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
    private final States states;
    private final Counters counters;
    private final ObjectPoolsRegistry pools = new ObjectPoolsRegistry();
    private final List<RunningFlow<?>> flows;
    private final AgentGroup agents;
    private final Control control;
    private final StartedServices services;
    private final Changes changes;
    /** Whether a close has begun, 0 or 1. No AtomicBoolean: its first use allocates. */
    private final AtomicInteger closing = new AtomicInteger();
    /** Whether a failure or a handler asked for a close, 0 or 1. */
    private final AtomicInteger stopping = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Written by the thread that closes, read by those that wait for it. */
    private volatile Thread closer;
    /**
     * Thread that closes the server when a failure or a handler requests it. It starts at the launch, so that a server
     * without memory for a new thread can still stop. It is not a daemon, because the JVM must not end while it closes
     * services. Null in INVOKER mode.
     */
    private final Thread stopThread;
    private volatile boolean open;
    private volatile boolean stopWhenOpen;
    private volatile boolean notStarted;
    private volatile Shutdown shutdown;
    private volatile StallDetector stallDetector;

    /**
     * Builds the server and starts nothing.
     *
     * @param counters of the server, also of its later starts.
     */
    Lifecycle(final Server.Context context, final Counters counters, final States states, final Server server)
    {
        this.context = context;
        this.states = states;
        this.counters = counters;
        failures = context.failures();
        services = new StartedServices(failures);
        final ServiceContext offered =
            new ServiceContext(server, context.name(), pools, counters, context.settings(), services::byName,
                failures);
        services.offer(offered);
        final Assembly assembly = new Assembly(context, failures, counters, pools, offered);
        flows = assembly.flows();
        final boolean threads = context.threadingMode() != ThreadingMode.INVOKER;
        agents = new AgentGroup(context, assembly.agents(),
            threads ? agent -> context.idleOf(agent.spec()) : null, failures);
        stopThread = threads ? context.newThread(this::closeWhenStopped, "stop") : null;
        changes = new Changes(context, agents, this::isOpen, failures);
        control = new Control(context, assembly, agents, services, changes);
        agents.onOtherInvoker(() -> flows.forEach(RunningFlow::clearPublishingThread));
        flows.forEach(flow -> flow.startIsFutile(agents::isWaitFutile));
        counters.add("server.errors", "failures reported to the error handler", failures::errors);
        counters.add("server.deadLetters", "events skipped after their handler threw", failures::deadLetters);
        if (context.deadLetterHandler() instanceof DeadLetterSink)
        {
            counters.add("server.deadLettersLost", "dead letters for which their flow had no capacity",
                ((DeadLetterSink<?>)context.deadLetterHandler())::lost);
        }
        counters.add("server.stalls", "times that a duty cycle took longer than the stall time",
            () -> stallDetector == null ? 0 : stallDetector.stalls());
    }

    void start()
    {
        final List<InVmSource<?>> taken = takeSources(context);
        try
        {
            startOrClose();
        }
        catch (final Throwable ex)
        {
            taken.forEach(InVmSource::giveBack);
            throw ex;
        }
    }

    private static List<InVmSource<?>> takeSources(final Server.Context context)
    {
        final List<InVmSource<?>> taken = new ArrayList<>();
        for (final Flow<?> flow : context.flows())
        {
            final InVmSource<?> source = flow.inVmSource();
            if (source != null && !source.take(context))
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
        states.to(ServerState.STARTING, failures);
        agents.startedHere();
        // What starts, for the message; agents say it themselves.
        String part = "";
        try
        {
            if (stopThread != null)
            {
                stopThread.start();
            }
            for (final Service service : context.services())
            {
                part = "service '" + service.name() + "': ";
                services.startAll(List.of(service));
                part = "";
            }
            // Attach sources before any handler starts, because a handler may publish to sources of other flows.
            flows.forEach(RunningFlow::attachSource);
            // Start with the last flow: a direct flow has no queue for events that an earlier flow publishes at its
            // start.
            for (int i = flows.size() - 1; i >= 0; i--)
            {
                part = "flow '" + flows.get(i).name() + "': ";
                flows.get(i).startInlineHandlers();
            }
            part = "";
            // Handlers may have published in onStart, on another thread than the one that publishes from now on.
            flows.forEach(RunningFlow::clearPublishingThread);
            agents.start();
            startStallDetector();
            flows.forEach(RunningFlow::startPolling);
        }
        catch (final Throwable ex)
        {
            notStarted = true;
            close();
            if (ex instanceof InterruptedException)
            {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("server '" + context.name() + "' could not start: " +
                (ex instanceof InterruptedException ? "the launching thread was interrupted" :
                part + Failures.message(ex)), ex);
        }
        // Before the server is RUNNING: a StateListener may then read the counters.
        counters.removeOld();
        states.to(ServerState.RUNNING, failures);
        open = true;
        // Not earlier: a stop during the start would miss the agents that start later.
        failures.onStop(this::requestClose);
        failures.stopIfFatal();
        if (stopWhenOpen)
        {
            requestClose();
        }
    }

    /** A close during the start, by a part that starts: when all parts have started. */
    void closeWhenOpen()
    {
        stopWhenOpen = true;
        if (open)
        {
            requestClose();
        }
    }

    Control control()
    {
        return control;
    }

    /** Whether the server has started and does not close. */
    boolean isOpen()
    {
        return open && closing.get() == 0 && stopping.get() == 0;
    }

    private void startStallDetector()
    {
        // Also without an agent: a change may add one.
        if (context.stallTimeoutNs() > 0 && agents.hasThreads())
        {
            final StallListener listener =
                context.stallListener() != null ? context.stallListener() : failures.stallReport();
            final StallDetector detector =
                new StallDetector(context, agents.agents(), context.stallTimeoutNs(), listener, failures);
            detector.start();
            stallDetector = detector;
        }
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
        if (closer == Thread.currentThread() || running != null && running.isHelper())
        {
            // The close waits for the caller, so the caller must not wait for the close.
            return;
        }
        // A close inside of a change would let the change go on in a closed server.
        if (agents.isOwnThread() || changes.isOwnThread() ||
            flows.stream().anyMatch(RunningFlow::isInsideInlineHandler))
        {
            requestClose();
        }
        else if (!closeOnce())
        {
            // An interrupt does not shorten the wait: callers of close() rely on it.
            UninterruptedWait.await(Long.MAX_VALUE, remainingNs ->
                closed.await(ExitingThread.CHECK_NS, TimeUnit.NANOSECONDS) || ExitingThread.is(closer));
        }
    }

    private boolean closeOnce()
    {
        if (!closing.compareAndSet(0, 1))
        {
            return false;
        }
        closer = Thread.currentThread();
        states.to(ServerState.STOPPING, failures);
        try
        {
            // A change that is in progress ends first; if it hangs, the server closes nevertheless.
            final boolean alone = changes.end();
            while (!hasShutDown())
            {
                LockSupport.parkNanos(OUT_OF_MEMORY_NS);
            }
            reportInFlight();
            leaveAddedFlows();
            if (alone)
            {
                changes.ended();
            }
        }
        finally
        {
            endStopThread();
            states.to(notStarted || failures.fatal() != null ? ServerState.FAILED : ServerState.STOPPED, failures);
            closed.countDown();
        }
        return true;
    }

    /** Changes are not kept: a source of a flow that was added belongs to nobody, and can be added again. */
    private void leaveAddedFlows()
    {
        flows.stream().map(RunningFlow::source).filter(Objects::nonNull)
            .filter(source -> context.flows().stream().noneMatch(flow -> flow.inVmSource() == source))
            .forEach(InVmSource::leaveFlow);
    }

    /** False if memory ran out: closed parts stay closed, and the other parts are tried again. */
    private boolean hasShutDown()
    {
        try
        {
            // The same at each try: it knows what hangs.
            if (shutdown == null)
            {
                shutdown = new Shutdown(context, flows, agents, failures);
            }
            shutdown.run(stallDetector, services);
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
            UninterruptedWait.join(stopThread, AgentGroup.MIN_END_NS);
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
        final ExhaustionWatch watch = new ExhaustionWatch(flows);
        while (System.nanoTime() - deadlineNs < 0 && failures.fatal() == null)
        {
            if (watch.isReached())
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

    /** After the close, any thread: what of this start still uses parts of the application; null for nothing. */
    String stillRunning()
    {
        final String agent = agents.stillRunning();
        String part = agent == null ? changes.stillRunning() : agent;
        for (final RunningFlow<?> flow : flows)
        {
            part = part == null ? flow.stillRunning() : part;
        }
        return part == null && shutdown != null ? shutdown.stillRunning() : part;
    }

    /** The next start, when nothing of this one runs. */
    void closeKeptServices()
    {
        if (shutdown != null)
        {
            shutdown.closeKept(services);
        }
    }

    /** Of a server that never started: ends the waits for its close. */
    void discard()
    {
        closed.countDown();
    }

    boolean isOwnThread()
    {
        return agents.isOwnThread();
    }

    boolean isExiting()
    {
        return agents.isExiting();
    }

    Health health(final ServerState state)
    {
        final List<String> down = new ArrayList<>();
        final List<String> degraded = new ArrayList<>();
        if (state != ServerState.RUNNING)
        {
            final Throwable fatal = failures.fatal();
            down.add("the server is " + state + (fatal == null ? "" : ": " + fatal.getMessage()));
        }
        agents.agents().forEach(agent -> agent.addProblems(down, degraded));
        flows.stream().flatMap(flow -> flow.feeds().stream()).map(FeedSubscription::problem).filter(Objects::nonNull)
            .forEach(degraded::add);
        services.addProblems(degraded);
        return new Health(down, degraded);
    }

    Map<String, AgentState> agentStates()
    {
        final Map<String, AgentState> agentStates = new LinkedHashMap<>();
        agents.agents().forEach(agent -> agentStates.put(agent.roleName(), agent.state()));
        return agentStates;
    }

    Failures failures()
    {
        return failures;
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
        return detector == null || closed.getCount() == 0 ? List.of() : detector.stalled();
    }
}
