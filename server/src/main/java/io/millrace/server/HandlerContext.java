package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.agrona.concurrent.NanoClock;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Surroundings of one handler. Used by the handler's thread, except for what {@link ServiceContext} offers too.
 */
public final class HandlerContext
{
    private final String stage;
    /** Replaced with the handler, on its thread; other threads may read it. */
    private volatile ServiceContext server;
    private final Supplier<StageAgent> agent;
    private final List<RunningFlow<?>> flows;
    /** Null if it has not asked for a publishing end, or no agent hosts it. Other handlers' threads read it. */
    private volatile StageAgent publisher;

    HandlerContext(
        final String stage,
        final ServiceContext server,
        final Supplier<StageAgent> agent,
        final List<RunningFlow<?>> flows)
    {
        this.stage = stage;
        this.server = server;
        this.agent = agent;
        this.flows = flows;
    }

    /** @return name of the handler's stage. */
    public String stage()
    {
        return stage;
    }

    /** @return what the server offers to all its parts: counters, pools, services, settings. */
    public ServiceContext server()
    {
        return server;
    }

    /** The handler to which counters belong that are added from now on. */
    void handler(final Object handler)
    {
        server = server.of(handler);
    }

    /**
     * Attempts after the first one that failed: see {@link AgentSpec#retry}. For a handler with effects that it must
     * not have twice.
     *
     * @return greatest number of further calls for an event; 0 for none.
     */
    public int retries()
    {
        final StageAgent host = agent.get();
        return host == null ? 0 : host.spec().retries();
    }

    /**
     * Clock of the handler's agent: see {@link Scheduler#now()}.
     *
     * @return the clock, in nanoseconds; for the thread of the handler only.
     * @throws IllegalStateException if no agent hosts the handler: the flow is direct and its source is not polled.
     */
    public NanoClock clock()
    {
        return scheduler()::now;
    }

    /**
     * Timers of the handler's agent. They belong to the agent: a handler that is replaced or removed cancels its own in
     * {@code onClose}.
     *
     * @return the scheduler, for the thread of the handler only.
     * @throws IllegalStateException as for {@link #clock()}.
     */
    public Scheduler scheduler()
    {
        return host().timers();
    }

    /** Null in a direct flow without a polled source. */
    StageAgent agent()
    {
        return agent.get();
    }

    private StageAgent host()
    {
        final StageAgent host = agent.get();
        if (host == null)
        {
            throw new IllegalStateException("stage '" + stage + "' is in a direct flow without a polled source: its " +
                "publisher calls it, so it has no agent with a clock and timers");
        }
        return host;
    }

    /**
     * Publishing end of another flow from an {@link InVmSource}. The handler is then that flow's publishing thread, so
     * no other thread publishes to it, unless its source is shared. A handler keeps what this method returns.
     *
     * @param flow name of the flow.
     * @param type class of the flow's events.
     * @param <E>  type of the flow's events.
     * @return the publishing end.
     * @throws IllegalArgumentException if there is no such flow, or its events are of another type; the message names
     *                                  those that there are. Also if a handler of another agent has asked for it, and
     *                                  its source is not shared.
     */
    @SuppressWarnings("unchecked")
    public <E extends BasePoolAware> EventPublication<E> publication(final String flow, final Class<E> type)
    {
        final RunningFlow<?> found = flows.stream()
            .filter(each -> isOpen(each) && each.name().equals(flow)).findFirst().orElse(null);
        if (found == null || !type.isAssignableFrom(found.eventType()))
        {
            throw new IllegalArgumentException("stage '" + stage + "' asks for a flow '" + flow + "' of " +
                (found == null ? type.getName() : Names.of(type, found.eventType())) + " from an in-VM source: there " +
                "are " + flows.stream().filter(HandlerContext::isOpen)
                .map(each -> each.name() + " of " + Names.of(each.eventType(), type))
                .collect(Collectors.toList()));
        }
        publisher = agent.get();
        found.publishers().add(this);
        return (EventPublication<E>)found.publication();
    }

    /** Whether both publish on threads of their own; not known of a handler that no agent hosts. */
    boolean hasOtherThread(final HandlerContext other)
    {
        final StageAgent one = publisher;
        final StageAgent two = other.publisher;
        return one != null && two != null && one != two && one.hasOwnThread() && !one.hasClosed();
    }

    /** The publishing ends that the handler has asked for. */
    List<RunningFlow<?>> published()
    {
        return flows.stream().filter(flow -> flow.publishers().has(this)).collect(Collectors.toList());
    }

    /** The handler leaves: another one may publish. */
    void leave()
    {
        flows.forEach(flow -> flow.publishers().remove(this));
    }

    /** Feeds are the publishers of a flow that has some. */
    private static boolean isOpen(final RunningFlow<?> flow)
    {
        return flow.source() != null && flow.feeds().isEmpty();
    }
}
