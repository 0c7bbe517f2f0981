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
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.EvictingPipeline;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SpscPipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds what a concluded context describes: pools, pipelines, handlers under their policies, duties and agents.
 * Starts nothing.
 */
final class Assembly
{
    private final Server.Context context;
    private final Placement placement;
    private final Failures failures;
    private final Counters counters;
    private final ObjectPoolsRegistry pools;
    private final Map<String, List<Duty>> dutiesByAgent = new LinkedHashMap<>();
    private final List<RunningFlow<?>> flows = new ArrayList<>();
    private final Map<RunningFlow<?>, List<String>> agentsByFlow = new LinkedHashMap<>();

    Assembly(
        final Server.Context context, final Failures failures, final Counters counters, final ObjectPoolsRegistry pools)
    {
        this.context = context;
        this.placement = context.placement();
        this.failures = failures;
        this.counters = counters;
        this.pools = pools;
        placement.agents().forEach(spec -> dutiesByAgent.put(spec.name(), new ArrayList<>()));
        context.flows().forEach(this::build);
    }

    List<RunningFlow<?>> flows()
    {
        return flows;
    }

    /** One agent for each that has duties; those with stages first: nobody publishes before somebody listens. */
    List<StageAgent> agents()
    {
        final Map<String, StageAgent> agents = new LinkedHashMap<>();
        for (final AgentSpec spec : placement.agents())
        {
            final StageAgent agent = new StageAgent(spec.name(), spec.cpu(), dutiesByAgent.get(spec.name()), failures);
            agents.put(spec.name(), agent);
            counters.add(spec.name() + ".cycles", "duty cycles of the agent", agent::cycles);
        }
        agentsByFlow.forEach((flow, names) -> names.forEach(name -> flow.agent(agents.get(name))));
        final List<StageAgent> ordered = new ArrayList<>();
        for (final List<String> names : agentsByFlow.values())
        {
            names.stream().map(agents::get).filter(agent -> !ordered.contains(agent)).forEach(ordered::add);
        }
        agents.values().stream().filter(agent -> !ordered.contains(agent)).forEach(ordered::add);
        return ordered;
    }

    private <E extends BasePoolAware> void build(final Flow<E> flow)
    {
        final ObjectPool<E> pool = pools.add(pool(flow));
        final EventPipeline<E> pipeline = pipeline(flow, pool);
        final EventPublication<E> publication =
            new EventPublication<>(pool, pipeline, flow.backPressure(), flow.isShared() ? null : flow.factory());
        final RunningFlow<E> running = new RunningFlow<>(flow.name(), pipeline, publication);
        final List<String> hosts = new ArrayList<>();
        agentsByFlow.put(running, hosts);
        flows.add(running);
        running.count(counters);
        if (pipeline instanceof DirectPipeline)
        {
            connect(flow, (DirectPipeline<E>)pipeline, running);
        }
        else
        {
            subscribe(flow, pipeline, running, hosts);
        }
        if (flow.inVmSource() != null)
        {
            flow.inVmSource().attach(publication);
        }
        else
        {
            final AgentSpec spec = placement.agentOf(flow.sourceName());
            final SourceDuty<E> duty = new SourceDuty<>(
                flow.sourceName(), flow.polledSource(), publication, context.errorPolicyOf(spec), failures);
            running.source(duty);
            dutiesByAgent.get(spec.name()).add(duty);
            counters.add(flow.sourceName() + ".errors", "polls of the source that threw", duty::errors);
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

    private <E extends BasePoolAware> void connect(
        final Flow<E> flow, final DirectPipeline<E> pipeline, final RunningFlow<E> running)
    {
        for (final Flow.Stage<E> stage : flow.stages())
        {
            final GuardedHandler<E> guarded = guard(stage, context.errorPolicy());
            final DirectPipeline.DirectSubscription<E> subscription = pipeline.subscribe(stage.name);
            subscription.connect(guarded);
            running.direct(guarded);
            counters.add(stage.name + ".handled", "events that the stage has passed", subscription::position);
        }
    }

    private <E extends BasePoolAware> void subscribe(
        final Flow<E> flow, final EventPipeline<E> pipeline, final RunningFlow<E> running, final List<String> hosts)
    {
        final Map<String, EventSubscription<E>> subscriptionByStage = new HashMap<>();
        for (final StageGroup<E> group : StageGroup.of(flow, placement, context::handlerOf))
        {
            final AgentSpec spec = group.agent();
            EventHandler<E> handler = null;
            for (final Flow.Stage<E> stage : group.stages())
            {
                final GuardedHandler<E> guarded = guard(stage, context.errorPolicyOf(spec));
                handler = handler == null ? guarded : new FusedHandler<>(handler, guarded);
            }
            final EventSubscription<?>[] after =
                group.after().stream().map(subscriptionByStage::get).distinct().toArray(EventSubscription<?>[]::new);
            final EventSubscription<E> subscription = pipeline.subscribe(group.name(), after);
            final StageDuty<E> duty = new StageDuty<>(subscription, handler, spec.pollLimit());
            for (final Flow.Stage<E> stage : group.stages())
            {
                subscriptionByStage.put(stage.name, subscription);
                counters.add(stage.name + ".handled", "events that the stage has handled", duty::handled);
            }
            running.stage(duty);
            dutiesByAgent.get(spec.name()).add(duty);
            if (!hosts.contains(spec.name()))
            {
                hosts.add(spec.name());
            }
        }
    }

    private <E extends BasePoolAware> GuardedHandler<E> guard(final Flow.Stage<E> stage, final ErrorPolicy policy)
    {
        final GuardedHandler<E> guarded = new GuardedHandler<>(stage.name, context.handlerOf(stage), policy, failures);
        counters.add(stage.name + ".errors", "events that the stage's handler threw on", guarded::errors);
        return guarded;
    }
}
