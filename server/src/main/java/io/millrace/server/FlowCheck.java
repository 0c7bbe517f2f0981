package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.ThrottledHandler;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks the flows before anything is built. Each message names the value and the allowed range.
 */
final class FlowCheck
{
    static final String SERVER = "server";

    /** Size of an object with only BasePoolAware's fields. */
    private static final long MIN_EVENT_BYTES = 32;

    private FlowCheck()
    {
    }

    static void all(final List<Flow<?>> flows, final ThreadingMode mode, final Map<String, Service> services)
    {
        final Set<String> names = new HashSet<>();
        final Map<InVmSource<?>, Flow<?>> sources = new IdentityHashMap<>();
        final Map<Object, String> parts = new IdentityHashMap<>();
        if (flows.isEmpty())
        {
            throw new IllegalArgumentException("a server needs at least one flow");
        }
        for (final Flow<?> flow : flows)
        {
            if (flow.stages().isEmpty())
            {
                throw new IllegalArgumentException(
                    "flow '" + flow.name() + "' has no stage to handle its events");
            }
            if (flow.polledSource() != null && !names.add(flow.sourceName()))
            {
                throw new IllegalArgumentException("name '" + flow.sourceName() + "' is taken twice");
            }
            for (final Flow.Stage<?> stage : flow.stages())
            {
                if (stage.name.equals(SERVER))
                {
                    throw new IllegalArgumentException("stage name '" + SERVER +
                        "' of flow '" + flow.name() + "' is taken: the server's own counters have it");
                }
                if (!names.add(stage.name))
                {
                    throw new IllegalArgumentException("two stages have the name '" + stage.name +
                        "': the names of stages are unique in a server");
                }
                checkAfter(flow, stage);
                checkService(flow, stage, services);
                checkPart(parts, handlerOf(stage, services), "stage '" + stage.name + "'");
            }
            checkSource(flow, sources);
            if (flow.polledSource() != null)
            {
                checkPart(parts, flow.polledSource(), "the source of flow '" + flow.name() + "'");
            }
            checkBackPressure(flow, mode);
            checkEvents(flow);
        }
    }

    private static void checkAfter(final Flow<?> flow, final Flow.Stage<?> stage)
    {
        final List<String> earlier = flow.stages().stream().map(each -> each.name)
            .takeWhile(each -> !each.equals(stage.name)).collect(Collectors.toList());
        for (final String name : stage.after)
        {
            if (!earlier.contains(name))
            {
                throw new IllegalArgumentException("stage '" + stage.name + "' cannot follow '" + name +
                    "': the stages before it in flow '" + flow.name() + "' are " + earlier);
            }
        }
    }

    private static void checkService(final Flow<?> flow, final Flow.Stage<?> stage, final Map<String, Service> services)
    {
        if (stage.serviceName != null)
        {
            final Service service = services.get(stage.serviceName);
            if (service == null)
            {
                throw new IllegalArgumentException("stage '" + stage.name + "' asks for the handler service '" +
                    stage.serviceName + "', which is missing: the services are " + services.keySet());
            }
            if (!(service instanceof HandlerService))
            {
                throw new IllegalArgumentException("stage '" + stage.name + "' asks for the service '" +
                    stage.serviceName + "', which is a " + service.getClass().getName() + " and not a HandlerService");
            }
        }
        final Object handler = handlerOf(stage, services);
        if (handler instanceof HandlerService)
        {
            checkType(flow, stage, ((HandlerService<?>)handler).eventType());
        }
    }

    private static Object handlerOf(final Flow.Stage<?> stage, final Map<String, Service> services)
    {
        return stage.serviceName != null ? services.get(stage.serviceName) : stage.handler;
    }

    /** Parts are the objects that agents start, call and close: handlers and polled sources. */
    private static void checkPart(final Map<Object, String> parts, final Object object, final String part)
    {
        final String other = parts.putIfAbsent(object, part);
        if (other != null)
        {
            throw new IllegalArgumentException(other + " and " + part + " have the same object, a " +
                object.getClass().getName() + ": it would be started and closed twice, and two agents would call it " +
                "at once. Give each an object of its own; a lambda that captures nothing is the same object each " +
                "time that it is evaluated");
        }
    }

    private static void checkType(final Flow<?> flow, final Flow.Stage<?> stage, final Class<?> type)
    {
        if (type == null || !BasePoolAware.class.isAssignableFrom(type))
        {
            throw new IllegalArgumentException("the handler service of stage '" + stage.name + "' handles " +
                (type == null ? "null" : type.getName()) + ", which is not pooled: it must extend " +
                BasePoolAware.class.getName());
        }
        final Object sample = sample(flow);
        if (!type.isInstance(sample))
        {
            throw new IllegalArgumentException("flow '" + flow.name() + "' carries " +
                Names.of(sample.getClass(), type) + " but the handler service of stage '" + stage.name + "' handles " +
                Names.of(type, sample.getClass()));
        }
    }

    /**
     * A batch is incomplete if its end failed; skipping that event would pass the whole batch on, as would a pipeline
     * that releases each event when it is handled. A gate keeps its events from the stages that follow it.
     */
    private static void checkBatches(
        final Flow<?> flow, final Flow.Stage<?> stage, final Object handler, final ErrorPolicy policy)
    {
        checkPolicy(flow.name(), stage, (EventHandler<?>)handler, policy);
        final Pipelines.Kind kind = flow.pipeline().kind;
        if (((EventHandler<?>)handler).completesAtEndOfBatch() &&
            (kind == Pipelines.Kind.SPSC || kind == Pipelines.Kind.CONFLATING))
        {
            throw new IllegalArgumentException("stage '" + stage.name + "' of flow '" + flow.name() +
                "' completes at the end of a batch, but " + flow.pipeline() +
                " passes each event alone: go through a ring or a disruptor");
        }
        if (handler instanceof ThrottledHandler && kind == Pipelines.Kind.DIRECT)
        {
            throw new IllegalArgumentException("stage '" + stage.name + "' of flow '" + flow.name() +
                "' is throttled: it needs a queue, not " + flow.pipeline());
        }
        if (handler instanceof EventGate && (kind == Pipelines.Kind.DIRECT ||
            flow.stages().stream().noneMatch(each -> each.after.contains(stage.name))))
        {
            throw new IllegalArgumentException("stage '" + stage.name + "' of flow '" + flow.name() +
                "' is a gate: it needs a ring or a disruptor, not " + flow.pipeline() +
                ", and a stage that follows it");
        }
    }

    private static void checkEvents(final Flow<?> flow)
    {
        if (flow.capacity() * MIN_EVENT_BYTES > Runtime.getRuntime().maxMemory())
        {
            throw new IllegalArgumentException("capacity " + flow.capacity() + " of flow '" + flow.name() +
                "' does not fit: at " + MIN_EVENT_BYTES + " bytes an event, the heap of " +
                Runtime.getRuntime().maxMemory() + " bytes holds at most " +
                Runtime.getRuntime().maxMemory() / MIN_EVENT_BYTES);
        }
        final Object sample = sample(flow);
        if (!(sample instanceof BasePoolAware))
        {
            throw new IllegalArgumentException("flow '" + flow.name() + "' carries " + sample.getClass().getName() +
                ", which is not pooled: it must extend " + BasePoolAware.class.getName());
        }
    }

    /** As Object: a factory with a wrong type (raw types) gets a clear message instead of a ClassCastException. */
    private static Object sample(final Flow<?> flow)
    {
        final Supplier<?> factory = flow.factory();
        final Object sample;
        try
        {
            sample = factory.get();
        }
        catch (final RuntimeException ex)
        {
            throw new IllegalArgumentException("the event factory of flow '" + flow.name() + "' threw " + ex, ex);
        }
        if (sample == null)
        {
            throw new IllegalArgumentException("the event factory of flow '" + flow.name() + "' returned null");
        }
        return sample;
    }

    private static void checkSource(final Flow<?> flow, final Map<InVmSource<?>, Flow<?>> sources)
    {
        final InVmSource<?> source = flow.inVmSource();
        final Flow<?> other = source == null ? null : sources.putIfAbsent(source, flow);
        if (other != null)
        {
            throw new IllegalArgumentException("flows '" + other.name() + "' and '" + flow.name() +
                "' have the same source: one source, one flow");
        }
        checkShared(flow, "has a shared source, which many threads publish to");
        if (source != null && source.isTaken())
        {
            throw sourceIsTaken(flow);
        }
    }

    private static void checkShared(final Flow<?> flow, final String why)
    {
        final Pipelines.Spec<?> pipeline = flow.pipeline();
        if (flow.isShared() && pipeline.kind != Pipelines.Kind.RING && pipeline.kind != Pipelines.Kind.DISRUPTOR)
        {
            throw new IllegalArgumentException("flow '" + flow.name() + "' " + why +
                ": through a ring or a disruptor, not through " + pipeline);
        }
    }

    private static void checkPolicy(
        final String flow, final Flow.Stage<?> stage, final EventHandler<?> handler, final ErrorPolicy policy)
    {
        if (policy == ErrorPolicy.SKIP_AND_RECORD && handler.completesAtEndOfBatch())
        {
            throw new IllegalArgumentException("stage '" + stage.name + "' of flow '" + flow +
                "' completes at the end of a batch, so SKIP_AND_RECORD is not for it: STOP_SERVER and STOP_AGENT are");
        }
    }

    /** A stage that joins a ring of a running server. */
    static void added(
        final String flow, final Flow.Stage<?> stage, final AgentSpec agent, final ErrorPolicy policy)
    {
        checkPolicy(flow, stage, stage.handler, policy);
        checkRetry(stage, stage.handler, agent);
    }

    /**
     * The stages of a flow on their agents.
     *
     * @param feeds the agent of each feed of an earlier flow; those of this flow are added.
     */
    static <E extends BasePoolAware> void stages(
        final Flow<E> flow, final Placement placement, final Map<Feed<?>, Object> feeds, final Server.Context context)
    {
        checkFeeds(flow, feeds);
        if (flow.pipeline().kind != Pipelines.Kind.DIRECT)
        {
            StageGroup.of(flow, placement, context::handlerOf);
        }
        for (final Flow.Stage<E> stage : flow.stages())
        {
            final EventHandler<? super E> handler = context.handlerOf(stage);
            final AgentSpec spec = placement.agentOf(stage.name);
            checkBatches(flow, stage, handler, spec == null ? context.errorPolicy() : context.errorPolicyOf(spec));
            checkRetry(stage, handler, spec);
            if (handler instanceof Feed)
            {
                feeds.put((Feed<?>)handler, spec);
            }
        }
    }

    /**
     * Feeds of earlier flows only, so that the flows are drained in their order.
     *
     * @param agents the agent of each feed of an earlier flow.
     */
    private static void checkFeeds(final Flow<?> flow, final Map<Feed<?>, ?> agents)
    {
        final Pipelines.Spec<?> pipeline = flow.pipeline();
        final int queue = pipeline.capacity > 0 ? pipeline.capacity : flow.capacity();
        final Set<Object> publishing = new HashSet<>();
        for (final FeedSubscription<?, ?> subscription : flow.feeds())
        {
            final Feed<?> feed = subscription.feed();
            if (!agents.containsKey(feed))
            {
                throw new IllegalArgumentException("flow '" + flow.name() + "' subscribes to feed '" + feed.name() +
                    "', which is no handler of an earlier flow: those are " +
                    agents.keySet().stream().map(Feed::name).sorted().collect(Collectors.toList()));
            }
            publishing.add(agents.get(feed));
            if (subscription.wantsKept() && feed.kept().capacity() > queue)
            {
                throw new IllegalArgumentException("flow '" + flow.name() + "' through " + pipeline + " takes " +
                    queue + " events, but feed '" + feed.name() + "' keeps " + feed.kept().capacity());
            }
        }
        if (publishing.size() > 1)
        {
            flow.feedsOnSeveralAgents();
            checkShared(flow, "has feeds on several agents, which publish to it");
        }
        if (flow.hasAlarm() &&
            (flow.feeds().isEmpty() || flow.alarmAt() < 1 || flow.alarmAt() > queue))
        {
            throw new IllegalArgumentException("the limit " + flow.alarmAt() + " of the backlog of flow '" +
                flow.name() + "' " + (flow.feeds().isEmpty() ? "needs a feed" : "is not in 1.." + queue));
        }
    }

    /**
     * A handler that completes at the end of its batch has the event already: it cannot get it again. Nor can the
     * subscriptions of a feed.
     */
    private static void checkRetry(final Flow.Stage<?> stage, final EventHandler<?> handler, final AgentSpec agent)
    {
        if (agent != null && agent.retries() > 0 &&
            (handler.completesAtEndOfBatch() || handler instanceof Feed))
        {
            throw new IllegalArgumentException("agent '" + agent.name() + "' retries, but the handler of stage '" +
                stage.name + (handler instanceof Feed ? "' is a feed" : "' completes at the end of a batch") +
                ": place it on an agent that does not retry");
        }
    }

    static IllegalArgumentException sourceIsTaken(final Flow<?> flow)
    {
        return new IllegalArgumentException(
            "the source of flow '" + flow.name() + "' belongs to a server already: one source, one flow");
    }

    private static void checkBackPressure(final Flow<?> flow, final ThreadingMode mode)
    {
        final BackPressure policy = flow.backPressure();
        final Pipelines.Spec<?> pipeline = flow.pipeline();
        final String where = policy + " of flow '" + flow.name() + "' ";
        if (policy == BackPressure.BLOCK && mode == ThreadingMode.INVOKER && flow.feeds().isEmpty())
        {
            throw new IllegalArgumentException(
                where + "cannot wait in INVOKER mode: only the caller itself frees capacity");
        }
        if (policy == BackPressure.BLOCK && !flow.feeds().isEmpty() && pipeline.kind != Pipelines.Kind.RING &&
            pipeline.kind != Pipelines.Kind.DIRECT)
        {
            throw new IllegalArgumentException(where + "has a feed, so it needs ring() or direct(), not " + pipeline);
        }
        if (policy == BackPressure.DROP_OLDEST && pipeline.kind != Pipelines.Kind.SPSC)
        {
            throw new IllegalArgumentException(where + "needs an spsc pipeline, not " + pipeline);
        }
        if (policy == BackPressure.CONFLATE != (pipeline.kind == Pipelines.Kind.CONFLATING))
        {
            throw new IllegalArgumentException(
                where + "does not go with " + pipeline + ": CONFLATE and conflating belong together");
        }
        final boolean displaces = policy == BackPressure.DROP_OLDEST || policy == BackPressure.CONFLATE;
        if (displaces && flow.capacity() < pipeline.capacity + 2)
        {
            throw new IllegalArgumentException(where + "needs a source of at least " + (pipeline.capacity + 2) +
                " events for " + pipeline + " (one being filled, one being handled), not " + flow.capacity());
        }
    }
}
