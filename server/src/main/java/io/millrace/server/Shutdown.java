package io.millrace.server;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Ends one server: sources, drain, agents, pipelines, services. Nothing that one part throws keeps the others from
 * being closed, and nothing that one part hangs in. One thread, once; an interrupt does not shorten its waits, the flag
 * is put back at the end.
 */
final class Shutdown
{
    /**
     * After the sources are closed: a publisher that was past its look at the closed flag finishes its publish. A
     * store takes nanoseconds to become visible; a millisecond is ample, and no fence is paid for it in every publish.
     */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Least time for a service to close: it may write what it has to a disk. */
    private static final long MIN_CLOSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final String server;
    private final List<RunningFlow<?>> flows;
    private final AgentGroup crew;
    private final Failures failures;
    private final long drainTimeoutNs;
    private final HangPolicy hangPolicy;
    private final Thread closer = Thread.currentThread();
    /** Closes something of the application's. */
    private volatile Thread helper;
    private boolean interrupted;
    private boolean inlineHangs;

    Shutdown(
        final Server.Context context, final List<RunningFlow<?>> flows, final AgentGroup crew, final Failures failures)
    {
        server = context.name();
        this.flows = flows;
        this.crew = crew;
        this.failures = failures;
        drainTimeoutNs = context.drainTimeoutNs();
        hangPolicy = context.hangPolicy();
    }

    /** Whether the caller is inside of something that is being closed: it cannot wait for the end of the close. */
    boolean isOwnThread()
    {
        final Thread current = Thread.currentThread();
        return current == closer || current == helper;
    }

    void run(final StallDetector stallDetector, final List<Service> startedServices)
    {
        interrupted = Thread.interrupted();
        try
        {
            crew.wake();
            pause(QUIET_NS);
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
            waitUntil(System.nanoTime() + AgentGroup.MIN_END_NS, crew::takeOver);
            attempt("ending the agents", () -> crew.close(drainTimeoutNs));
            closeFlowsAndServices(startedServices);
        }
        finally
        {
            crew.giveBack();
            if (interrupted)
            {
                closer.interrupt();
            }
        }
    }

    private void closeFlowsAndServices(final List<Service> services)
    {
        final int inline = (int)flows.stream().filter(flow -> flow.inlineHandlers() != null).count();
        final TimeBudget shares = new TimeBudget(drainTimeoutNs, inline + services.size());
        // In the order of the flows: those handlers of direct flows that were started last are closed first.
        for (final RunningFlow<?> flow : flows)
        {
            final String what = "closing flow '" + flow.name() + "'";
            if (flow.inlineHandlers() == null)
            {
                attempt(what, flow::close);
            }
            else
            {
                inlineHangs |= !within(what, flow::close, shares.nextTimeoutNs(MIN_CLOSE_NS)) || flow.hangsInline();
            }
        }
        if (hangPolicy == HangPolicy.KEEP_SERVICES && (inlineHangs || crew.isAnyAlive()))
        {
            keep(services);
            return;
        }
        while (!services.isEmpty())
        {
            // Taken away first: each is closed once, also when the close has to be tried again.
            final Service service = services.remove(services.size() - 1);
            within("closing service '" + service.name() + "'", service::close, shares.nextTimeoutNs(MIN_CLOSE_NS));
        }
    }

    private void keep(final List<Service> services)
    {
        if (!services.isEmpty())
        {
            failures.report("not closed, because what was left behind may use them: services " +
                services.stream().map(Service::name).collect(Collectors.joining(", ")), null);
        }
        if (!inlineHangs)
        {
            crew.whenAllHaveEnded(() ->
            {
                for (int i = services.size() - 1; i >= 0; i--)
                {
                    attempt("closing service '" + services.get(i).name() + "'", services.get(i)::close);
                }
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
     * Code of the application that is not an agent's, on a thread of its own.
     *
     * @return false when it hangs: it was reported and left behind.
     */
    private boolean within(final String what, final Runnable part, final long timeNs)
    {
        if (!crew.hasThreads())
        {
            // INVOKER mode: the caller's thread and no other.
            attempt(what, part);
            return true;
        }
        final Thread thread;
        try
        {
            thread = new Thread(() -> attempt(what, part), server + "-close");
            helper = thread;
            thread.start();
        }
        catch (final OutOfMemoryError noThread)
        {
            // No thread to be had: here, without a limit, is better than not at all.
            attempt(what, part);
            return true;
        }
        // Agents are woken meanwhile: what runs there may wait for one of them.
        final boolean ended = waitUntil(System.nanoTime() + timeNs, () -> !thread.isAlive());
        if (!ended)
        {
            failures.reportHanging(what, thread);
        }
        return ended;
    }

    private void drain(final RunningFlow<?> flow, final long endNs)
    {
        // A polled source ends its last poll with an open publication, so that it loses nothing of it.
        flow.stopPolling();
        waitUntil(endNs, () -> flow.isPollingStopped() || flow.isAnyStageDead());
        flow.closePublication();
        pause(QUIET_NS);
        final Quiescence quiescence = new Quiescence(flow);
        if (waitUntil(endNs, () -> flow.isPollingStopped() && quiescence.isReached()))
        {
            drainHandlers(flow, endNs);
        }
    }

    /** Handlers publish what they have collected to the flows that follow, which still run: stage by stage. */
    private void drainHandlers(final RunningFlow<?> flow, final long endNs)
    {
        for (final HandlerLifecycle handlers : flow.handlers())
        {
            handlers.requestDrain();
            if (handlers == flow.inlineHandlers())
            {
                // The thread that published to it called them before.
                flows.forEach(RunningFlow::disown);
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
            crew.interruptSleepers();
            if (crew.invokeClosing() == 0)
            {
                pause(Lifecycle.POLL_INTERVAL_NS);
            }
            isReached = reached.getAsBoolean();
        }
        return isReached;
    }

    private void pause(final long timeNs)
    {
        LockSupport.parkNanos(timeNs);
        // A set flag would turn every later wait into a spin.
        interrupted |= Thread.interrupted();
    }
}
