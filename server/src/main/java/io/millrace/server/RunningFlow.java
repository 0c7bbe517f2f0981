package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.ConflatingPipeline;
import io.millrace.server.pipeline.EventPipeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A flow of a built server: its pipeline, both of its ends, and the work of its agents.
 */
final class RunningFlow<E extends BasePoolAware>
{
    private final String name;
    private final EventPipeline<E> pipeline;
    private final EventPublication<E> publication;
    /** The present stages, in the order of the flow. */
    private final List<Flow.Stage<E>> stages = new CopyOnWriteArrayList<>();
    private final List<StageWork<E>> stageWork = new CopyOnWriteArrayList<>();
    /** The same, for a publisher that waits. */
    private volatile StageWork<?>[] present = {};
    /** The agents of the first start, in the order of their start. */
    private final Map<AgentSpec, List<AgentWork>> workByAgent = new LinkedHashMap<>();
    private final InVmSource<E> source;
    private final Supplier<? extends E> factory;
    private final ToLongFunction<? super E> eventTime;
    private final BackPressure backPressure;
    private final FlowPublishers publishers;
    private final List<FeedSubscription<?, E>> feeds;
    private final int pollLimit;
    private final FlowEnd<E> end;
    private SourceWork<E> sourceWork;
    private InlineStages<E> inline;
    private boolean startedByAgent;
    private LatencyRecorder latency;
    private Predicate<StageAgent> startIsFutile = agent -> false;

    RunningFlow(
        final Flow<E> definition,
        final EventPipeline<E> pipeline,
        final EventPublication<E> publication,
        final Failures failures)
    {
        name = definition.name();
        stages.addAll(definition.stages());
        source = definition.inVmSource();
        publishers = new FlowPublishers(name, definition.isShared());
        factory = definition.factory();
        eventTime = definition.eventTime();
        backPressure = definition.backPressure();
        feeds = definition.feeds();
        pollLimit = definition.pollLimit();
        this.pipeline = pipeline;
        this.publication = publication;
        end = new FlowEnd<>(this, failures);
        publication.handledByCaller(this::isOwnAgentsThread);
        publication.waitIsFutile(this::isWaitFutile);
        publication.onPublishedLate(end::onPublishedLate);
        feeds.forEach(feed -> feed.bind(definition, this, failures));
    }

    List<FeedSubscription<?, E>> feeds()
    {
        return feeds;
    }

    /** The agent of each feed that is a handler of this flow. */
    Map<Feed<?>, StageAgent> feedAgents()
    {
        final Map<Feed<?>, StageAgent> agents = new LinkedHashMap<>();
        stageWork.forEach(duty -> duty.handlers().handlers().stream().map(GuardedHandler::handler)
            .filter(Feed.class::isInstance).forEach(feed -> agents.put((Feed<?>)feed, duty.host())));
        return agents;
    }

    /** Limit of a poll of a stage on an agent. */
    int pollLimit(final AgentSpec agent)
    {
        return Math.min(pollLimit, agent.pollLimit());
    }

    /** Number of events that the slowest stage has not passed, by its announced position. Any thread. */
    long backlog()
    {
        final long end = pipeline.publishedPosition();
        long backlog = 0;
        for (final StageWork<?> duty : present)
        {
            backlog = Math.max(backlog, duty.left(end));
        }
        return backlog;
    }

    void source(final SourceWork<E> duty, final AgentSpec agent)
    {
        sourceWork = duty;
        workByAgent.computeIfAbsent(agent, spec -> new ArrayList<>()).add(duty);
    }

    /** Called for each stage after the stages that it follows. */
    void stage(final StageWork<E> duty, final AgentSpec agent)
    {
        stageWork.add(duty);
        present = stageWork.toArray(new StageWork<?>[0]);
        workByAgent.computeIfAbsent(agent, spec -> new ArrayList<>()).add(duty);
    }

    Map<AgentSpec, List<AgentWork>> workByAgent()
    {
        return workByAgent;
    }

    /** A stage that was added at run time. */
    void add(final Flow.Stage<E> stage, final StageWork<E> duty)
    {
        stages.add(stage);
        stageWork.add(duty);
        present = stageWork.toArray(new StageWork<?>[0]);
    }

    /** A stage that was removed at run time; its work too, unless other stages are fused with it. */
    void remove(final String stage, final StageWork<E> duty)
    {
        stages.removeIf(each -> each.name.equals(stage));
        if (duty != null)
        {
            stageWork.remove(duty);
            present = stageWork.toArray(new StageWork<?>[0]);
        }
    }

    List<String> stages()
    {
        return stages.stream().map(stage -> stage.name).collect(Collectors.toList());
    }

    List<String> stagesAfter(final String stage)
    {
        return stages.stream().filter(each -> each.after.contains(stage)).map(each -> each.name)
            .collect(Collectors.toList());
    }

    /** Names of the parts that agents host. */
    List<String> parts()
    {
        final List<String> parts = new ArrayList<>(stages());
        if (sourceWork != null)
        {
            parts.add(sourceWork.name());
        }
        return parts;
    }

    List<AgentWork> allWork()
    {
        final List<AgentWork> all = new ArrayList<>(stageWork);
        if (sourceWork != null)
        {
            all.add(0, sourceWork);
        }
        return all;
    }

    /** Null if no agent hosts a part of this name. */
    AgentWork work(final String part)
    {
        return sourceWork != null && sourceWork.name().equals(part) ? sourceWork : stageWork(part);
    }

    /** Null if no agent hosts a stage of this name. */
    StageWork<E> stageWork(final String stage)
    {
        return stageWork.stream().filter(duty -> handler(duty, stage) != null).findFirst().orElse(null);
    }

    GuardedHandler<E> handler(final StageWork<E> duty, final String stage)
    {
        return duty.handlers().handlers().stream().filter(each -> each.stage().equals(stage)).findFirst().orElse(null);
    }

    StageWork<E> firstStageWork()
    {
        return stageWork.get(0);
    }

    SourceWork<E> sourceWork()
    {
        return sourceWork;
    }

    List<GuardedHandler<E>> guarded()
    {
        final List<GuardedHandler<E>> guarded = new ArrayList<>();
        stageWork.forEach(duty -> guarded.addAll(duty.handlers().handlers()));
        if (inline != null)
        {
            guarded.addAll(inline.handlers().handlers());
        }
        return guarded;
    }

    /** The handlers and the polled source. */
    List<Object> objects()
    {
        final List<Object> objects = new ArrayList<>();
        guarded().forEach(each -> objects.add(each.handler()));
        if (sourceWork != null)
        {
            objects.add(sourceWork.source());
        }
        return objects;
    }

    EventPipeline<E> pipeline()
    {
        return pipeline;
    }

    ObjectPool<E> pool()
    {
        return publication.pool();
    }

    ToLongFunction<? super E> eventTime()
    {
        return eventTime;
    }

    /** Null if no latency is recorded. */
    LatencyRecorder latency()
    {
        return latency;
    }

    void latency(final LatencyRecorder recorder)
    {
        latency = recorder;
    }

    BackPressure backPressure()
    {
        return backPressure;
    }

    FlowPublishers publishers()
    {
        return publishers;
    }

    /** The stages themselves, for a description. */
    List<Flow.Stage<E>> definitions()
    {
        return stages;
    }

    /** Null if no stage has this name. */
    Object handlerOf(final String stage)
    {
        return (inline != null ? inline.handlers().handlers().stream() :
            stageWork.stream().flatMap(duty -> duty.handlers().handlers().stream()))
            .filter(each -> each.stage().equals(stage)).map(GuardedHandler::handler).findFirst().orElse(null);
    }

    /** Null if the publisher calls the stage. */
    StageAgent hostOf(final String stage)
    {
        final StageWork<E> duty = stageWork(stage);
        return duty != null ? duty.host() : sourceWork != null ? sourceWork.host() : null;
    }

    EventPublication<E> publication()
    {
        return publication;
    }

    /** Class of the flow's events. Creates one: off the hot path. */
    Class<?> eventType()
    {
        return factory.get().getClass();
    }

    InVmSource<E> source()
    {
        return source;
    }

    /**
     * Set the stages of a direct pipeline; {@code byAgent} if the agent of a polled source starts them, not the launch.
     */
    void inline(final InlineStages<E> stages, final boolean byAgent)
    {
        inline = stages;
        startedByAgent = byAgent;
    }

    private boolean isOwnAgentsThread()
    {
        for (final StageWork<?> duty : present)
        {
            final StageAgent host = duty.host();
            if (host != null && host.isCurrentThread())
            {
                return true;
            }
        }
        return isInsideInlineHandler();
    }

    /** Set before the start: tests whether the calling thread would wait forever for an agent during the start. */
    void startIsFutile(final Predicate<StageAgent> test)
    {
        startIsFutile = test;
    }

    /**
     * A stage frees no capacity if its agent has ended or cannot start before the caller continues, or behind a gate
     * that waits for the caller.
     */
    private boolean isWaitFutile()
    {
        final StageWork<?>[] all = present;
        for (final StageWork<?> duty : all)
        {
            final StageAgent host = duty.host();
            // Without a host the flow has just been added, and the stage's agent starts next.
            if (host != null && host.isEnding() || startIsFutile.test(host) || duty.waitsForCaller())
            {
                // The agent of a stage that is being removed does not count: look again in the next round.
                return all == present;
            }
        }
        return false;
    }

    /** In the order of the stages, without stages of ended agents. */
    List<HandlerLifecycle<?>> handlers()
    {
        final List<HandlerLifecycle<?>> handlers = new ArrayList<>();
        stageWork.stream().filter(duty -> duty.host().isRunning()).forEach(duty -> handlers.add(duty.handlers()));
        if (inline != null && inline.end() == null && (!startedByAgent || sourceWork.host().isRunning()))
        {
            handlers.add(inline.handlers());
        }
        return handlers;
    }

    /** The handlers that no agent starts and closes; null if there are none. */
    HandlerLifecycle<?> inlineHandlers()
    {
        return inline != null && !startedByAgent ? inline.handlers() : null;
    }

    /** Whether the calling thread is inside a handler that its own publish called. */
    boolean isInsideInlineHandler()
    {
        return inline != null && inline.isCallerInside();
    }

    /** The publishing thread changes. */
    void clearPublishingThread()
    {
        publication.clearPublishingThread();
    }

    void startInlineHandlers() throws Exception
    {
        if (inline != null && !startedByAgent)
        {
            inline.start();
        }
    }

    void attachSource()
    {
        if (source != null)
        {
            source.attach(publication);
        }
    }

    /** The agents of this flow's stages and source. */
    Set<StageAgent> hosts()
    {
        final Set<StageAgent> hosts = new LinkedHashSet<>();
        allWork().forEach(duty -> hosts.add(duty.host()));
        // A flow that did not start may have parts without an agent.
        hosts.remove(null);
        return hosts;
    }

    /** Start polling the source, after every agent has started. */
    void startPolling()
    {
        if (sourceWork != null)
        {
            sourceWork.startPolling();
        }
    }

    /** Request that the source is not polled again. */
    void stopPolling()
    {
        if (sourceWork != null)
        {
            sourceWork.stop();
        }
    }

    /** Whether the last poll of the source has ended; a poll that waits for a dead stage may never end. */
    boolean isPollingStopped()
    {
        return sourceWork == null || sourceWork.isStopped();
    }

    boolean isAnyStageDead()
    {
        return stageWork.stream().anyMatch(duty -> !duty.host().isRunning());
    }

    /** Refuse further events; a publish that is in progress may still complete. */
    void closePublication()
    {
        publication.close();
    }

    /** Whether each stage with a running agent has passed all events that can still reach it. */
    boolean isDrained()
    {
        final long end = pipeline.publishedPosition();
        if (inline != null && inline.isBusy())
        {
            return false;
        }
        for (final StageWork<E> duty : stageWork)
        {
            if (!duty.isDrained(end))
            {
                return false;
            }
        }
        return true;
    }

    boolean isExhausted()
    {
        return sourceWork == null || sourceWork.isExhausted();
    }

    long publishedPosition()
    {
        return pipeline.publishedPosition();
    }

    FlowEnd<E> end()
    {
        return end;
    }

    /** Null if the flow has a queue. */
    InlineStages<E> inline()
    {
        return inline;
    }

    /** Any thread: a handler that is inside of a publish into a direct flow; null if none. */
    String stillRunning()
    {
        return inline != null && inline.isBusy() ? "a handler of flow '" + name() + "'" : null;
    }

    /** Deliveries of the events before a position that the terminal stages have not made. */
    long left(final long position)
    {
        return stageWork.stream().filter(duty -> stageWork.stream().noneMatch(each -> each.follows(duty)))
            .mapToLong(duty -> duty.left(position)).sum();
    }

    /** Publishes that threw: a handler of the direct flow made them, or the event has no key. */
    long thrown()
    {
        return inline != null ? inline.reentries() :
            pipeline instanceof ConflatingPipeline ? ((ConflatingPipeline<E>)pipeline).keyErrors() : 0;
    }

    String name()
    {
        return name;
    }
}
