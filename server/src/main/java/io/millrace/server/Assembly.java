package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.server.pipeline.ConflatingPipeline;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.DisruptorPipeline;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.EvictingPipeline;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SpscPipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Builds the server that a concluded context defines: pools, pipelines, handlers with their policies, and agents with
 * their work. Starts nothing.
 */
final class Assembly
{
    private final Server.Context context;
    private final Placement placement;
    private final Failures failures;
    private final Counters counters;
    private final ObjectPoolsRegistry pools;
    private final Map<String, List<AgentWork>> workByAgent = new LinkedHashMap<>();
    private final List<RunningFlow<?>> flows = new ArrayList<>();

    Assembly(
        final Server.Context context, final Failures failures, final Counters counters, final ObjectPoolsRegistry pools)
    {
        this.context = context;
        this.placement = context.placement();
        this.failures = failures;
        this.counters = counters;
        this.pools = pools;
        placement.agents().forEach(spec -> workByAgent.put(spec.name(), new ArrayList<>()));
        context.flows().forEach(this::build);
    }

    List<RunningFlow<?>> flows()
    {
        return flows;
    }

    /** In the order of their start. Agents with stages start first, so stages run before sources publish. */
    List<StageAgent> agents()
    {
        final Map<String, StageAgent> agents = new LinkedHashMap<>();
        for (final AgentSpec spec : placement.agents())
        {
            agents.put(spec.name(), new StageAgent(spec.name(), spec.cpu(), workByAgent.get(spec.name()), failures));
        }
        final Set<StageAgent> ordered = new LinkedHashSet<>();
        for (final Flow<?> flow : context.flows())
        {
            flow.stages().stream().map(stage -> placement.agentOf(stage.name)).filter(Objects::nonNull)
                .forEach(spec -> ordered.add(agents.get(spec.name())));
        }
        ordered.addAll(agents.values());
        ordered.forEach(agent ->
            counters.add(agent.roleName() + ".cycles", "duty cycles of the agent", agent::cycles));
        return List.copyOf(ordered);
    }

    private <E extends BasePoolAware> void build(final Flow<E> flow)
    {
        final ObjectPool<E> pool = pools.add(pool(flow));
        final EventPipeline<E> pipeline = pipeline(flow, pool);
        final EventPublication<E> publication =
            new EventPublication<>(pool, pipeline, flow.backPressure(), flow.isShared() ? null : flow.factory());
        final RunningFlow<E> running =
            new RunningFlow<>(flow.name(), pipeline, publication, flow.inVmSource(), failures);
        flows.add(running);
        running.count(counters);
        final AgentSpec sourceAgent = flow.polledSource() == null ? null : placement.agentOf(flow.sourceName());
        InlineStages<E> inline = null;
        if (pipeline instanceof DirectPipeline)
        {
            inline = inline(flow, (DirectPipeline<E>)pipeline, publication, sourceAgent);
            running.inline(inline, sourceAgent != null);
        }
        else
        {
            subscribe(flow, pipeline, running);
        }
        if (sourceAgent != null)
        {
            final SourceWork<E> work = new SourceWork<>(flow.sourceName(), flow.polledSource(), publication,
                inline, context.errorPolicyOf(sourceAgent), hasThreads(), failures);
            running.source(work);
            workByAgent.get(sourceAgent.name()).add(work);
            counters.add(flow.sourceName() + ".errors", "polls of the source that threw an exception", work::errors);
            flow.polledSource().addCounters(counters, flow.sourceName());
        }
    }

    private static <E extends BasePoolAware> ObjectPool<E> pool(final Flow<E> flow)
    {
        final boolean anyOrder = flow.isShared() || flow.backPressure() == BackPressure.CONFLATE ||
            flow.backPressure() == BackPressure.DROP_OLDEST;
        return anyOrder ? new SharedPool<>(flow.name(), flow.factory(), flow.capacity(), Exhaustion.fail()) :
            new RingPool<>(flow.name(), flow.factory(), flow.capacity(), Exhaustion.fail(), 0);
    }

    private static <E extends BasePoolAware> EventPipeline<E> pipeline(final Flow<E> flow, final ObjectPool<E> pool)
    {
        final Pipelines.Spec<E> spec = flow.pipeline();
        switch (spec.kind)
        {
            case RING:
                return new RingPipeline<>((RingPool<E>)pool);
            case SPSC:
                return flow.backPressure() == BackPressure.DROP_OLDEST ?
                    new EvictingPipeline<>(spec.capacity) : new SpscPipeline<>(spec.capacity);
            case DISRUPTOR:
                return flow.isShared() ?
                    DisruptorPipeline.multi(spec.capacity) : DisruptorPipeline.single(spec.capacity);
            case CONFLATING:
                return new ConflatingPipeline<>(spec.capacity, spec.keyOf);
            default:
                return new DirectPipeline<>();
        }
    }

    /** The policy of the agent that polls the source; without a polled source, the server's. */
    private <E extends BasePoolAware> InlineStages<E> inline(
        final Flow<E> flow,
        final DirectPipeline<E> pipeline,
        final EventPublication<E> publication,
        final AgentSpec sourceAgent)
    {
        final ErrorPolicy policy = sourceAgent == null ? context.errorPolicy() : context.errorPolicyOf(sourceAgent);
        final List<GuardedHandler<E>> handlers = new ArrayList<>();
        final boolean ownThread = sourceAgent != null && hasThreads();
        flow.stages().forEach(stage -> handlers.add(guard(stage, policy, ownThread, true)));
        final String name = flow.stages().stream().map(stage -> stage.name).collect(Collectors.joining("+"));
        return new InlineStages<>(pipeline, pipeline.subscribe(name), publication, handlers, failures);
    }

    private <E extends BasePoolAware> void subscribe(
        final Flow<E> flow, final EventPipeline<E> pipeline, final RunningFlow<E> running)
    {
        final Map<String, StageWork<E>> workByStage = new HashMap<>();
        final Map<StageWork<E>, EventSubscription<E>> subscriptions = new HashMap<>();
        for (final StageGroup<E> group : StageGroup.of(flow, placement, context::handlerOf))
        {
            final AgentSpec spec = group.agent();
            final List<GuardedHandler<E>> handlers = new ArrayList<>();
            for (final Flow.Stage<E> stage : group.stages())
            {
                handlers.add(guard(stage, context.errorPolicyOf(spec), hasThreads(), false));
            }
            final List<StageWork<E>> before =
                group.after().stream().map(workByStage::get).distinct().collect(Collectors.toList());
            final EventSubscription<E> subscription = pipeline.subscribe(
                group.name(), before.stream().map(subscriptions::get).toArray(EventSubscription<?>[]::new));
            final StageWork<E> work = new StageWork<>(subscription, handlers, before, spec.pollLimit(), failures);
            subscriptions.put(work, subscription);
            group.stages().forEach(stage -> workByStage.put(stage.name, work));
            running.stage(work, before);
            workByAgent.get(spec.name()).add(work);
        }
    }

    private boolean hasThreads()
    {
        return context.threadingMode() != ThreadingMode.INVOKER;
    }

    private <E extends BasePoolAware> GuardedHandler<E> guard(
        final Flow.Stage<E> stage, final ErrorPolicy policy, final boolean ownThread, final boolean isInline)
    {
        final GuardedHandler<E> guarded = isInline ?
            new InlineGuardedHandler<>(stage.name, context.handlerOf(stage), policy, ownThread, failures) :
            new GuardedHandler<>(stage.name, context.handlerOf(stage), policy, ownThread, failures);
        counters.add(stage.name + ".handled", "events passed to the stage's handler", guarded::handled);
        counters.add(stage.name + ".errors", "events on which the stage's handler threw an exception", guarded::errors);
        return guarded;
    }
}
