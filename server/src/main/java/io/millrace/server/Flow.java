package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.pipeline.EventHandler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A flow carries one type of event from a source through a pipeline to stages. Define it in the order in which data
 * flows; threads are defined separately, by agents.
 *
 * @param <E> type of the events.
 */
public final class Flow<E extends BasePoolAware>
{
    /**
     * Start of a flow's definition.
     */
    public static final class Start
    {
        private final String name;

        Start(final String name)
        {
            this.name = name;
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
            return new Flow<>(name, source.factory(), source.capacity(), source, null);
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
            return new Flow<>(name, Objects.requireNonNull(factory, "factory"), capacity, null,
                Objects.requireNonNull(source, "source"));
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
            this.after = List.of(after);
        }
    }

    private final String name;
    private final Supplier<? extends E> factory;
    private final int capacity;
    private final InVmSource<E> inVmSource;
    private final EventSource<E> polledSource;
    private final List<Stage<E>> stages = new ArrayList<>();
    private Pipelines.Spec<E> pipeline = Pipelines.ring();
    private BackPressure backPressure;
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
        stages.add(new Stage<>(stage, Objects.requireNonNull(handler, "handler"), null, after));
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

    boolean isShared()
    {
        return inVmSource != null && inVmSource.isShared();
    }

    BackPressure backPressure()
    {
        return backPressure != null ? backPressure :
            pipeline.kind == Pipelines.Kind.CONFLATING ? BackPressure.CONFLATE : BackPressure.FAIL;
    }
}
