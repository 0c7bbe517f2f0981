package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A running set of flows. Launched from a {@link Context}; closed once, in order: sources, drain, agents, services.
 * <p>
 * The server starts one thread for each agent, one that sleeps until the server must stop and, unless disabled, one for
 * the stall detector. During the close it starts one for each service. In INVOKER mode it starts no thread. Only the
 * stall detector's thread is a daemon: a server keeps the JVM running until it is closed.
 * <p>
 * A server has no static state, prints nothing unless something fails, and never ends the JVM.
 */
public final class Server implements AutoCloseable
{
    private final Lifecycle lifecycle;

    private Server(final Lifecycle lifecycle)
    {
        this.lifecycle = lifecycle;
    }

    /**
     * Build and start a server. When this call returns, every service and every agent has started.
     * <p>
     * There is no time limit: an {@code onStart} that hangs blocks this call until the calling thread is interrupted.
     * On the calling thread run services, handlers of direct flows and INVOKER mode: if one of these hangs, an
     * interrupt helps only if {@code onStart} reacts to it.
     *
     * @param context definition of the server; this call concludes it if needed.
     * @return the running server.
     * @throws IllegalArgumentException if a setting is impossible; nothing was started.
     * @throws IllegalStateException    if a service, a handler or a source could not start, or the calling thread was
     *                                  interrupted. All started parts are closed, and another server can use the
     *                                  sources. Also thrown if the context was launched before.
     */
    public static Server launch(final Context context)
    {
        context.conclude();
        return new Server(Lifecycle.start(context));
    }

    /**
     * Run one duty cycle of every agent. {@link ThreadingMode#INVOKER} only, always on the same thread.
     *
     * @return amount of work done; 0 if there was none.
     * @throws IllegalStateException if the agents have their own threads.
     */
    public int invoke()
    {
        return lifecycle.invoke();
    }

    /**
     * Close the server. First the sources stop. Then events in flight are handled until the drain time is over. Then
     * agents, pipelines and services are closed, each once, in reverse order of their start. A hanging agent or service
     * is reported and abandoned: see {@link HangPolicy}.
     * <p>
     * Any thread. A second call waits for the first, even when interrupted. A call from a handler only requests the
     * close and returns; in INVOKER mode the close then runs at the end of that {@link #invoke()}.
     */
    @Override
    public void close()
    {
        lifecycle.close();
    }

    /**
     * Wait until the server has closed, for any reason. Any thread.
     *
     * @param timeoutNs longest wait, in nanoseconds.
     * @return true if it has closed; false after the timeout.
     * @throws InterruptedException if the calling thread is interrupted.
     */
    public boolean awaitClose(final long timeoutNs) throws InterruptedException
    {
        return lifecycle.awaitClosed(timeoutNs);
    }

    /**
     * Wait until every polled source is exhausted and all published events are handled, for example after the replay of
     * a file. Any thread except an agent's; not in INVOKER mode.
     *
     * @param timeoutNs longest wait, in nanoseconds.
     * @return true if that state was reached. False after the timeout, if the server or an agent with a stage has
     * failed, or if the server closes before its sources are exhausted.
     * @throws InterruptedException  if the calling thread is interrupted.
     * @throws IllegalStateException if the call would wait for the calling thread itself.
     */
    public boolean awaitExhausted(final long timeoutNs) throws InterruptedException
    {
        return lifecycle.awaitExhausted(timeoutNs);
    }

    /**
     * Failure that stopped the server.
     *
     * @return an exception that names the stage, source or agent that failed under {@link ErrorPolicy#STOP_SERVER}; its
     * cause is the original exception. Null if there was no such failure.
     */
    public Throwable failure()
    {
        return lifecycle.failures().fatal();
    }

    /** @return the server's counters. Any thread, also after close. */
    public Counters counters()
    {
        return lifecycle.counters();
    }

    /** @return the server's pools. Any thread, also after close: then every event should be free. */
    public ObjectPoolsRegistry pools()
    {
        return lifecycle.pools();
    }

    /** @return text for each agent: {@code pinned to N}, {@code NOT pinned: reason}, or that no CPU was requested. */
    public Map<String, String> placements()
    {
        return lifecycle.placements();
    }

    /**
     * Agents whose duty cycle has taken longer than the stall time and has not ended. Any thread.
     *
     * @return names of these agents; empty if there are none or the detector is disabled.
     */
    public List<String> stalledAgents()
    {
        return lifecycle.stalledAgents();
    }

    /**
     * Definition of a server, with a fluent interface. {@link #conclude()} checks it as a whole; it is immutable
     * afterwards. Each server needs its own context. Every setting is described in {@code docs/configuration.md}.
     */
    public static final class Context
    {
        static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(1);
        static final long MIN_STALL_NS = TimeUnit.MILLISECONDS.toNanos(10);

        private final List<Flow<?>> flows = new ArrayList<>();
        private final Map<String, AgentSpec> agents = new LinkedHashMap<>();
        private final ServiceList services = new ServiceList();
        private String name = "millrace";
        private ThreadingMode threadingMode = ThreadingMode.DEDICATED;
        private ErrorPolicy errorPolicy = ErrorPolicy.STOP_SERVER;
        private ErrorHandler errorHandler = Throwable::printStackTrace;
        private DeadLetterHandler deadLetterHandler;
        private StallListener stallListener;
        private HangPolicy hangPolicy = HangPolicy.CLOSE_SERVICES;
        private Supplier<IdleStrategy> idle = BackoffIdleStrategy::new;
        private ClassLoader discovery;
        private long drainTimeoutNs = TimeUnit.SECONDS.toNanos(5);
        private long stallTimeoutNs = TimeUnit.MILLISECONDS.toNanos(500);
        private Placement placement;
        private boolean launched;

        /** A context without a flow. */
        public Context()
        {
        }

        /**
         * Name of the server, used in thread names and messages.
         *
         * @param newName 1 to 32 of the characters A-Z a-z 0-9 _ . -; default {@code millrace}.
         * @return this.
         */
        public Context name(final String newName)
        {
            return set(() -> name = Names.check("server", newName));
        }

        /**
         * Add a flow. Declare flows in the order in which data flows: the close drains them in this order.
         *
         * @param flow       name, unique in the server.
         * @param definition defines the flow.
         * @return this.
         */
        public Context flow(final String flow, final Function<Flow.Start, Flow<?>> definition)
        {
            return set(() ->
            {
                Names.check("flow", flow);
                if (flows.stream().anyMatch(each -> each.name().equals(flow)))
                {
                    throw new IllegalArgumentException("two flows have the name '" + flow + "'");
                }
                flows.add(Objects.requireNonNull(definition.apply(new Flow.Start(flow)), "flow '" + flow + "'"));
            });
        }

        /**
         * Threads for the stages that {@link #agent} does not place.
         *
         * @param mode the mode; default {@link ThreadingMode#DEDICATED}.
         * @return this.
         */
        public Context threadingMode(final ThreadingMode mode)
        {
            return set(() -> threadingMode = Objects.requireNonNull(mode, "mode"));
        }

        /**
         * Place stages on an agent and define how it runs.
         *
         * @param agent      name; without {@code hosts} the agent hosts the stage of this name.
         * @param definition defines the agent.
         * @return this.
         */
        public Context agent(final String agent, final Consumer<AgentSpec> definition)
        {
            return set(() ->
            {
                final AgentSpec spec = AgentSpec.named(agent);
                if (agents.containsKey(agent))
                {
                    throw new IllegalArgumentException("two agents have the name '" + agent + "'");
                }
                definition.accept(spec);
                agents.put(agent, spec);
            });
        }

        /**
         * Idle strategy of the agents that define none.
         *
         * @param strategies creates one strategy for each agent; default Agrona's {@code BackoffIdleStrategy}.
         * @return this.
         */
        public Context idle(final Supplier<IdleStrategy> strategies)
        {
            return set(() -> idle = Objects.requireNonNull(strategies, "strategies"));
        }

        /**
         * Add a service. A handler service that is passed to a stage directly need not be added.
         *
         * @param service the service; its name is unique in the server.
         * @return this.
         */
        public Context service(final Service service)
        {
            return set(() -> services.add(Objects.requireNonNull(service, "service")));
        }

        /**
         * Add every {@link Service} that {@link ServiceLoader} finds when the context is concluded. An added service
         * has precedence over a found one of the same name; two found services of the same name are refused.
         *
         * @param loader class loader to search.
         * @return this.
         */
        public Context discoverServices(final ClassLoader loader)
        {
            return set(() -> discovery = Objects.requireNonNull(loader, "loader"));
        }

        /**
         * Policy for exceptions of handlers and sources whose agent defines none.
         *
         * @param policy the policy; default {@link ErrorPolicy#STOP_SERVER}.
         * @return this.
         */
        public Context onError(final ErrorPolicy policy)
        {
            return set(() -> errorPolicy = Objects.requireNonNull(policy, "policy"));
        }

        /**
         * Handler for all failures, called by the thread on which the failure occurred.
         *
         * @param handler the handler; default: the stack trace is printed on stderr.
         * @return this.
         */
        public Context errorHandler(final ErrorHandler handler)
        {
            return set(() -> errorHandler = Objects.requireNonNull(handler, "handler"));
        }

        /**
         * Handler for the events on which a stage failed under {@link ErrorPolicy#SKIP_AND_RECORD}.
         *
         * @param handler the handler; default: the error handler receives the cause, with stage and sequence.
         * @return this.
         */
        public Context deadLetters(final DeadLetterHandler handler)
        {
            return set(() -> deadLetterHandler = Objects.requireNonNull(handler, "handler"));
        }

        /**
         * Time limit for each of three steps of {@link Server#close()}: handle the events in flight, end the agents,
         * close the services. An agent has at least 100 milliseconds, a service at least a second. Each step reserves
         * half of this time in equal shares, so that a hanging part does not use up the time of the others.
         *
         * @param timeoutNs 0 to one hour, in nanoseconds; default 5 seconds.
         * @return this.
         */
        public Context drainTimeoutNs(final long timeoutNs)
        {
            return set(() -> drainTimeoutNs = range("drainTimeoutNs", timeoutNs, 0));
        }

        /**
         * Duration of a duty cycle above which its agent counts as stalled.
         *
         * @param timeoutNs 10 milliseconds to one hour, in nanoseconds, or 0 for no detector; default 500 milliseconds.
         * @return this.
         */
        public Context stallTimeoutNs(final long timeoutNs)
        {
            return set(() -> stallTimeoutNs = timeoutNs == 0 ? 0 : range("stallTimeoutNs", timeoutNs, MIN_STALL_NS));
        }

        /**
         * Listener for stalls.
         *
         * @param listener the listener; default: the error handler receives a report with the stack of the agent's
         *                 thread.
         * @return this.
         */
        public Context onStall(final StallListener listener)
        {
            return set(() -> stallListener = Objects.requireNonNull(listener, "listener"));
        }

        /**
         * Policy for the services if an agent hangs during the close.
         *
         * @param policy the policy; default {@link HangPolicy#CLOSE_SERVICES}.
         * @return this.
         */
        public Context onHang(final HangPolicy policy)
        {
            return set(() -> hangPolicy = Objects.requireNonNull(policy, "policy"));
        }

        /**
         * Check all settings. Afterwards the context cannot be changed. {@link Server#launch} calls it.
         *
         * @return this.
         * @throws IllegalArgumentException if a setting is impossible; the message names the value and the allowed
         *                                  range.
         */
        public Context conclude()
        {
            if (placement == null)
            {
                if (discovery != null)
                {
                    services.discover(discovery);
                }
                FlowCheck.all(flows, threadingMode, services.byName());
                flows.forEach(services::addHandlersOf);
                final Placement checked = new Placement(flows, agents, threadingMode);
                flows.stream().filter(flow -> flow.pipeline().kind != Pipelines.Kind.DIRECT)
                    .forEach(flow -> group(flow, checked));
                flows.forEach(flow -> checkBatches(flow, checked));
                flows.forEach(Flow::conclude);
                agents.values().forEach(AgentSpec::conclude);
                placement = checked;
            }
            return this;
        }

        private <E extends BasePoolAware> void group(final Flow<E> flow, final Placement checked)
        {
            StageGroup.of(flow, checked, this::handlerOf);
        }

        private <E extends BasePoolAware> void checkBatches(final Flow<E> flow, final Placement checked)
        {
            for (final Flow.Stage<E> stage : flow.stages())
            {
                final AgentSpec spec = checked.agentOf(stage.name);
                FlowCheck.checkBatches(
                    flow, stage, handlerOf(stage), spec == null ? errorPolicy : errorPolicyOf(spec));
            }
        }

        private Context set(final Runnable change)
        {
            if (placement != null)
            {
                throw new IllegalStateException("the context is concluded: it cannot be changed");
            }
            change.run();
            return this;
        }

        private static long range(final String what, final long valueNs, final long minNs)
        {
            if (valueNs < minNs || valueNs > MAX_TIME_NS)
            {
                throw new IllegalArgumentException(what + " " + valueNs + " is not in " + minNs + ".." + MAX_TIME_NS);
            }
            return valueNs;
        }

        void launched()
        {
            if (launched)
            {
                throw new IllegalStateException("the context was launched before: one context, one server");
            }
            launched = true;
        }

        @SuppressWarnings("unchecked")
        <E extends BasePoolAware> EventHandler<? super E> handlerOf(final Flow.Stage<E> stage)
        {
            return stage.handler != null ? stage.handler :
                (EventHandler<? super E>)services.byName().get(stage.serviceName);
        }

        ErrorPolicy errorPolicyOf(final AgentSpec spec)
        {
            return spec.errorPolicy() != null ? spec.errorPolicy() : errorPolicy;
        }

        IdleStrategy idleOf(final AgentSpec spec)
        {
            return spec.idle() != null ? spec.idle() : idle.get();
        }

        Failures failures()
        {
            return new Failures(name, errorHandler, deadLetterHandler);
        }

        String name()
        {
            return name;
        }

        List<Flow<?>> flows()
        {
            return Collections.unmodifiableList(flows);
        }

        Placement placement()
        {
            return placement;
        }

        List<Service> services()
        {
            return services.inOrder();
        }

        ThreadingMode threadingMode()
        {
            return threadingMode;
        }

        ErrorPolicy errorPolicy()
        {
            return errorPolicy;
        }

        StallListener stallListener()
        {
            return stallListener;
        }

        HangPolicy hangPolicy()
        {
            return hangPolicy;
        }

        long drainTimeoutNs()
        {
            return drainTimeoutNs;
        }

        long stallTimeoutNs()
        {
            return stallTimeoutNs;
        }
    }
}
