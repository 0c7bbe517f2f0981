package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventPipeline;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A flow of a built server: its pipeline, both of its ends, and the work of its agents.
 */
final class RunningFlow<E extends BasePoolAware>
{
    private final String name;
    private final EventPipeline<E> pipeline;
    private final EventPublication<E> publication;
    private final List<StageWork<E>> stageWork = new ArrayList<>();
    private final Set<StageWork<E>> followed = new LinkedHashSet<>();
    private final InVmSource<E> source;
    private final Failures failures;
    private SourceWork<E> sourceWork;
    private InlineStages<E> inline;
    private boolean startedByAgent;
    private volatile long undelivered;
    private volatile boolean ended;
    private boolean leftBehind;
    private volatile boolean hangsInline;
    private Predicate<StageAgent> startIsFutile = agent -> false;

    /**
     * @param source attached when the server starts; null if the flow has a polled source.
     */
    RunningFlow(
        final String name,
        final EventPipeline<E> pipeline,
        final EventPublication<E> publication,
        final InVmSource<E> source,
        final Failures failures)
    {
        this.name = name;
        this.pipeline = pipeline;
        this.publication = publication;
        this.source = source;
        this.failures = failures;
        publication.handledByCaller(this::isOwnAgentsThread);
        publication.waitIsFutile(this::isWaitFutile);
        publication.onPublishedLate(this::onPublishedLate);
    }

    void source(final SourceWork<E> duty)
    {
        sourceWork = duty;
    }

    /** Called for each stage after the stages that it follows. */
    void stage(final StageWork<E> duty, final List<StageWork<E>> before)
    {
        stageWork.add(duty);
        followed.addAll(before);
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
        for (int i = 0; i < stageWork.size(); i++)
        {
            if (stageWork.get(i).host().isCurrentThread())
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
        for (int i = 0; i < stageWork.size(); i++)
        {
            final StageAgent host = stageWork.get(i).host();
            if (host.isEnding() || startIsFutile.test(host) || stageWork.get(i).waitsForCaller())
            {
                return true;
            }
        }
        return false;
    }

    /** In the order of the stages, without stages of ended agents. */
    List<HandlerLifecycle> handlers()
    {
        final List<HandlerLifecycle> handlers = new ArrayList<>();
        stageWork.stream().filter(duty -> duty.host().isRunning()).forEach(duty -> handlers.add(duty.handlers()));
        if (inline != null && inline.end() == null && (!startedByAgent || sourceWork.host().isRunning()))
        {
            handlers.add(inline.handlers());
        }
        return handlers;
    }

    /** The handlers that no agent starts and closes; null if there are none. */
    HandlerLifecycle inlineHandlers()
    {
        return inline != null && !startedByAgent ? inline.handlers() : null;
    }

    /** Whether a thread hangs in a publish that called a handler. Call after {@link #close()}. */
    boolean hangsInline()
    {
        return hangsInline;
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

    void startInlineHandlers()
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
        stageWork.forEach(duty -> hosts.add(duty.host()));
        if (sourceWork != null)
        {
            hosts.add(sourceWork.host());
        }
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

    /** Called after the agents have ended or were abandoned. */
    void close()
    {
        final boolean inlineHangs = inline != null && !inline.awaitIdle(AgentGroup.MIN_END_NS);
        final long end = pipeline.publishedPosition();
        hangsInline = inlineHangs;
        leftBehind = inlineHangs || hosts().stream().anyMatch(StageAgent::isRunning);
        if (leftBehind)
        {
            // A thread may still use events: do not release them.
            undelivered = stageWork.stream().filter(duty -> !followed.contains(duty))
                .mapToLong(duty -> duty.left(end)).sum();
        }
        ended = true;
        // Pairs with the fence in onPublishedLate(): the publisher sees the end, or this thread sees the event.
        VarHandle.fullFence();
        sweep();
        if (undelivered > 0)
        {
            failures.report("flow '" + name + "' closed with " + undelivered + " deliveries missing", null);
        }
        if (inlineHangs)
        {
            failures.report("a handler of flow '" + name + "' hangs in a publish and is left behind", null);
        }
        else if (inline != null && !startedByAgent)
        {
            inline.close();
        }
    }

    private void onPublishedLate()
    {
        VarHandle.fullFence();
        if (ended)
        {
            sweep();
        }
    }

    /** Release and count the remaining events; called again for each event that is published after the end. */
    private synchronized void sweep()
    {
        if (!leftBehind)
        {
            undelivered += pipeline.close();
        }
    }

    void count(final Counters counters)
    {
        counters.add(name + ".published", "events that entered the pipeline", pipeline::publishedPosition);
        counters.add(name + ".rejected",
            "refused claims and offers: slow stages, a closing server, or a handler publishes into its direct flow",
            () -> publication.rejected() + (inline == null ? 0 : inline.reentries()));
        counters.add(name + ".dropped", "events dropped under DROP_NEWEST", publication::dropped);
        counters.add(name + ".blocked", "claims and offers that waited under BLOCK", publication::blocked);
        counters.add(name + ".displaced", "events displaced by newer ones under DROP_OLDEST or CONFLATE",
            pipeline::displaced);
        counters.add(name + ".undelivered",
            "deliveries missing at close: drain time over, a stage had ended, or a publish overlapped the close",
            () -> undelivered);
        counters.add(name + ".pool.available", "free events of the flow's pool", publication.pool()::available);
        counters.add(name + ".pool.exhausted",
            "requests that found no free event, including each retry of a waiting publisher",
            publication.pool().metrics()::exhausted);
        counters.add(name + ".pool.doubleReleases", "releases without a reference: a defect, find it in checked mode",
            () -> publication.pool().metrics().doubleReleases() + publication.pool().metrics().lateReleases());
        counters.add(name + ".pool.abandoned", "events claimed and not published",
            publication.pool().metrics()::abandoned);
    }

    String name()
    {
        return name;
    }
}
