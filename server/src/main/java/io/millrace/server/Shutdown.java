package io.millrace.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Closes one server: sources, drain, agents, pipelines, services. The other parts are closed even if one throws or
 * hangs. One thread, once. An interrupt does not shorten its waits; the flag is restored at the end.
 */
final class Shutdown
{
    /**
     * Wait after the sources are closed, so that a publisher that has already read the closed flag finishes its
     * publish. A store becomes visible within nanoseconds, so a millisecond is enough, and a publish needs no fence.
     */
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Least time for a service to close: it may write data to a disk. */
    private static final long MIN_CLOSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Server.Context context;
    private final List<RunningFlow<?>> flows;
    private final AgentGroup agents;
    private final Failures failures;
    private final long drainTimeoutNs;
    private final HangPolicy hangPolicy;
    private final Thread closer = Thread.currentThread();
    /** Thread that runs close methods of the application. */
    private volatile Thread helper;
    private boolean interrupted;
    /**
     * Threads that hang in code of the application, and what they do there. Written by the closing thread; read by the
     * thread of the next start.
     */
    private final Map<Thread, String> hanging = new ConcurrentHashMap<>();
    /**
     * Whether services stay open, because an agent or a handler that was left behind may use them. Written by the
     * closing thread, the last agent or the thread of the next start; read by that one.
     */
    private volatile boolean keepsServices;
    /** A handler of a direct flow hung. Written before {@link #keepsServices}, and read after it. */
    private boolean inlineHangs;
    /** A thread could not be created. */
    private boolean runsHere;

    Shutdown(
        final Server.Context context,
        final List<RunningFlow<?>> flows,
        final AgentGroup agents,
        final Failures failures)
    {
        this.context = context;
        this.flows = flows;
        this.agents = agents;
        this.failures = failures;
        drainTimeoutNs = context.drainTimeoutNs();
        hangPolicy = context.hangPolicy();
    }

    /** Whether the caller is a part that is being closed on a thread of its own. */
    boolean isHelper()
    {
        return Thread.currentThread() == helper;
    }

    /** After the close, any thread: what of it still uses parts of the application; null for nothing. */
    String stillRunning()
    {
        return hanging.entrySet().stream().filter(each -> each.getKey().isAlive()).map(Map.Entry::getValue).findFirst()
            .orElse(keepsServices && !inlineHangs ? "services that the last agent closes" : null);
    }

    void run(final StallDetector stallDetector, final StartedServices services)
    {
        interrupted = Thread.interrupted();
        try
        {
            agents.wake();
            interrupted |= quiet();
            final TimeBudget shares = new TimeBudget(drainTimeoutNs, flows.size());
            for (final RunningFlow<?> flow : flows)
            {
                final long endNs = shares.nextDeadlineNs();
                attempt("draining flow '" + flow.name() + "'", () -> drain(flow, endNs));
            }
            if (stallDetector != null)
            {
                attempt("stopping the stall detector", stallDetector::stop);
            }
            waitUntil(System.nanoTime() + AgentGroup.MIN_END_NS, agents::takeOver);
            attempt("ending the agents", () -> agents.close(drainTimeoutNs));
            closeFlowsAndServices(services);
        }
        finally
        {
            agents.giveBack();
            if (interrupted)
            {
                closer.interrupt();
            }
        }
    }

    private void closeFlowsAndServices(final StartedServices services)
    {
        final int inline = (int)flows.stream().filter(flow -> flow.inlineHandlers() != null).count();
        final TimeBudget shares = new TimeBudget(drainTimeoutNs, inline + services.started().size());
        inlineHangs = false;
        // In the order of the flows: handlers of direct flows are closed in reverse order of their start.
        for (final RunningFlow<?> flow : flows)
        {
            final String what = "closing flow '" + flow.name() + "'";
            if (flow.inlineHandlers() == null)
            {
                attempt(what, flow.end()::close);
            }
            else
            {
                inlineHangs |= !within(what, flow.end()::close, shares.nextTimeoutNs(MIN_CLOSE_NS)) ||
                    flow.end().hangsInline();
            }
        }
        if (hangPolicy == HangPolicy.KEEP_SERVICES && (inlineHangs || agents.stillRunning() != null))
        {
            keep(services);
            return;
        }
        closeServices(services, shares);
    }

    private void closeServices(final StartedServices services, final TimeBudget shares)
    {
        // Taken first: each service is closed once, even if the close is tried again.
        for (Service service = services.takeLast(); service != null; service = services.takeLast())
        {
            within("closing service '" + service.name() + "'", service::close, shares.nextTimeoutNs(MIN_CLOSE_NS));
        }
    }

    /**
     * The thread of the next start, when no agent and no handler runs any more: closes the services that were kept for
     * a handler of a direct flow, because no thread of the server has noticed its end.
     */
    void closeKept(final StartedServices services)
    {
        if (keepsServices)
        {
            interrupted = Thread.interrupted();
            closeServices(services, new TimeBudget(drainTimeoutNs, services.started().size()));
            keepsServices = false;
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void keep(final StartedServices services)
    {
        keepsServices = !services.started().isEmpty();
        if (keepsServices)
        {
            failures.report("not closed, because agents or handlers left behind may use them: services " +
                services.started().stream().map(Service::name).collect(Collectors.joining(", ")), null);
        }
        if (!inlineHangs)
        {
            agents.whenAllHaveEnded(() ->
            {
                for (Service service = services.takeLast(); service != null; service = services.takeLast())
                {
                    attempt("closing service '" + service.name() + "'", service::close);
                }
                keepsServices = false;
            });
        }
    }

    private void attempt(final String what, final Runnable part)
    {
        try
        {
            part.run();
        }
        catch (final Throwable ex)
        {
            failures.report(what, ex);
        }
    }

    /**
     * Run code of the application on a new thread.
     *
     * @return false if it hangs: it was reported and abandoned.
     */
    private boolean within(final String what, final Runnable part, final long timeNs)
    {
        if (!agents.hasThreads())
        {
            // INVOKER mode: only the caller's thread.
            attempt(what, part);
            return true;
        }
        final Thread thread;
        try
        {
            thread = context.newThread(() -> attempt(what, part), "close");
            helper = thread;
            thread.start();
        }
        catch (final Throwable noThread)
        {
            // No memory, or the application's factory refuses, which is a mistake of it.
            if (!runsHere && !(noThread instanceof OutOfMemoryError))
            {
                runsHere = true;
                failures.report("creating a thread for " + what + ": without one, nothing has a time limit", noThread);
            }
            attempt(what, part);
            return true;
        }
        // Agents are woken meanwhile, because the code may wait for one of them.
        final boolean ended = waitUntil(System.nanoTime() + timeNs, () -> !thread.isAlive());
        if (!ended)
        {
            failures.reportHanging(what, thread);
            hanging.put(thread, what);
        }
        return ended;
    }

    private void drain(final RunningFlow<?> flow, final long endNs)
    {
        // The publication stays open until the last poll of the source ends, so that the poll loses no event.
        flow.stopPolling();
        waitUntil(endNs, () -> flow.isPollingStopped() || flow.isAnyStageDead());
        flow.closePublication();
        interrupted |= quiet();
        final Quiescence quiescence = new Quiescence(flow);
        if (waitUntil(endNs, () -> flow.isPollingStopped() && quiescence.isReached()))
        {
            drainHandlers(flow, endNs);
        }
    }

    /** Handlers publish buffered data to later flows, which still run, stage by stage. */
    private void drainHandlers(final RunningFlow<?> flow, final long endNs)
    {
        for (final HandlerLifecycle<?> handlers : flow.handlers())
        {
            handlers.requestDrain();
            if (handlers == flow.inlineHandlers())
            {
                // The publisher's thread called them before.
                flows.forEach(RunningFlow::clearPublishingThread);
                within("draining flow '" + flow.name() + "'", handlers::drainIfRequested,
                    Math.max(AgentGroup.MIN_END_NS, endNs - System.nanoTime()));
            }
            else
            {
                waitUntil(endNs, handlers::isDrained);
            }
        }
    }

    private boolean waitUntil(final long endNs, final BooleanSupplier reached)
    {
        boolean isReached = reached.getAsBoolean();
        while (!isReached && System.nanoTime() - endNs < 0)
        {
            agents.interruptSleepers();
            if (agents.invokeClosing() == 0)
            {
                pause(Lifecycle.POLL_INTERVAL_NS);
            }
            isReached = reached.getAsBoolean();
        }
        return isReached;
    }

    /**
     * Wait for {@link #QUIET_NS}, whatever happens: a park returns at once if the thread is interrupted, or was
     * unparked by a wait before.
     *
     * @return whether the thread was interrupted; its flag is cleared.
     */
    static boolean quiet()
    {
        final long endNs = System.nanoTime() + QUIET_NS;
        boolean interrupted = false;
        for (long leftNs = QUIET_NS; leftNs > 0; leftNs = endNs - System.nanoTime())
        {
            LockSupport.parkNanos(leftNs);
            interrupted |= Thread.interrupted();
        }
        return interrupted;
    }

    private void pause(final long timeNs)
    {
        LockSupport.parkNanos(timeNs);
        // A set flag would turn every later wait into a spin.
        interrupted |= Thread.interrupted();
    }
}
