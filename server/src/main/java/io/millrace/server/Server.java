package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.Range;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A running set of flows. Launched from a {@link Context}; closed once, in order: sources, drain, agents, services.
 * <p>
 * The server starts one thread for each agent, one that sleeps until the server must stop and, unless disabled, one for
 * the stall detector. During the close it starts one for each service. In INVOKER mode it starts no thread. The stall
 * detector's thread is a daemon. The others are daemons if the launching thread is one, or by {@link Context#daemon};
 * otherwise a server keeps the JVM running until it is closed.
 * <p>
 * A server has no static state, prints nothing unless something fails, and never ends the JVM.
 */
public final class Server implements AutoCloseable
{
    private final ServerLife life;
    private final AdminCommands admin = new AdminCommands(this);

    private Server(final Context context)
    {
        life = new ServerLife(context, new States(context.name, context.stateListener), this);
    }

    /**
     * Build a server and start nothing. Its counters exist, so that a metrics binder can read their names.
     *
     * @param context definition of the server; this call concludes it if needed.
     * @return the server, in state {@link ServerState#NEW}.
     * @throws IllegalArgumentException if a setting is impossible.
     * @throws IllegalStateException    if the context has a server already.
     */
    public static Server create(final Context context)
    {
        context.conclude();
        context.launched();
        return new Server(context);
    }

    /**
     * Start the server, or start it again after {@link #stop()} or a failure. When this call returns, every service and
     * every agent has started.
     * <p>
     * A start runs what the context defines; changes by {@link #control()} are not kept. Sources, services and handlers
     * are the same objects: their {@code onStart} is called again. Pools, pipelines and counters start empty; the
     * {@link #counters()} object stays. Limits are as for {@link #launch}.
     *
     * @throws IllegalStateException if the server runs or is closed, while an agent, handler, service or change that
     *                               its last close has left behind has not ended, or as for {@link #launch}.
     */
    public void start()
    {
        life.start();
    }

    /**
     * Stop the server as {@link #close()} does; {@link #start()} may start it again. Any thread; a call during the
     * start takes effect when the server has started.
     */
    public void stop()
    {
        life.stop();
    }

    /** @return name of the server. */
    public String name()
    {
        return life.name();
    }

    /** @return the present state. Any thread. */
    public ServerState state()
    {
        return life.state();
    }

    /** @return whether the server does its work, and the reasons if not. Any thread. */
    public Health health()
    {
        return life.lifecycle().health(life.state());
    }

    /** @return the state of each agent, by name; that of an ended one until its parts are removed. Any thread. */
    public Map<String, AgentState> agents()
    {
        return life.lifecycle().agentStates();
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
        final Server server = create(context);
        server.start();
        return server;
    }

    /**
     * Run one duty cycle of every agent. {@link ThreadingMode#INVOKER} only, always on the same thread.
     *
     * @return amount of work done; 0 if there was none.
     * @throws IllegalStateException if the agents have their own threads.
     */
    public int invoke()
    {
        return life.lifecycle().invoke();
    }

    /**
     * Close the server. First the sources stop. Then events in flight are handled until the drain time is over. Then
     * agents, pipelines and services are closed, each once, in reverse order of their start. A hanging agent or service
     * is reported and abandoned: see {@link HangPolicy}.
     * <p>
     * Any thread. A second call waits for the first, even when interrupted. A call from a handler, or from a part that
     * a change of {@link #control()} starts or closes, only requests the close and returns; in INVOKER mode the close
     * then runs at the end of that {@link #invoke()}, or of the next one. A closed server does not start again: see
     * {@link #stop()}.
     * <p>
     * A shutdown hook may call it. If the thread that starts or closes the server, or an agent that starts, has called
     * {@code System.exit}, for example in an error handler or a {@link StateListener}, the call returns within about
     * 0.1 s without a close: that thread waits for the hook.
     */
    @Override
    public void close()
    {
        life.close();
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
        return life.lifecycle().awaitClosed(timeoutNs);
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
        return life.lifecycle().awaitExhausted(timeoutNs);
    }

    /**
     * Failure that stopped the server.
     *
     * @return an exception that names the stage, source or agent that failed under {@link ErrorPolicy#STOP_SERVER}; its
     * cause is the original exception. Null if there was no such failure.
     */
    public Throwable failure()
    {
        return life.lifecycle().failures().fatal();
    }

    /**
     * Failures since the last start, dead letters included, by part and class of exception. Any thread.
     *
     * @return one entry for each kind, in the order of their first failure; at most 256 kinds, and one for all others.
     */
    public List<DistinctError> errors()
    {
        return life.lifecycle().failures().distinctErrors();
    }

    /**
     * Agents and close methods that hung since the last start, and were reported and abandoned. Any thread. A program
     * that ends although something is left behind should say so with its exit code.
     *
     * @return what hung, for example {@code agent 'match'}; empty if nothing did.
     */
    public List<String> leftBehind()
    {
        return life.lifecycle().failures().leftBehind();
    }

    /** @return names of the present flows with {@link Flow#latency}. Any thread. */
    public List<String> flowsWithLatency()
    {
        return life.lifecycle().control().flowsWithLatency();
    }

    /**
     * Latencies of a flow, since the last start. Any thread may take intervals; each value is in one of them only.
     *
     * @param flow name of a flow with {@link Flow#latency}.
     * @return the recorder; its agent's thread records.
     * @throws IllegalArgumentException if no such flow records latencies.
     */
    public LatencyRecorder latency(final String flow)
    {
        return life.lifecycle().control().latency(flow);
    }

    /** @return the server's counters. Any thread, also after close. */
    public Counters counters()
    {
        return life.counters();
    }

    /** @return the server's pools. Any thread, also after close: then every event should be free. */
    public ObjectPoolsRegistry pools()
    {
        return life.lifecycle().pools();
    }

    /** @return text for each agent: {@code pinned to N}, {@code NOT pinned: reason}, or that no CPU was requested. */
    public Map<String, String> placements()
    {
        return life.lifecycle().placements();
    }

    /**
     * Agents whose duty cycle has taken longer than the stall time and has not ended. Any thread.
     *
     * @return names of these agents; empty if there are none or the detector is disabled.
     */
    public List<String> stalledAgents()
    {
        return life.lifecycle().stalledAgents();
    }

    /** @return commands of an operator, as text. */
    public AdminCommands admin()
    {
        return admin;
    }

    /** @return its present flows with their stages and agents, as text or as a picture. Any thread. */
    public FlowGraph graph()
    {
        return life.lifecycle().control().graph();
    }

    /** @return changes of the running server. */
    public Control control()
    {
        return life.lifecycle().control();
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
        private ErrorHandler errorHandler;
        private DeadLetterHandler deadLetterHandler;
        private StallListener stallListener;
        private HangPolicy hangPolicy = HangPolicy.CLOSE_SERVICES;
        private Supplier<IdleStrategy> idle = BackoffIdleStrategy::new;
        private ClassLoader discovery;
        private final Map<String, String> settings = new LinkedHashMap<>();
        private StateListener stateListener;
        private ThreadFactory threadFactory;
        private Boolean daemon;
        private NanoClock clock = SystemNanoClock.INSTANCE;
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
                final Flow<?> defined = Flow.define(flow, definition);
                if (flows.stream().anyMatch(each -> each.name().equals(flow)))
                {
                    throw new IllegalArgumentException("two flows have the name '" + flow + "'");
                }
                flows.add(defined);
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
                Objects.requireNonNull(definition, () -> "definition of agent '" + agent + "'").accept(spec);
                agents.put(agent, spec);
            });
        }

        /**
         * Idle strategy of the agents that define none.
         *
         * @param strategies creates one strategy for each agent, also for those that are added at run time; default
         *                   Agrona's {@code BackoffIdleStrategy}. The same object for two agents is refused at the
         *                   start, as for {@link AgentSpec#idle}.
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
         * @param handler the handler; default: the first failure of each kind goes to the {@link System.Logger}
         *                {@code io.millrace.server}, which prints it on stderr unless the application has another
         *                log; {@link Server#errors()} counts the others.
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
            return set(() ->
            {
                drainTimeoutNs = Range.check("drainTimeoutNs", timeoutNs, 0, MAX_TIME_NS);
            });
        }

        /**
         * Duration of a duty cycle above which its agent counts as stalled.
         *
         * @param timeoutNs 10 milliseconds to one hour, in nanoseconds, or 0 for no detector; default 500 milliseconds.
         * @return this.
         */
        public Context stallTimeoutNs(final long timeoutNs)
        {
            return set(() ->
            {
                if (timeoutNs != 0 && (timeoutNs < MIN_STALL_NS || timeoutNs > MAX_TIME_NS))
                {
                    throw new IllegalArgumentException("stallTimeoutNs " + timeoutNs + " is not in " + MIN_STALL_NS +
                        ".." + MAX_TIME_NS + ", nor 0 (no detector)");
                }
                stallTimeoutNs = timeoutNs;
            });
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
         * Listener for the states of the server.
         *
         * @param listener the listener; default: none.
         * @return this.
         */
        public Context onState(final StateListener listener)
        {
            return set(() -> stateListener = Objects.requireNonNull(listener, "listener"));
        }

        /**
         * Factory of the server's threads. The server names each thread.
         *
         * @param factory the factory; default: platform threads.
         * @return this.
         */
        public Context threadFactory(final ThreadFactory factory)
        {
            return set(() -> threadFactory = Objects.requireNonNull(factory, "factory"));
        }

        /**
         * Whether the server's threads are daemons. With daemons, the JVM ends when {@code main} returns, without a
         * close: events in flight are lost. Without them, the JVM runs until the server is closed.
         *
         * @param daemons default: as the thread that builds the server, or as the thread factory says.
         * @return this.
         */
        public Context daemon(final boolean daemons)
        {
            return set(() -> daemon = daemons);
        }

        /**
         * Clock of the agents: for {@link HandlerContext#clock()} and timers. An agent reads it at most once a duty
         * cycle. A test passes a clock that it sets by hand.
         *
         * @param newClock the clock, in nanoseconds; default {@code System.nanoTime}, which never goes back.
         * @return this.
         */
        public Context clock(final NanoClock newClock)
        {
            return set(() -> clock = Objects.requireNonNull(newClock, "clock"));
        }

        /**
         * A setting for services and handlers: {@link ServiceContext#setting}. For services found by
         * {@link #discoverServices}, which have no constructor arguments.
         *
         * @param setting name, for example {@code audit.file}.
         * @param value   its value.
         * @return this.
         */
        public Context setting(final String setting, final String value)
        {
            return set(() ->
            {
                if (settings.putIfAbsent(Objects.requireNonNull(setting, "setting"),
                    Objects.requireNonNull(value, "value")) != null)
                {
                    throw new IllegalArgumentException("setting '" + setting + "' is set twice");
                }
            });
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
                services.inOrder();
                final Placement checked = new Placement(flows, agents, threadingMode, AgentSpec::implied);
                final Map<Feed<?>, Object> feeds = new LinkedHashMap<>();
                flows.forEach(flow -> FlowCheck.stages(flow, checked, feeds, this));
                flows.forEach(Flow::conclude);
                AgentSpec.checkIdle(agents.values());
                agents.values().forEach(AgentSpec::conclude);
                placement = checked;
            }
            return this;
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

        NanoClock clock()
        {
            return clock;
        }

        Map<String, String> settings()
        {
            return Collections.unmodifiableMap(settings);
        }

        Thread newThread(final Runnable body, final String part)
        {
            final Thread thread = threadFactory == null ? new Thread(body) :
                Objects.requireNonNull(threadFactory.newThread(body), "the thread factory returned null");
            thread.setName(name + "-" + part);
            if (daemon != null)
            {
                thread.setDaemon(daemon);
            }
            return thread;
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

        Map<String, Service> servicesByName()
        {
            return services.byName();
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

        DeadLetterHandler deadLetterHandler()
        {
            return deadLetterHandler;
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
