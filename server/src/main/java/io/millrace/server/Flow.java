package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.pipeline.EventHandler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A flow carries one type of event from a source through a pipeline to stages. Define it in the order in which data
 * flows; threads are defined separately, by agents.
 *
 * @param <E> type of the events.
 */
public final class Flow<E extends BasePoolAware>
{
    /**
     * Start of a flow's definition: one {@code from}. A second one throws an {@link IllegalStateException}.
     */
    public static final class Start
    {
        private final String name;
        private boolean isUsed;

        Start(final String name)
        {
            this.name = name;
        }

        private String use()
        {
            if (isUsed)
            {
                throw new IllegalStateException(
                    "flow '" + name + "' has a source already: define one more flow for one more source");
            }
            isUsed = true;
            return name;
        }

        /**
         * A flow of events that the application's own threads publish.
         *
         * @param source of the events; not used by another flow.
         * @param <E>    type of the events.
         * @return the flow.
         */
        public <E extends BasePoolAware> Flow<E> from(final InVmSource<E> source)
        {
            Objects.requireNonNull(source, "source");
            return new Flow<>(use(), source.factory(), source.capacity(), source, null);
        }

        /**
         * A flow of events from a source that an agent polls. The agent hosts the source under the name of the flow
         * followed by {@code -source}.
         *
         * @param factory  creates one new event at each call.
         * @param capacity number of pooled events, a power of two; through a ring it is the capacity of the ring.
         * @param source   of the events; not used by another flow of this server or of another running server.
         * @param <E>      type of the events.
         * @return the flow.
         */
        public <E extends BasePoolAware> Flow<E> from(
            final Supplier<? extends E> factory, final int capacity, final EventSource<E> source)
        {
            ObjectPool.checkRingCapacity("capacity of flow '" + name + "'", capacity);
            Objects.requireNonNull(factory, "factory");
            Objects.requireNonNull(source, "source");
            return new Flow<>(use(), factory, capacity, null, source);
        }

        /**
         * A flow of events that feeds of earlier flows offer: each is copied into an event of this flow. This flow's
         * capacity, pipeline, {@link #onFull} and {@link #pollLimit} are those of the subscription. Several feeds make
         * one flow; feeds on several agents need a ring or a disruptor.
         * <p>
         * Under BLOCK the feed takes no event that this flow cannot take. It never waits, so BLOCK is allowed in
         * {@link ThreadingMode#INVOKER}; it needs {@link Pipelines#ring()} or {@link Pipelines#direct()}.
         *
         * @param factory  creates one new event at each call.
         * @param capacity number of pooled events, a power of two; through a ring it is the capacity of the ring.
         * @param feeds    subscriptions, not used by another flow.
         * @param <E>      type of the events.
         * @return the flow.
         */
        @SafeVarargs
        public final <E extends BasePoolAware> Flow<E> from(
            final Supplier<? extends E> factory, final int capacity, final FeedSubscription<?, E>... feeds)
        {
            ObjectPool.checkRingCapacity("capacity of flow '" + name + "'", capacity);
            if (feeds.length == 0)
            {
                throw new IllegalArgumentException("flow '" + name + "' has no source: give it a feed");
            }
            final InVmSource<E> source = new InVmSource<>(factory, capacity);
            final Flow<E> flow = new Flow<>(use(), factory, capacity, source, null);
            for (final FeedSubscription<?, E> feed : feeds)
            {
                feed.target(flow);
                flow.feeds.add(feed);
            }
            return flow;
        }
    }

    /** Definition of one stage. */
    static final class Stage<E extends BasePoolAware>
    {
        final String name;
        final EventHandler<? super E> handler;
        final String serviceName;
        final List<String> after;

        Stage(final String name, final EventHandler<? super E> handler, final String serviceName, final String... after)
        {
            this.name = Names.check("stage", name);
            this.handler = handler;
            this.serviceName = serviceName;
            for (final String before : after)
            {
                Objects.requireNonNull(before, () -> "stage '" + name + "' follows a stage whose name is null");
            }
            this.after = List.of(after);
        }
    }

    private final String name;
    private final Supplier<? extends E> factory;
    private final int capacity;
    private final InVmSource<E> inVmSource;
    private final EventSource<E> polledSource;
    private final List<Stage<E>> stages = new ArrayList<>();
    private final List<FeedSubscription<?, E>> feeds = new ArrayList<>();
    private Pipelines.Spec<E> pipeline = Pipelines.ring();
    private BackPressure backPressure;
    private ToLongFunction<? super E> eventTime;
    private ToLongFunction<? super E> latencyFrom;
    private int pollLimit = AgentSpec.MAX_POLL_LIMIT;
    private boolean hasAlarm;
    private int alarmAt;
    private boolean disconnects;
    private boolean hasFeedsOnSeveralAgents;
    private boolean concluded;

    Flow(
        final String name,
        final Supplier<? extends E> factory,
        final int capacity,
        final InVmSource<E> inVmSource,
        final EventSource<E> polledSource)
    {
        this.name = name;
        this.factory = factory;
        this.capacity = capacity;
        this.inVmSource = inVmSource;
        this.polledSource = polledSource;
    }

    /**
     * Pipeline of the flow; default {@link Pipelines#ring()}.
     *
     * @param kind from {@link Pipelines}.
     * @return this.
     */
    public Flow<E> through(final Pipelines.Spec<E> kind)
    {
        checkOpen();
        pipeline = Objects.requireNonNull(kind, "kind");
        return this;
    }

    /**
     * Policy when no capacity is free; default {@link BackPressure#FAIL}, and CONFLATE for a conflating pipeline.
     *
     * @param policy of the publishing end.
     * @return this.
     */
    public Flow<E> onFull(final BackPressure policy)
    {
        checkOpen();
        backPressure = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Greatest number of events that a stage of this flow takes in one poll; default: the limit of its agent.
     *
     * @param limit 1 to {@link AgentSpec#MAX_POLL_LIMIT}; a smaller limit of the agent applies too.
     * @return this.
     * @throws IllegalArgumentException if the limit is out of range.
     */
    public Flow<E> pollLimit(final int limit)
    {
        checkOpen();
        if (limit < 1 || limit > AgentSpec.MAX_POLL_LIMIT)
        {
            throw new IllegalArgumentException("pollLimit " + limit + " of flow '" + name + "' is not in 1.." +
                AgentSpec.MAX_POLL_LIMIT);
        }
        pollLimit = limit;
        return this;
    }

    /**
     * Alarm if this flow is too slow for its feed: if that many events wait for a stage. The alarm is reported to the
     * error handler, and {@link Server#health()} is DEGRADED until half of them wait. Under CONFLATE the keys count.
     * The feed looks at the backlog while it offers events, at each eighth of the limit.
     *
     * @param backlog number of waiting events, 1 to the capacity of the pipeline.
     * @return this.
     */
    public Flow<E> alarmAt(final int backlog)
    {
        checkOpen();
        hasAlarm = true;
        alarmAt = backlog;
        disconnects = false;
        return this;
    }

    /**
     * As {@link #alarmAt}, and the feed offers this flow no further event: they are counted in {@code
     * FLOW.disconnected}. The waiting events are handled. To connect again, remove the flow and add it.
     *
     * @param backlog number of waiting events, 1 to the capacity of the pipeline.
     * @return this.
     */
    public Flow<E> disconnectAt(final int backlog)
    {
        alarmAt(backlog);
        disconnects = true;
        return this;
    }

    /**
     * Make the events the clock of the agents that host this flow's stages, for a replay: {@link Scheduler}. Tasks that
     * are due by the time of an event run before it, so that the same recording gives the same output. Not for two
     * flows on one agent.
     *
     * @param timeNs recorded time of an event, in nanoseconds; a smaller time than before does not move the clock. If
     *               it throws, the error policy of the agent applies; under SKIP_AND_RECORD the event is handled, and
     *               the clock stays.
     * @return this.
     */
    public Flow<E> eventTime(final ToLongFunction<? super E> timeNs)
    {
        checkOpen();
        eventTime = Objects.requireNonNull(timeNs, "timeNs");
        return this;
    }

    /**
     * Record the latency of each event in a histogram, without a lock and without allocation: from the time in the
     * event to the return of the last declared stage's handler; if that stage is removed, of the last one that is
     * left. It costs one reading of the clock for each event.
     *
     * @param startNs time that the publisher wrote into the event, in nanoseconds of the context's clock; by default
     *                that is {@code System.nanoTime()}. If it throws, the event is not recorded, and the error policy
     *                of the stage's agent applies.
     * @return this. {@link Server#latency} returns the histogram.
     */
    public Flow<E> latency(final ToLongFunction<? super E> startNs)
    {
        checkOpen();
        latencyFrom = Objects.requireNonNull(startNs, "startNs");
        return this;
    }

    /**
     * Add a stage with its handler.
     *
     * @param stage   name, unique in the server.
     * @param handler of the events; not used by another stage or as a source. A {@link HandlerService} is started and
     *                closed with the server.
     * @param after   stages of this flow that handle each event before this stage; none: the stage sees events as they
     *                are published.
     * @return this.
     */
    public Flow<E> to(final String stage, final EventHandler<? super E> handler, final String... after)
    {
        checkOpen();
        stages.add(new Stage<>(stage, Objects.requireNonNull(handler, () -> "handler of stage '" + stage + "'"), null,
            after));
        return this;
    }

    /**
     * Add a stage whose handler is a service, added to the context or found by {@link java.util.ServiceLoader}.
     *
     * @param stage   name, unique in the server.
     * @param service name of a {@link HandlerService} for this flow's events.
     * @param after   stages of this flow that handle each event before this stage.
     * @return this.
     */
    public Flow<E> toService(final String stage, final String service, final String... after)
    {
        checkOpen();
        stages.add(new Stage<>(stage, null, Names.check("service", service), after));
        return this;
    }

    static Flow<?> define(final String flow, final Function<Start, Flow<?>> definition)
    {
        final Start start = new Start(Names.check("flow", flow));
        Objects.requireNonNull(definition, () -> "definition of flow '" + flow + "'");
        return Objects.requireNonNull(definition.apply(start), () -> "the definition of flow '" + flow +
            "' returned null instead of the flow");
    }

    private void checkOpen()
    {
        if (concluded)
        {
            throw new IllegalStateException("the context of flow '" + name + "' is concluded: it cannot be changed");
        }
    }

    void conclude()
    {
        concluded = true;
    }

    String name()
    {
        return name;
    }

    String sourceName()
    {
        return name + "-source";
    }

    Supplier<? extends E> factory()
    {
        return factory;
    }

    int capacity()
    {
        return capacity;
    }

    InVmSource<E> inVmSource()
    {
        return inVmSource;
    }

    EventSource<E> polledSource()
    {
        return polledSource;
    }

    List<Stage<E>> stages()
    {
        return Collections.unmodifiableList(stages);
    }

    Pipelines.Spec<E> pipeline()
    {
        return pipeline;
    }

    /** Null if the events are not the clock. */
    ToLongFunction<? super E> eventTime()
    {
        return eventTime;
    }

    /** Null if no latency is recorded. */
    ToLongFunction<? super E> latencyFrom()
    {
        return latencyFrom;
    }

    /** Whether several threads may publish. */
    boolean isShared()
    {
        return hasFeedsOnSeveralAgents || inVmSource != null && inVmSource.isShared();
    }

    /** Empty if the flow has a source. */
    List<FeedSubscription<?, E>> feeds()
    {
        return Collections.unmodifiableList(feeds);
    }

    void feedsOnSeveralAgents()
    {
        hasFeedsOnSeveralAgents = true;
    }

    int pollLimit()
    {
        return pollLimit;
    }

    boolean hasAlarm()
    {
        return hasAlarm;
    }

    /** 0 if there is none. */
    int alarmAt()
    {
        return alarmAt;
    }

    boolean isDisconnecting()
    {
        return disconnects;
    }

    BackPressure backPressure()
    {
        return backPressure != null ? backPressure :
            pipeline.kind == Pipelines.Kind.CONFLATING ? BackPressure.CONFLATE : BackPressure.FAIL;
    }
}
