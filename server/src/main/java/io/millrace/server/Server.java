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
 * A server starts no thread but those of its agents, one that sleeps until the server has to stop and, unless switched
 * off, a sleeping stall detector; while it closes, one for each service. In INVOKER mode none. It has no static state,
 * prints nothing while nothing is wrong, and never ends the JVM.
 */
public final class Server implements AutoCloseable
{
    private final Lifecycle lifecycle;

    private Server(final Lifecycle lifecycle)
    {
        this.lifecycle = lifecycle;
    }

    /**
     * Build and start a server. When this returns, every service and every agent has started.
     *
     * @param context what it consists of; concluded here, if it was not before.
     * @return the running server.
     * @throws IllegalArgumentException when the context asks for something impossible; nothing was started.
     * @throws IllegalStateException    when a service, a handler or a source could not start; what had started was
     * closed again, and sources can be used by another server. Also when the context was launched before.
     */
    public static Server launch(final Context context)
    {
        context.conclude();
        return new Server(Lifecycle.start(context));
    }

    /**
     * Do one duty cycle of every agent. {@link ThreadingMode#INVOKER} only, always by the same thread.
     *
     * @return how much was done; 0 when there was nothing to do.
     * @throws IllegalStateException when the agents have threads of their own.
     */
    public int invoke()
    {
        return lifecycle.invoke();
    }

    /**
     * Stop: sources first, then what is under way is handled until the drain time is over, then agents, pipelines and
     * services are closed, each once, in reverse order of their start. An agent or a service that hangs is reported and
     * left behind, see {@link HangPolicy}. Any thread; a second call waits for the first, also when interrupted. From
     * inside of a handler it only sets the stop going; in INVOKER mode at the end of that {@link #invoke()}.
     */
    @Override
    public void close()
    {
        lifecycle.close();
    }

    /**
     * Wait until the server has closed, whoever closed it.
     *
     * @param timeoutNs longest wait, in nanoseconds.
     * @return true when it has closed.
     * @throws InterruptedException when the calling thread is interrupted.
     */
    public boolean awaitClose(final long timeoutNs) throws InterruptedException
    {
        return lifecycle.awaitClosed(timeoutNs);
    }

    /**
     * Wait until every polled source is exhausted and everything published is handled, as after the replay of a file.
     * Any thread but an agent's; not in INVOKER mode.
     *
     * @param timeoutNs longest wait, in nanoseconds.
     * @return true when that is so; false when the time was over, the server or an agent with a stage has failed, or
     * the server is closed, or closes before its sources are exhausted.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when it would wait for the calling thread itself.
     */
    public boolean awaitExhausted(final long timeoutNs) throws InterruptedException
    {
        return lifecycle.awaitExhausted(timeoutNs);
    }

    /**
     * Why the server stopped by itself.
     *
     * @return says which stage, source or agent failed under {@link ErrorPolicy#STOP_SERVER}; its cause is what that
     * threw. Null when nothing did.
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

    /** @return the server's pools. Any thread, also after close: then every event should be back. */
    public ObjectPoolsRegistry pools()
    {
        return lifecycle.pools();
    }

    /** @return by agent: {@code pinned to N}, {@code NOT pinned: why}, or that no CPU was asked for. */
    public Map<String, String> placements()
    {
        return lifecycle.placements();
    }

    /**
     * Whether an agent's duty cycle has not come to its end for longer than the stall time.
     *
     * @return names of the agents that hang; empty when none does or the detector is off.
     */
    public List<String> stalledAgents()
    {
        return lifecycle.stalledAgents();
    }

    /**
     * What a server consists of. Fluent; checked as a whole by {@link #conclude()}, immutable afterwards. One
     * context, one server. Every setting is described in {@code docs/configuration.md}.
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
         * Name of the server: part of its threads' names and of its messages.
         *
         * @param newName 1 to 32 of the characters A-Z a-z 0-9 _ . -; without this call {@code millrace}.
         * @return this.
         */
        public Context name(final String newName)
        {
            return set(() -> name = Names.check("server", newName));
        }

        /**
         * Add a flow. Declare flows in the order in which the data flows: they are drained in this order.
         *
         * @param flow       name, unique in the server.
         * @param definition writes the flow down.
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
         * Which threads run the stages that {@link #agent} does not place.
         *
         * @param mode the mode; without this call {@link ThreadingMode#DEDICATED}.
         * @return this.
         */
        public Context threadingMode(final ThreadingMode mode)
        {
            return set(() -> threadingMode = Objects.requireNonNull(mode, "mode"));
        }

        /**
         * Place stages on an agent and say how it runs.
         *
         * @param agent      name; without {@code hosts} the agent hosts the stage of this name.
         * @param definition says the rest.
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
         * What agents without an idle strategy of their own do when there is nothing to do.
         *
         * @param strategies makes one strategy for each agent; without this call Agrona's {@code BackoffIdleStrategy}.
         * @return this.
         */
        public Context idle(final Supplier<IdleStrategy> strategies)
        {
            return set(() -> idle = Objects.requireNonNull(strategies, "strategies"));
        }

        /**
         * Add a service. A handler service that a stage is given directly need not be added.
         *
         * @param service the service; its name is unique in the server.
         * @return this.
         */
        public Context service(final Service service)
        {
            return set(() -> services.add(Objects.requireNonNull(service, "service")));
        }

        /**
         * Add every {@link Service} that {@link ServiceLoader} finds, when the context is concluded. A service given
         * by hand comes before a found one of its name; two found ones of one name are refused.
         *
         * @param loader where to look.
         * @return this.
         */
        public Context discoverServices(final ClassLoader loader)
        {
            return set(() -> discovery = Objects.requireNonNull(loader, "loader"));
        }

        /**
         * What follows when a handler or source throws, where its agent does not say otherwise.
         *
         * @param policy the policy; without this call {@link ErrorPolicy#STOP_SERVER}.
         * @return this.
         */
        public Context onError(final ErrorPolicy policy)
        {
            return set(() -> errorPolicy = Objects.requireNonNull(policy, "policy"));
        }

        /**
         * Is told everything that goes wrong, by the thread it goes wrong on.
         *
         * @param handler the handler; without this call the stack trace is printed on stderr.
         * @return this.
         */
        public Context errorHandler(final ErrorHandler handler)
        {
            return set(() -> errorHandler = Objects.requireNonNull(handler, "handler"));
        }

        /**
         * Gets the events that handlers failed on under {@link ErrorPolicy#SKIP_AND_RECORD}.
         *
         * @param handler the handler; without this call the cause goes to the error handler, with stage and sequence.
         * @return this.
         */
        public Context deadLetters(final DeadLetterHandler handler)
        {
            return set(() -> deadLetterHandler = Objects.requireNonNull(handler, "handler"));
        }

        /**
         * How long {@link Server#close()} waits for what is under way to be handled, then for the agents to end (at
         * least 100 milliseconds for each), then for the services (a second). Each step keeps half of this time in
         * equal shares, so that one that hangs leaves time to the others.
         *
         * @param timeoutNs 0 to one hour, in nanoseconds; without this call 5 seconds.
         * @return this.
         */
        public Context drainTimeoutNs(final long timeoutNs)
        {
            return set(() -> drainTimeoutNs = range("drainTimeoutNs", timeoutNs, 0));
        }

        /**
         * How long a duty cycle may take before its agent counts as stalled.
         *
         * @param timeoutNs 10 milliseconds to one hour, in nanoseconds, or 0 for no detector; without this call 500
         *                  milliseconds.
         * @return this.
         */
        public Context stallTimeoutNs(final long timeoutNs)
        {
            return set(() -> stallTimeoutNs = timeoutNs == 0 ? 0 : range("stallTimeoutNs", timeoutNs, MIN_STALL_NS));
        }

        /**
         * Is told of each stall.
         *
         * @param listener the listener; without this call the error handler is told, with the stack of the agent's
         *                 thread.
         * @return this.
         */
        public Context onStall(final StallListener listener)
        {
            return set(() -> stallListener = Objects.requireNonNull(listener, "listener"));
        }

        /**
         * What becomes of the services when an agent hangs.
         *
         * @param policy the policy; without this call {@link HangPolicy#CLOSE_SERVICES}.
         * @return this.
         */
        public Context onHang(final HangPolicy policy)
        {
            return set(() -> hangPolicy = Objects.requireNonNull(policy, "policy"));
        }

        /**
         * Check everything once: afterwards the context can no longer be changed. {@link Server#launch} calls it.
         *
         * @return this.
         * @throws IllegalArgumentException when something is impossible; the message names the value and what is
         * allowed.
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
                throw new IllegalStateException("the context is concluded: it cannot be changed any more");
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
