package io.millrace.server;

import io.millrace.pool.PoolCheck;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SharedRingPipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Adds whole flows to a running server and removes them, with their agents. Only inside of a change.
 */
final class FlowChanges
{
    private final Server.Context context;
    private final Assembly assembly;
    private final AgentGroup agents;
    private final StartedServices services;
    private final Changes changes;
    private final List<RunningFlow<?>> flows;
    /** Agents that have carried out the end of a change, perhaps late, and may be idle since. */
    private final Queue<StageAgent> freed = new ConcurrentLinkedQueue<>();

    FlowChanges(
        final Server.Context context,
        final Assembly assembly,
        final AgentGroup agents,
        final StartedServices services,
        final Changes changes)
    {
        this.context = context;
        this.assembly = assembly;
        this.agents = agents;
        this.services = services;
        this.changes = changes;
        flows = assembly.flows();
    }

    void add(final Flow<?> defined) throws Exception
    {
        endFreed();
        FlowCheck.all(List.of(defined), context.threadingMode(), context.servicesByName());
        final Placement places =
            new Placement(List.of(defined), Map.of(), context.threadingMode(), assembly::spec);
        FlowCheck.stages(defined, places, feedAgents(), context);
        if (defined.inVmSource() != null && !defined.inVmSource().take(context))
        {
            throw FlowCheck.sourceIsTaken(defined);
        }
        start(build(defined, places));
    }

    private RunningFlow<?> build(final Flow<?> defined, final Placement places)
    {
        boolean built = false;
        try
        {
            defined.conclude();
            final RunningFlow<?> running = assembly.add(defined, places);
            built = true;
            return running;
        }
        finally
        {
            if (!built && defined.inVmSource() != null)
            {
                // Publishers of a source whose flow was removed keep its closed publishing end.
                defined.inVmSource().leaveFlow();
            }
        }
    }

    private void start(final RunningFlow<?> flow) throws Exception
    {
        try
        {
            for (final Object object : flow.objects())
            {
                services.start(object);
            }
            agents.checkOpen();
            flow.startIsFutile(agents::isWaitFutile);
            flow.attachSource();
            flow.startInlineHandlers();
            flow.clearPublishingThread();
            for (final Map.Entry<AgentSpec, List<AgentWork>> entry : flow.workByAgent().entrySet())
            {
                host(entry.getKey(), entry.getValue());
            }
            flow.startPolling();
            agents.runIfOpen(() -> flows.add(flow));
            join(flow);
        }
        catch (final Throwable ex)
        {
            leaveSurely(flow);
            flows.remove(flow);
            end(flow, false);
            throw ex;
        }
    }

    /** In checked mode the reference counts of a shared ring do not tell which stages an event was offered to. */
    static boolean isChangeable(final EventPipeline<?> pipeline)
    {
        return pipeline instanceof RingPipeline || pipeline instanceof SharedRingPipeline && !PoolCheck.ENABLED;
    }

    /** A feed may leave if no flow has subscribed to it. */
    static void checkUnread(final Object handler)
    {
        if (handler instanceof Feed && !((Feed<?>)handler).subscribers().isEmpty())
        {
            throw new IllegalArgumentException("feed '" + ((Feed<?>)handler).name() + "' has subscriptions of flows " +
                ((Feed<?>)handler).subscribers() + ": remove those first");
        }
    }

    private Map<Feed<?>, Object> feedAgents()
    {
        final Map<Feed<?>, Object> agents = new LinkedHashMap<>();
        flows.forEach(flow -> agents.putAll(flow.feedAgents()));
        return agents;
    }

    /** Last, because the feeds publish from then on. */
    private void join(final RunningFlow<?> flow) throws Exception
    {
        for (final FeedSubscription<?, ?> subscription : flow.feeds())
        {
            final StageAgent agent = (StageAgent)feedAgents().get(subscription.feed());
            changes.call(agent, () ->
            {
                subscription.join();
                return true;
            });
        }
    }

    private void leave(final RunningFlow<?> flow) throws Exception
    {
        for (final FeedSubscription<?, ?> subscription : flow.feeds())
        {
            final StageAgent agent = (StageAgent)feedAgents().get(subscription.feed());
            // Null if the feed has left since this flow was removed in vain.
            if (agent != null)
            {
                changes.callOrDo(agent, Executors.callable(() -> subscription.feed().leave(subscription)));
            }
        }
    }

    /** A feed whose agent does not answer lets the flow go later. */
    private void leaveSurely(final RunningFlow<?> flow)
    {
        for (final FeedSubscription<?, ?> subscription : flow.feeds())
        {
            changes.doSurely((StageAgent)feedAgents().get(subscription.feed()),
                () -> subscription.feed().leave(subscription));
        }
    }

    private void host(final AgentSpec spec, final List<AgentWork> work) throws Exception
    {
        final StageAgent running = running(spec.name());
        if (running == null)
        {
            start(assembly.agent(spec, work));
            return;
        }
        for (final AgentWork each : work)
        {
            each.hostedBy(running);
            changes.call(running, () ->
            {
                running.startAndAdd(each);
                return true;
            });
        }
    }

    /** An interrupt does not shorten it, except while an agent is asked. */
    void remove(final RunningFlow<?> leaving) throws Exception
    {
        endFreed();
        leaving.feedAgents().keySet().forEach(FlowChanges::checkUnread);
        boolean interrupted = Thread.interrupted();
        try
        {
            leave(leaving);
            interrupted |= drain(leaving);
            // A close handles the events itself.
            changes.checkOpen();
            end(leaving, true);
            // Last: if an agent did not answer, the flow can be removed again.
            flows.remove(leaving);
        }
        catch (final Exception ex)
        {
            changes.checkOpen();
            // The agent of a feed or of a paused part did not answer: the flow is not stopped yet.
            leaving.stopPolling();
            leaving.closePublication();
            throw new IllegalStateException(ex.getMessage() + "; flow '" + leaving.name() + "' takes no more events: " +
                "remove it again", ex);
        }
        finally
        {
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether the calling thread was interrupted. */
    private boolean drain(final RunningFlow<?> leaving) throws Exception
    {
        final long endNs = System.nanoTime() + context.drainTimeoutNs();
        leaving.stopPolling();
        resume(leaving);
        changes.await(endNs, () -> leaving.isPollingStopped() || leaving.isAnyStageDead());
        leaving.closePublication();
        final boolean interrupted = Shutdown.quiet();
        final Quiescence quiescence = new Quiescence(leaving);
        if (changes.await(endNs, () -> leaving.isPollingStopped() && quiescence.isReached()))
        {
            for (final HandlerLifecycle<?> handlers : leaving.handlers())
            {
                handlers.requestDrain();
                if (handlers == leaving.inlineHandlers())
                {
                    handlers.drainIfRequested();
                }
                changes.await(endNs, handlers::isDrained);
            }
        }
        return Thread.interrupted() || interrupted;
    }

    /** The events of paused parts are handled before the flow ends, and a paused source notices that it is stopped. */
    private void resume(final RunningFlow<?> flow) throws Exception
    {
        for (final AgentWork work : flow.allWork())
        {
            final StageAgent host = work.host();
            if (host.isRunning() && host.pausedParts().contains(work.name()))
            {
                changes.callOrDo(host, Executors.callable(() -> host.pause(work, false)));
            }
        }
    }

    /** The end of a flow that was removed or did not start. An agent that does not answer ends its parts later. */
    private void end(final RunningFlow<?> flow, final boolean mustAnswer) throws Exception
    {
        flow.closePublication();
        final List<Object> objects = flow.objects();
        // This change and the steps that agents carry out: the last one closes the services.
        final AtomicInteger open = new AtomicInteger(1);
        final Runnable atEnd = () ->
        {
            if (open.decrementAndGet() == 0)
            {
                objects.forEach(services::close);
            }
        };
        boolean detached = true;
        for (final AgentWork work : flow.allWork())
        {
            final StageAgent host = work.host();
            if (host != null)
            {
                if (mustAnswer)
                {
                    changes.callOrDo(host, Executors.callable(() -> end(host, work)));
                }
                else
                {
                    open.incrementAndGet();
                    detached &= changes.doSurely(host, () -> end(host, work), () ->
                    {
                        atEnd.run();
                        // Last: the next change waits for this thread.
                        freed.add(host);
                    });
                }
                endIfIdle(host);
            }
        }
        if (detached)
        {
            flow.end().detached();
        }
        flow.end().close();
        changes.removed(flow);
        atEnd.run();
        if (flow.source() != null)
        {
            flow.source().leaveFlow();
        }
        assembly.forget(flow);
    }

    /** On the agent's thread. */
    private static void end(final StageAgent host, final AgentWork work)
    {
        if (host.remove(work))
        {
            work.onClose();
        }
    }

    /** The running agent of a name; null if a new one can start. */
    private StageAgent running(final String agent)
    {
        final StageAgent running = agents.find(agent);
        if (running == null && assembly.hasAgent(agent))
        {
            throw new IllegalStateException("agent '" + agent + "' has ended: remove its stages and flows first, " +
                "then it can start again; or choose another agent");
        }
        return running;
    }

    /** The running agent of a name, or a new one. */
    StageAgent hostOf(final String agent) throws Exception
    {
        final StageAgent running = running(agent);
        if (running != null)
        {
            return running;
        }
        return start(assembly.agent(assembly.spec(agent), List.of()));
    }

    /** If it does not start, nothing is left of it. */
    private StageAgent start(final StageAgent agent) throws Exception
    {
        try
        {
            agents.add(agent, changes.timeoutNs());
            return agent;
        }
        catch (final Throwable ex)
        {
            assembly.forgetAgent(agent);
            throw ex;
        }
    }

    /** Begin of a change: end agents that got idle after the change before had given up. */
    void endFreed()
    {
        for (StageAgent agent = freed.poll(); agent != null; agent = freed.poll())
        {
            endIfIdle(agent);
        }
    }

    void endIfIdle(final StageAgent agent)
    {
        if (agent != null && agent.isIdle())
        {
            agents.end(agent, changes.timeoutNs());
            assembly.forgetAgent(agent);
        }
    }
}
