package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.SharedRingPool;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.ConflatingPipeline;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.DisruptorPipeline;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.EvictingPipeline;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SharedRingPipeline;
import io.millrace.server.pipeline.SpscPipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Builds the server that a concluded context defines: pools, pipelines, handlers with their policies, and agents with
 * their work. Starts nothing. Later it builds what is added at run time.
 */
final class Assembly
{
    private final Server.Context context;
    private final Placement placement;
    private final Failures failures;
    private final Counters counters;
    private final ObjectPoolsRegistry pools;
    private final ServiceContext offered;
    private final List<RunningFlow<?>> flows = new CopyOnWriteArrayList<>();
    /** The agents whose counters are there. Changed by one thread at a time. */
    private final Set<StageAgent> counted = new HashSet<>();

    Assembly(
        final Server.Context context,
        final Failures failures,
        final Counters counters,
        final ObjectPoolsRegistry pools,
        final ServiceContext offered)
    {
        this.context = context;
        this.placement = context.placement();
        this.failures = failures;
        this.counters = counters;
        this.pools = pools;
        this.offered = offered;
        context.flows().forEach(flow -> flows.add(add(flow, placement)));
        flows.forEach(flow -> flow.feeds().forEach(FeedSubscription::begin));
    }

    /** The flows of the server. Changed by one thread at a time. */
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
            final List<AgentWork> work = new ArrayList<>();
            flows.forEach(flow -> work.addAll(flow.workByAgent().getOrDefault(spec, List.of())));
            agents.put(spec.name(), agent(spec, work));
        }
        final Set<StageAgent> ordered = new LinkedHashSet<>();
        for (final Flow<?> flow : context.flows())
        {
            flow.stages().stream().map(stage -> placement.agentOf(stage.name)).filter(Objects::nonNull)
                .forEach(spec -> ordered.add(agents.get(spec.name())));
        }
        ordered.addAll(agents.values());
        return List.copyOf(ordered);
    }

    StageAgent agent(final AgentSpec spec, final List<AgentWork> work)
    {
        final StageAgent agent =
            new StageAgent(spec, work, context.clock(), context.errorPolicyOf(spec), hasThreads(), failures);
        final String name = agent.roleName();
        final Counters own = counters.of(agent);
        own.tagged("agent", name)
            .counter(name + ".cycles", "cycles", "duty cycles of the agent", agent::cycles)
            .gauge(name + ".timers.pending", "timers", "timers of the agent that have not run yet",
                () -> agent.timersIfUsed() == null ? 0 : agent.timersIfUsed().pending())
            .counter(name + ".timers.fired", "tasks", "timer tasks that the agent has run",
                () -> agent.timersIfUsed() == null ? 0 : agent.timersIfUsed().fired());
        if (agent.meter() != null)
        {
            agent.meter().count(own, name);
        }
        counted.add(agent);
        return agent;
    }

    /** Of an agent that hosts parts that are added at run time. */
    AgentSpec spec(final String agent)
    {
        final AgentSpec declared = placement.spec(agent);
        return declared != null ? declared : AgentSpec.implied(agent);
    }

    /** Whether there is an agent of this name that {@link #forgetAgent} has not forgotten. */
    boolean hasAgent(final String name)
    {
        return counted.stream().anyMatch(agent -> agent.roleName().equals(name));
    }

    /** Once: another agent of this name may start afterwards. */
    void forgetAgent(final StageAgent agent)
    {
        if (counted.remove(agent))
        {
            counters.removeOf(agent);
        }
    }

    void forgetStage(final RunningFlow<?> flow, final String stage)
    {
        counters.of(flow.pool()).removeTagged(Map.of("stage", stage));
    }

    /** The counters of the source take the place of those of the one before. */
    void count(final SourceWork<?> work, final EventSource<?> source)
    {
        counters.replaceOf(work, own -> source.addCounters(own, work.name()));
    }

    /** A replaced source polls already. */
    void countReplaced(final SourceWork<?> work, final EventSource<?> source)
    {
        try
        {
            count(work, source);
        }
        catch (final Throwable ex)
        {
            failures.report("adding the counters of source '" + work.name() + "'", ex);
        }
    }

    void forget(final RunningFlow<?> flow)
    {
        flow.guarded().forEach(handler -> handler.context.leave());
        if (flow.sourceWork() != null)
        {
            counters.removeOf(flow.sourceWork());
        }
        forget(flow.pool());
    }

    /** The counters of a flow and its stages belong to its pool, which is built first. */
    private void forget(final ObjectPool<?> pool)
    {
        counters.removeOf(pool);
        pools.remove(pool);
    }

    /** Build a flow; its parts are on the agents of a placement. If it cannot be built, nothing is left of it. */
    <E extends BasePoolAware> RunningFlow<E> add(final Flow<E> flow, final Placement places)
    {
        final ObjectPool<E> pool = pools.add(pool(flow));
        try
        {
            return build(flow, places, pool);
        }
        catch (final Throwable ex)
        {
            forget(pool);
            throw ex;
        }
    }

    private <E extends BasePoolAware> RunningFlow<E> build(
        final Flow<E> flow, final Placement places, final ObjectPool<E> pool)
    {
        final EventPipeline<E> pipeline = pipeline(flow, pool);
        final EventPublication<E> publication =
            new EventPublication<>(pool, pipeline, flow.backPressure(), flow.isShared() ? null : flow.factory());
        final RunningFlow<E> running =
            new RunningFlow<>(flow, pipeline, publication, failures);
        final Counters own = counters.of(pool);
        FlowCounters.add(own, running);
        final AgentSpec sourceAgent = flow.polledSource() == null ? null : places.agentOf(flow.sourceName());
        if (flow.latencyFrom() != null)
        {
            running.latency(new LatencyRecorder());
        }
        InlineStages<E> inline = null;
        if (pipeline instanceof DirectPipeline)
        {
            inline = inline(flow, (DirectPipeline<E>)pipeline, running, sourceAgent);
            running.inline(inline, sourceAgent != null);
        }
        else
        {
            subscribe(flow, pipeline, running, places);
        }
        if (sourceAgent != null)
        {
            final SourceWork<E> work = new SourceWork<>(flow.sourceName(), flow.polledSource(), publication,
                inline, new PartFailures(failures, context.errorPolicyOf(sourceAgent), hasThreads(),
                "source '" + flow.sourceName() + "' failed"));
            running.source(work, sourceAgent);
            own.add(flow.sourceName() + ".errors", "polls of the source that threw an exception", work::errors);
            count(work, flow.polledSource());
        }
        return running;
    }

    private static <E extends BasePoolAware> ObjectPool<E> pool(final Flow<E> flow)
    {
        if (flow.isShared() && flow.pipeline().kind == Pipelines.Kind.RING)
        {
            return new SharedRingPool<>(flow.name(), flow.factory(), flow.capacity(), Exhaustion.fail(), 0);
        }
        final boolean anyOrder = flow.isShared() || flow.backPressure() == BackPressure.CONFLATE ||
            flow.backPressure() == BackPressure.DROP_OLDEST;
        return anyOrder ? new SharedPool<>(flow.name(), flow.factory(), flow.capacity(), Exhaustion.fail()) :
            new RingPool<>(flow.name(), flow.factory(), flow.capacity(), Exhaustion.fail(), 0);
    }

    private <E extends BasePoolAware> EventPipeline<E> pipeline(final Flow<E> flow, final ObjectPool<E> pool)
    {
        final Pipelines.Spec<E> spec = flow.pipeline();
        switch (spec.kind)
        {
            case RING:
                return flow.isShared() ?
                    sharedRing(flow, (SharedRingPool<E>)pool) : new RingPipeline<>((RingPool<E>)pool);
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

    private <E extends BasePoolAware> SharedRingPipeline<E> sharedRing(
        final Flow<E> flow, final SharedRingPool<E> pool)
    {
        final SharedRingPipeline<E> ring = new SharedRingPipeline<>(pool, flow.inVmSource().claimTimeoutNs());
        final String skipped = " of flow '" + flow.name() +
            "' is skipped: its publisher has ended, or took longer than the claim timeout";
        ring.onRevoked(sequence -> failures.report("an event" + skipped, "event " + sequence + skipped, null));
        return ring;
    }

    /** The policy of the agent that polls the source; without a polled source, the server's. */
    private <E extends BasePoolAware> InlineStages<E> inline(
        final Flow<E> flow,
        final DirectPipeline<E> pipeline,
        final RunningFlow<E> running,
        final AgentSpec sourceAgent)
    {
        final ErrorPolicy policy = sourceAgent == null ? context.errorPolicy() : context.errorPolicyOf(sourceAgent);
        final List<GuardedHandler<E>> handlers = new ArrayList<>();
        final boolean ownThread = sourceAgent != null && hasThreads();
        final Supplier<StageAgent> agent = sourceAgent == null ? () -> null : () -> running.sourceWork().host();
        flow.stages().forEach(stage -> handlers.add(guard(running, stage, policy, ownThread, agent, true)));
        final String name = flow.stages().stream().map(stage -> stage.name).collect(Collectors.joining("+"));
        final HandlerLifecycle<E> starts = new HandlerLifecycle<>(handlers, failures);
        starts.recordLatency(latency(flow, running, policy, ownThread));
        return new InlineStages<>(pipeline, pipeline.subscribe(name), running.publication(),
            starts, flow.eventTime());
    }

    private <E extends BasePoolAware> void subscribe(
        final Flow<E> flow, final EventPipeline<E> pipeline, final RunningFlow<E> running, final Placement places)
    {
        final Map<String, StageWork<E>> workByStage = new HashMap<>();
        final Map<StageWork<E>, EventSubscription<E>> subscriptions = new HashMap<>();
        for (final StageGroup<E> group : StageGroup.of(flow, places, context::handlerOf))
        {
            final AgentSpec spec = group.agent();
            final List<GuardedHandler<E>> handlers = new ArrayList<>();
            for (final Flow.Stage<E> stage : group.stages())
            {
                handlers.add(guard(running, stage, context.errorPolicyOf(spec), hasThreads(),
                    () -> running.stageWork(stage.name).host(), false));
            }
            final List<StageWork<E>> before =
                group.after().stream().map(workByStage::get).distinct().collect(Collectors.toList());
            final EventSubscription<E> subscription = pipeline.subscribe(
                group.name(), before.stream().map(subscriptions::get).toArray(EventSubscription<?>[]::new));
            final HandlerLifecycle<E> starts = new HandlerLifecycle<>(handlers, failures);
            if (group.stages().contains(flow.stages().get(flow.stages().size() - 1)))
            {
                starts.recordLatency(latency(flow, running, context.errorPolicyOf(spec), hasThreads()));
            }
            final StageWork<E> work =
                new StageWork<>(subscription, starts, before, running.pollLimit(spec), flow.eventTime());
            subscriptions.put(work, subscription);
            group.stages().forEach(stage -> workByStage.put(stage.name, work));
            running.stage(work, spec);
        }
    }

    /** Null if the flow's latency is not recorded. */
    private <E extends BasePoolAware> LatencyHandler<E> latency(
        final Flow<E> flow, final RunningFlow<E> running, final ErrorPolicy policy, final boolean ownThread)
    {
        return running.latency() == null ? null : new LatencyHandler<>(
            running.latency(), context.clock(), flow.latencyFrom(),
            new PartFailures(failures, policy, ownThread, "the latency function of flow '" + flow.name() + "' failed"));
    }

    /** Continue after another stage. The thread of its agent, between two polls. */
    <E extends BasePoolAware> void recordLatency(final LatencyHandler<E> latency, final StageWork<E> after)
    {
        after.handlers().recordLatency(latency.under(context.errorPolicyOf(after.host().spec())));
        after.handlersChanged();
    }

    /** The handler of a stage that is added at run time. */
    <E extends BasePoolAware> HandlerLifecycle<E> handlers(
        final RunningFlow<E> flow, final Flow.Stage<E> stage, final StageAgent agent)
    {
        try
        {
            final GuardedHandler<E> handler =
                guard(flow, stage, context.errorPolicyOf(agent.spec()), hasThreads(), () -> agent, false);
            return new HandlerLifecycle<>(List.of(handler), failures);
        }
        catch (final Throwable ex)
        {
            // One of its counters has a name that is in use.
            forgetStage(flow, stage.name);
            throw ex;
        }
    }

    private boolean hasThreads()
    {
        return context.threadingMode() != ThreadingMode.INVOKER;
    }

    private <E extends BasePoolAware> GuardedHandler<E> guard(
        final RunningFlow<E> flow,
        final Flow.Stage<E> stage,
        final ErrorPolicy policy,
        final boolean ownThread,
        final Supplier<StageAgent> agent,
        final boolean isInline)
    {
        final HandlerContext surroundings = new HandlerContext(stage.name, offered, agent, flows);
        final PartFailures ofStage =
            new PartFailures(failures, policy, ownThread, "stage '" + stage.name + "' failed");
        final GuardedHandler<E> guarded = isInline ?
            new InlineGuardedHandler<>(surroundings, context.handlerOf(stage), ofStage) :
            new GuardedHandler<>(surroundings, context.handlerOf(stage), ofStage);
        final Counters own = counters.of(flow.pool());
        own.tagged("stage", stage.name)
            .counter(stage.name + ".handled", "events", "events passed to the stage's handler", guarded::handled)
            .counter(stage.name + ".errors", "events", "events on which the stage's handler threw an exception",
                guarded::errors)
            .counter(stage.name + ".retries", "calls",
                "calls of the stage's handler for an event on which it had failed", guarded::retries);
        if (context.handlerOf(stage) instanceof Feed)
        {
            ((Feed<?>)context.handlerOf(stage)).count(own, stage.name);
        }
        return guarded;
    }
}
