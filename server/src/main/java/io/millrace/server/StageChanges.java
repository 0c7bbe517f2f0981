package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventSubscription;

import java.util.ArrayList;
import java.util.List;

/**
 * Adds single stages to the flows of a running server and removes them. Only inside of a change.
 */
final class StageChanges
{
    private final Assembly assembly;
    private final AgentGroup agents;
    private final StartedServices services;
    private final Changes changes;
    private final FlowChanges flowChanges;

    StageChanges(
        final Assembly assembly,
        final AgentGroup agents,
        final StartedServices services,
        final Changes changes,
        final FlowChanges flowChanges)
    {
        this.assembly = assembly;
        this.agents = agents;
        this.services = services;
        this.changes = changes;
        this.flowChanges = flowChanges;
    }

    <E extends BasePoolAware> void add(
        final RunningFlow<E> flow, final Flow.Stage<E> stage, final String agent) throws Exception
    {
        flowChanges.endFreed();
        services.start(stage.handler);
        HandlerLifecycle<E> starts = null;
        boolean isAdded = false;
        try
        {
            final StageAgent host = flowChanges.hostOf(agent);
            starts = assembly.handlers(flow, stage, host);
            add(flow, stage, host, starts);
            isAdded = true;
        }
        finally
        {
            if (starts == null)
            {
                services.close(stage.handler);
            }
            if (!isAdded)
            {
                flowChanges.endIfIdle(agents.find(agent));
            }
        }
    }

    private <E extends BasePoolAware> void add(
        final RunningFlow<E> flow,
        final Flow.Stage<E> stage,
        final StageAgent host,
        final HandlerLifecycle<E> starts) throws Exception
    {
        final List<StageWork<E>> before = new ArrayList<>();
        for (final String name : stage.after)
        {
            if (!before.contains(flow.stageWork(name)))
            {
                before.add(flow.stageWork(name));
            }
        }
        final EventSubscription<?>[] after =
            before.stream().map(StageWork::subscription).toArray(EventSubscription<?>[]::new);
        final StageWork<E> neighbour = before.isEmpty() ? flow.firstStageWork() : before.get(0);
        // The thread of the neighbour's agent.
        final List<EventSubscription<E>> subscribed = new ArrayList<>();
        boolean asked = false;
        try
        {
            changes.call(host, () ->
            {
                if (flow.eventTime() != null)
                {
                    host.timers().useEventTime();
                }
                starts.start();
                return true;
            });
            asked = true;
            changes.call(neighbour.host(), () -> subscribed.add(flow.pipeline().subscribe(stage.name, after)));
            final EventSubscription<E> subscription = subscribed.get(0);
            final StageWork<E> work =
                new StageWork<>(subscription, starts, before, flow.pollLimit(host.spec()), flow.eventTime());
            work.hostedBy(host);
            flow.add(stage, work);
            changes.join(flow, stage.name, work);
        }
        catch (final Throwable ex)
        {
            if (asked)
            {
                // First, so that the ring does not wait for the stage.
                changes.doSurely(neighbour.host(), () -> subscribed.forEach(flow.pipeline()::unsubscribe));
            }
            changes.doSurely(host, starts::close, () -> services.close(stage.handler));
            assembly.forgetStage(flow, stage.name);
            throw ex;
        }
    }

    /** Returns the number of events that the stage has not handled. */
    <E extends BasePoolAware> long remove(
        final RunningFlow<E> flow, final GuardedHandler<E> guarded, final StageWork<E> work) throws Exception
    {
        final StageAgent host = work.host();
        final Object handler = guarded.handler();
        final boolean leaves = work.handlers().handlers().size() == 1;
        final boolean[] opened = new boolean[1];
        final long left = changes.callOrDoQuick(host, () ->
        {
            final long missed = leaves ? flow.pipeline().unsubscribe(work.subscription()) : 0;
            opened[0] = work.handlers().remove(guarded);
            if (leaves)
            {
                host.remove(work);
            }
            else
            {
                work.handlersChanged();
            }
            return missed;
        });
        // Before the handler's close, which may take long: nothing may wait for the stage meanwhile.
        flow.remove(guarded.stage(), leaves ? work : null);
        assembly.forgetStage(flow, guarded.stage());
        if (leaves && work.handlers().latency() != null)
        {
            final List<String> present = flow.stages();
            final StageWork<E> last = flow.stageWork(present.get(present.size() - 1));
            changes.doSurely(last.host(), () -> assembly.recordLatency(work.handlers().latency(), last));
        }
        try
        {
            // A close that takes long may still use the service.
            if (opened[0])
            {
                changes.finish(host, guarded::end, () -> left(guarded, handler));
            }
            else
            {
                left(guarded, handler);
            }
        }
        finally
        {
            if (leaves)
            {
                flowChanges.endIfIdle(host);
            }
        }
        return left;
    }

    private void left(final GuardedHandler<?> guarded, final Object handler)
    {
        guarded.context.leave();
        services.close(handler);
    }
}
