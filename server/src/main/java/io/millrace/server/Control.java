package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Changes of a running server. Each change is a message to the agent that owns the part. The agent carries it out
 * between two duty cycles, so a handler is never changed while it handles an event.
 * <p>
 * Any thread except those of the agents. One change at a time; each method returns when the change is complete. If an
 * agent does not answer within the drain time, or the caller is interrupted meanwhile, the message is withdrawn and the
 * call throws. What the agent has begun is not withdrawn: after an interrupt the call waits for it, within the drain
 * time. An agent that does not start within the drain time ends when its start returns. In INVOKER mode the calling
 * thread carries the change out itself, between two invocations, without a time limit.
 * <p>
 * Each method throws {@link IllegalArgumentException} for a name that does not exist, and {@link IllegalStateException}
 * if the server does not run, an agent does not answer, or the caller is an agent's thread. A change that throws
 * changes nothing, unless the message says so.
 */
public final class Control
{
    private final Server.Context context;
    private final Assembly assembly;
    private final AgentGroup agents;
    private final StartedServices services;
    private final Changes changes;
    private final FlowChanges flowChanges;
    private final StageChanges stageChanges;
    private final List<RunningFlow<?>> flows;

    Control(
        final Server.Context context,
        final Assembly assembly,
        final AgentGroup agents,
        final StartedServices services,
        final Changes changes)
    {
        this.context = context;
        this.assembly = assembly;
        this.agents = agents;
        this.services = services;
        this.changes = changes;
        flowChanges = new FlowChanges(context, assembly, agents, services, changes);
        stageChanges = new StageChanges(assembly, agents, services, changes, flowChanges);
        flows = assembly.flows();
    }

    /**
     * Run an action on the thread of an agent, between two of its duty cycles. Any thread, also an agent's. In INVOKER
     * mode it runs in the next invocation.
     *
     * @param agent  name of a running agent.
     * @param action must be short: the agent does no other work meanwhile.
     * @param <T>    type of the result.
     * @return completes with the result or the exception of the action; with an {@link IllegalStateException} if the
     * agent ends before. Its dependent stages run on the agent's thread. Cancelling it before the action runs prevents
     * the run.
     * @throws IllegalArgumentException if no agent of this name runs.
     */
    public <T> CompletableFuture<T> run(final String agent, final Callable<T> action)
    {
        final AgentRequest<T> request = new AgentRequest<>(Objects.requireNonNull(action, "action"));
        agent(agent).request(request);
        return request;
    }

    /**
     * Stop polling a stage or a source. Its events wait in the pipeline, where the flow's back-pressure policy applies
     * to new ones. {@link Server#close()} resumes paused parts, so that these events are handled. No effect if it is
     * paused. A handler may also pause and resume parts of its own agent.
     *
     * @param part name of a stage, which pauses the stages that are fused with it too, or of a polled source
     *             ({@code FLOW-source}).
     */
    public void pause(final String part)
    {
        setPaused(part, true);
    }

    /**
     * Continue to poll a paused stage or source. No effect if it is not paused.
     *
     * @param part as for {@link #pause}.
     */
    public void resume(final String part)
    {
        setPaused(part, false);
    }

    private void setPaused(final String part, final boolean paused)
    {
        final AgentWork work = flows.stream().map(flow -> flow.work(part)).filter(Objects::nonNull).findFirst()
            .orElseThrow(() -> unknown("no stage or polled source on an agent", part, flows.stream()
                .flatMap(flow -> flow.parts().stream().filter(each -> flow.work(each) != null))
                .collect(Collectors.toList())));
        final Callable<Boolean> action = () ->
        {
            work.host().pause(work, paused);
            return true;
        };
        if (agents.isOwnThread() && work.host().isCurrentThread())
        {
            work.host().pause(work, paused);
        }
        else
        {
            changes.run(() -> changes.call(work.host(), action));
        }
    }

    /**
     * Replace the handler of a stage. Every event is handled once, by the old handler or by the new one. First the new
     * handler starts; if that fails, the old one stays. Then {@link EventHandler#onDrained()} and
     * {@link EventHandler#onClose()} of the old one are called. All on the agent's thread.
     *
     * @param stage   name of a stage with an agent.
     * @param handler the new handler for events of the same type, not used elsewhere; a gate, a throttled handler or a
     *                handler that completes at the end of a batch only in place of another one. A
     *                {@link HandlerService} is added before, and that of the old handler removed afterwards: on the
     *                calling thread, or on the agent's if it takes longer than the drain time.
     * @param <E>     type of the flow's events; not checked.
     */
    public <E extends BasePoolAware> void replaceHandler(final String stage, final EventHandler<? super E> handler)
    {
        Objects.requireNonNull(handler, "handler");
        changes.run(() ->
        {
            final RunningFlow<E> flow = flowOfStage(stage);
            checkUnused(handler);
            final StageWork<E> work = flow.stageWork(stage);
            final GuardedHandler<E> guarded = flow.handler(work, stage);
            final Object old = guarded.handler();
            if (old instanceof Feed || handler instanceof Feed)
            {
                throw new IllegalArgumentException("the handler of stage '" + stage + "' cannot be replaced: a feed " +
                    "and its subscriptions belong together");
            }
            services.startInPlaceOf(old, handler);
            final Object[] leaving = {old};
            changes.call(work.host(), () ->
            {
                // Another one if the change before this one has ended late.
                leaving[0] = guarded.handler();
                guarded.replace(handler);
                work.handlersChanged();
                return true;
            }, isReplaced -> services.close(isReplaced ? leaving[0] : handler));
        });
    }

    /**
     * Replace the polled source of a flow: the new one starts, then the old one is closed, on the agent's thread. If
     * the new one does not start, the old one stays. The counters of the new one take the place of the old one's.
     *
     * @param flow   name of a flow with a polled source.
     * @param source the new source, not used elsewhere.
     * @param <E>    type of the flow's events; not checked.
     */
    public <E extends BasePoolAware> void replaceSource(final String flow, final EventSource<E> source)
    {
        Objects.requireNonNull(source, "source");
        changes.run(() ->
        {
            final SourceWork<E> work = this.<E>flow(flow).sourceWork();
            if (work == null)
            {
                throw new IllegalArgumentException("flow '" + flow + "' has no polled source");
            }
            checkUnused(source);
            changes.call(work.host(), () ->
            {
                work.replace(source);
                return true;
            }, isReplaced ->
            {
                if (isReplaced)
                {
                    assembly.countReplaced(work, source);
                }
            });
        });
    }

    /**
     * Add a stage to a flow through a ring. It sees every event that is published after this call, none twice.
     *
     * @param flow    name of the flow.
     * @param stage   name, unique in the server.
     * @param agent   hosts the stage: a running agent, or a new one of this name, with its declared settings or else
     *                those of the context. The stage is fused with no other.
     * @param handler of the events, not used elsewhere. A {@link HandlerService} is added before. One that a launch
     *                refuses on this agent is refused.
     * @param after   stages of the flow that handle each event before this stage.
     * @param <E>     type of the flow's events; not checked.
     */
    public <E extends BasePoolAware> void addStage(
        final String flow,
        final String stage,
        final String agent,
        final EventHandler<? super E> handler,
        final String... after)
    {
        changes.run(() ->
        {
            final RunningFlow<E> running = flow(flow);
            final Flow.Stage<E> added =
                new Flow.Stage<>(stage, Objects.requireNonNull(handler, "handler"), null, after);
            checkStage(running, added);
            final AgentSpec host = assembly.spec(Names.check("agent", agent));
            FlowCheck.added(flow, added, host, context.errorPolicyOf(host));
            stageChanges.add(running, added, agent);
        });
    }

    /**
     * Remove a stage. It handles no event after this call, and the publisher does not wait for it any more. Its handler
     * gets {@link EventHandler#onDrained()} and {@link EventHandler#onClose()} on the agent's thread, and its service
     * is removed afterwards. An agent without other work ends. If the agent has ended, it has called onClose before,
     * and onDrained is not called. If the handler takes longer than the drain time to close, the call throws, and the
     * agent carries out the end of the change later.
     *
     * @param stage name of a stage that no other stage follows. Not the last one of its flow; through another pipeline
     *              than a ring, only one of several fused stages.
     * @return number of events that were published before this call and not handled by the stage; 0 for one of several
     * fused stages.
     */
    public long removeStage(final String stage)
    {
        final long[] left = new long[1];
        changes.run(() ->
        {
            final RunningFlow<BasePoolAware> flow = flowOfStage(stage);
            final List<String> later = flow.stagesAfter(stage);
            if (!later.isEmpty() || flow.stages().size() == 1)
            {
                throw new IllegalArgumentException("stage '" + stage + "' cannot be removed: " + (later.isEmpty() ?
                    "it is the last one of flow '" + flow.name() + "'" : "stages " + later + " follow it"));
            }
            if (!FlowChanges.isChangeable(flow.pipeline()) && flow.stageWork(stage).handlers().handlers().size() == 1)
            {
                throw new IllegalArgumentException("stage '" + stage + "' cannot be removed: stages leave a ring " +
                    "only, and flow '" + flow.name() + "' goes through " + flow.pipeline().describe());
            }
            FlowChanges.checkUnread(flow.handler(flow.stageWork(stage), stage).handler());
            left[0] = stageChanges.remove(flow, flow.handler(flow.stageWork(stage), stage), flow.stageWork(stage));
        });
        return left[0];
    }

    /**
     * Add a flow with its source and its stages, and start it. It is placed as the threading mode says; in INVOKER and
     * SHARED mode on the agent {@code shared}. The settings of that agent apply. A flow from a {@link Feed} gets each
     * event that the feed handles from the call on, and before it those that the feed has kept, if it asks for them.
     *
     * @param flow       name, unique in the server.
     * @param definition defines the flow, as for {@link Server.Context#flow}. A stage may name a service of the server.
     */
    public void addFlow(final String flow, final Function<Flow.Start, Flow<?>> definition)
    {
        changes.run(() ->
        {
            final Flow<?> defined = Flow.define(flow, definition);
            checkNames(defined);
            flowChanges.add(defined);
        });
    }

    /**
     * Remove a flow: its source stops, events in flight are handled until the drain time is over, handlers and source
     * are closed, and agents without other work end. Events that were not handled are counted and reported. Publishers
     * of its {@link InVmSource} get null and false then, as after a close; another flow can use the source.
     * <p>
     * If an agent does not answer, or the caller is interrupted meanwhile, the flow takes no more events but is still
     * listed: remove it again. If the server closes meanwhile, the call throws, and the close handles the events.
     *
     * @param flow name of the flow; not the last one of the server, unless an agent of it has ended.
     */
    public void removeFlow(final String flow)
    {
        changes.run(() ->
        {
            final RunningFlow<?> leaving = flow(flow);
            if (flows.size() == 1 && leaving.hosts().stream().allMatch(StageAgent::isRunning))
            {
                throw new IllegalArgumentException("flow '" + flow + "' is the last one: close the server");
            }
            if (leaving.isInsideInlineHandler())
            {
                throw new IllegalStateException("flow '" + flow + "' cannot be removed inside of its own handler, " +
                    "because the removal would wait for itself: call it on another thread");
            }
            flowChanges.remove(leaving);
        });
    }

    /**
     * Add a service and start it, on the calling thread.
     *
     * @param service its name is unique in the server.
     * @throws IllegalArgumentException if it runs already, or another one has its name.
     */
    public void addService(final Service service)
    {
        Objects.requireNonNull(service, "service");
        changes.run(() ->
        {
            if (services.isStarted(service))
            {
                throw new IllegalArgumentException("service '" + service.name() + "' runs already");
            }
            try
            {
                services.start(service);
                agents.checkOpen();
            }
            catch (final Throwable ex)
            {
                services.close(service);
                throw ex;
            }
        });
    }

    /**
     * Close a service and remove it, on the calling thread. The caller must know that nothing uses it any more.
     *
     * @param service name of a service that no stage has as its handler.
     */
    public void removeService(final String service)
    {
        changes.run(() ->
        {
            final Service found = services.byName().get(service);
            if (found == null)
            {
                throw unknown("no service", service, List.copyOf(services.byName().keySet()));
            }
            if (flows.stream().flatMap(flow -> flow.objects().stream()).anyMatch(object -> object == found))
            {
                throw new IllegalArgumentException("service '" + service + "' handles events: remove its stage");
            }
            services.close(found);
        });
    }

    private StageAgent agent(final String name)
    {
        final StageAgent agent = agents.find(name);
        if (agent == null)
        {
            throw unknown("no running agent", name, agents.agents().stream().filter(StageAgent::isRunning)
                .map(StageAgent::roleName).collect(Collectors.toList()));
        }
        return agent;
    }

    @SuppressWarnings("unchecked")
    private <E extends BasePoolAware> RunningFlow<E> flow(final String name)
    {
        return (RunningFlow<E>)flows.stream().filter(flow -> flow.name().equals(name)).findFirst().orElseThrow(
            () -> unknown("no flow", name, flows.stream().map(RunningFlow::name).collect(Collectors.toList())));
    }

    @SuppressWarnings("unchecked")
    private <E extends BasePoolAware> RunningFlow<E> flowOfStage(final String stage)
    {
        return (RunningFlow<E>)flows.stream().filter(flow -> flow.stageWork(stage) != null).findFirst().orElseThrow(
            () -> unknown("no stage on an agent", stage,
                flows.stream().flatMap(flow -> flow.stages().stream()).collect(Collectors.toList())));
    }

    /**
     * Stack of an agent's thread, for example of one that hangs. Any thread.
     *
     * @param agent name of a running agent.
     * @return the stack; in INVOKER mode that of the last invoking thread.
     * @throws IllegalArgumentException if no agent of this name runs.
     */
    public StackTraceElement[] stack(final String agent)
    {
        return agent(agent).thread().getStackTrace();
    }

    /** @return names of the present flows. Any thread. */
    public List<String> flows()
    {
        return flows.stream().map(RunningFlow::name).collect(Collectors.toList());
    }

    /** @return names of the present stages, in the order of the flows. Any thread. */
    public List<String> stages()
    {
        return flows.stream().flatMap(flow -> flow.stages().stream()).collect(Collectors.toList());
    }

    private void checkNames(final Flow<?> added)
    {
        if (flows.stream().anyMatch(flow -> flow.name().equals(added.name())))
        {
            throw new IllegalArgumentException("two flows have the name '" + added.name() + "'");
        }
        added.stages().forEach(stage -> checkStageName(stage.name));
        added.stages().forEach(stage -> checkUnused(context.handlerOf(stage)));
        if (added.polledSource() != null)
        {
            checkStageName(added.sourceName());
            checkUnused(added.polledSource());
        }
    }

    private void checkUnused(final Object object)
    {
        if (object != null && flows.stream().flatMap(flow -> flow.objects().stream()).anyMatch(used -> used == object))
        {
            throw new IllegalArgumentException("a " + object.getClass().getName() + " is a handler or a source of " +
                "this server already: each part needs an object of its own");
        }
    }

    private void checkStage(final RunningFlow<?> flow, final Flow.Stage<?> stage)
    {
        checkUnused(stage.handler);
        checkStageName(stage.name);
        for (final String name : stage.after)
        {
            if (!flow.stages().contains(name))
            {
                throw unknown("stage '" + stage.name + "' cannot follow", name, flow.stages());
            }
        }
        if (!FlowChanges.isChangeable(flow.pipeline()))
        {
            throw new IllegalArgumentException("stages join a ring only: flow '" + flow.name() + "' goes through " +
                flow.pipeline().describe());
        }
    }

    private void checkStageName(final String name)
    {
        if (name.equals(FlowCheck.SERVER) || flows.stream().anyMatch(each -> each.parts().contains(name)))
        {
            throw new IllegalArgumentException("the name '" + name + "' is taken by another stage or source");
        }
    }

    LatencyRecorder latency(final String flow)
    {
        return flows.stream().filter(each -> each.latency() != null && each.name().equals(flow))
            .map(RunningFlow::latency).findFirst()
            .orElseThrow(() -> unknown("no flow with a latency", flow, flowsWithLatency()));
    }

    List<String> flowsWithLatency()
    {
        return flows.stream().filter(each -> each.latency() != null).map(RunningFlow::name)
            .collect(Collectors.toList());
    }

    FlowGraph graph()
    {
        return new FlowGraph(flows);
    }

    static IllegalArgumentException unknown(final String what, final String name, final List<String> known)
    {
        return new IllegalArgumentException(what + " '" + name + "': there are " + known);
    }
}
