package io.millrace.server;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Ends one server: sources, drain, agents, pipelines, services. Nothing that one part throws keeps the others from
 * being closed. One thread, once; an interrupt does not shorten its waits, the flag is put back at the end.
 */
final class Shutdown
{
    /**
     * After the sources are closed: a publisher that was past its look at the closed flag finishes its publish. A
     * store takes nanoseconds to become visible; a millisecond is ample, and no fence is paid for it in every publish.
     */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<RunningFlow<?>> flows;
    private final AgentCrew crew;
    private final Failures failures;
    private final long drainTimeoutNs;
    private final long deadlineNs;
    private boolean interrupted;

    Shutdown(
        final Server.Context context, final List<RunningFlow<?>> flows, final AgentCrew crew, final Failures failures)
    {
        this.flows = flows;
        this.crew = crew;
        this.failures = failures;
        drainTimeoutNs = context.drainTimeoutNs();
        deadlineNs = System.nanoTime() + drainTimeoutNs;
    }

    void run(final StallDetector stallDetector, final List<Service> startedServices)
    {
        interrupted = Thread.interrupted();
        try
        {
            for (final RunningFlow<?> flow : flows)
            {
                attempt("draining flow '" + flow.name() + "'", () -> drain(flow));
            }
            if (stallDetector != null)
            {
                attempt("stopping the stall detector", stallDetector::stop);
            }
            attempt("ending the agents", () -> crew.close(drainTimeoutNs));
            // In the order of the flows: those handlers of direct flows that were started last are closed first.
            for (final RunningFlow<?> flow : flows)
            {
                attempt("closing flow '" + flow.name() + "'", flow::close);
            }
            for (int i = startedServices.size() - 1; i >= 0; i--)
            {
                final Service service = startedServices.get(i);
                attempt("closing service '" + service.name() + "'", service::close);
            }
        }
        finally
        {
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
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
        interrupted |= Thread.interrupted();
    }

    private void drain(final RunningFlow<?> flow)
    {
        // A polled source ends its last poll with an open publication, so that it loses nothing of it.
        flow.stopPolling();
        waitUntil(() -> flow.isPollingStopped() || flow.isAnyStageDead());
        flow.closePublication();
        pause(QUIET_NS);
        final Stillness stillness = new Stillness(flow);
        waitUntil(() -> flow.isPollingStopped() && stillness.isReached());
    }

    private void waitUntil(final BooleanSupplier reached)
    {
        while (!reached.getAsBoolean() && System.nanoTime() - deadlineNs < 0)
        {
            if (crew.hasThreads() || crew.invoke() == 0)
            {
                pause(Lifecycle.LOOK_NS);
            }
        }
    }

    private void pause(final long timeNs)
    {
        LockSupport.parkNanos(timeNs);
        // A set flag would turn every later wait into a spin.
        interrupted |= Thread.interrupted();
    }
}
