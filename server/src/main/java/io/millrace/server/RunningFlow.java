package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventPipeline;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * A flow that was built: its pipeline, both of its ends, and the duties that agents do for it.
 */
final class RunningFlow<E extends BasePoolAware>
{
    private final String name;
    private final EventPipeline<E> pipeline;
    private final EventPublication<E> publication;
    private final List<StageDuty<E>> stageDuties = new ArrayList<>();
    private final List<StageAgent> agents = new ArrayList<>();
    private final List<EventHandler<? super E>> directHandlers = new ArrayList<>();
    private SourceDuty<E> sourceDuty;
    private volatile long undelivered;
    private volatile boolean ended;

    RunningFlow(final String name, final EventPipeline<E> pipeline, final EventPublication<E> publication)
    {
        this.name = name;
        this.pipeline = pipeline;
        this.publication = publication;
        publication.callerMakesRoom(this::isOwnAgentsThread);
        publication.onPublishedLate(this::onPublishedLate);
    }

    void source(final SourceDuty<E> duty)
    {
        sourceDuty = duty;
    }

    void stage(final StageDuty<E> duty)
    {
        stageDuties.add(duty);
    }

    void direct(final EventHandler<? super E> handler)
    {
        directHandlers.add(handler);
    }

    /** The agents that poll a stage of this flow. */
    void agent(final StageAgent agent)
    {
        agents.add(agent);
    }

    private boolean isOwnAgentsThread()
    {
        for (int i = 0; i < agents.size(); i++)
        {
            if (agents.get(i).isCurrentThread())
            {
                return true;
            }
        }
        return false;
    }

    void start()
    {
        directHandlers.forEach(EventHandler::onStart);
    }

    /** No further event is published after this and {@link #isSourceStopped()}. */
    void stopSource()
    {
        publication.close();
        if (sourceDuty != null)
        {
            sourceDuty.stop();
        }
        stageDuties.forEach(StageDuty::drain);
    }

    boolean isSourceStopped()
    {
        return sourceDuty == null || sourceDuty.isStopped();
    }

    boolean isDrained()
    {
        final long end = pipeline.published();
        for (final StageDuty<E> duty : stageDuties)
        {
            if (duty.subscription().position() < end)
            {
                return false;
            }
        }
        return true;
    }

    /** Nothing more will come by itself, and what came is handled. */
    boolean isExhausted()
    {
        if (sourceDuty != null && !sourceDuty.isExhausted())
        {
            return false;
        }
        // A ring tells its position late unless it is asked to: ask, once the source is at its end.
        stageDuties.forEach(StageDuty::drain);
        return isDrained();
    }

    boolean canDrain()
    {
        return agents.stream().noneMatch(StageAgent::isEnded);
    }

    void close(final Failures failures)
    {
        ended = true;
        // Pairs with the fence in onPublishedLate(): the publisher sees the end, or this sees what was published.
        VarHandle.fullFence();
        sweep();
        if (undelivered > 0)
        {
            failures.report("flow '" + name + "' closed with " + undelivered + " deliveries undone", null);
        }
        for (final EventHandler<? super E> handler : directHandlers)
        {
            try
            {
                handler.onClose();
            }
            catch (final RuntimeException ex)
            {
                failures.report("closing a handler of flow '" + name + "'", ex);
            }
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

    /** Give back and count what is left; once more for each event that a publisher brings after the end. */
    private synchronized void sweep()
    {
        undelivered += pipeline.close();
    }

    void count(final Counters counters)
    {
        counters.add(name + ".published", "events that entered the pipeline", pipeline::published);
        counters.add(name + ".rejected", "claims and offers refused: the stages are too slow, or the server closes",
            publication::rejected);
        counters.add(name + ".dropped", "events dropped under DROP_NEWEST", publication::dropped);
        counters.add(name + ".blocked", "claims and offers that waited under BLOCK", publication::blocked);
        counters.add(name + ".displaced", "events that made way for newer ones under DROP_OLDEST or CONFLATE",
            pipeline::displaced);
        counters.add(name + ".undelivered", "deliveries undone at close: out of drain time, or a stage had ended",
            () -> undelivered);
        counters.add(name + ".pool.available", "free events of the flow's pool", publication.pool()::available);
        counters.add(name + ".pool.exhausted", "times that no event was free", publication.pool().metrics()::exhausted);
        counters.add(name + ".pool.doubleReleases", "releases without a hold: a defect, find it in checked mode",
            () -> publication.pool().metrics().doubleReleases() + publication.pool().metrics().lateReleases());
        counters.add(name + ".pool.abandoned", "events claimed and not published",
            publication.pool().metrics()::abandoned);
    }

    String name()
    {
        return name;
    }
}
