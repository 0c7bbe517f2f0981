package io.millrace.server;

import io.millrace.server.agent.GatheringIdleStrategy;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Definition of one agent: the stages and sources that it hosts, and how it runs. Independent of the flows.
 */
public final class AgentSpec
{
    /** Greatest poll limit: keeps one stage from starving the others on its agent. */
    static final int MAX_POLL_LIMIT = 1 << 16;
    /** 0.25 to 250 microseconds of work, at 1 ns to 1 us an event. */
    static final int DEFAULT_POLL_LIMIT = 256;
    static final int NO_CPU = -1;
    static final int MAX_RETRIES = 100;
    static final long MAX_RETRY_DELAY_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private List<String> hosts;
    private int cpu = NO_CPU;
    private IdleStrategy idle;
    private ErrorPolicy errorPolicy;
    private boolean measured;
    private int retries;
    private long firstRetryNs;
    private long maxRetryNs;
    private int pollLimit = DEFAULT_POLL_LIMIT;
    private boolean concluded;

    private AgentSpec(final String name)
    {
        this.name = name;
        hosts = List.of(name);
    }

    static AgentSpec named(final String name)
    {
        return new AgentSpec(Names.check("agent", name));
    }

    /**
     * An agent without a definition, named after its stage or source. The name of a source may exceed the limit of
     * names.
     */
    static AgentSpec implied(final String name)
    {
        return new AgentSpec(name);
    }

    /**
     * Place stages on this agent. Stages of one flow on one agent are fused: plain calls without a queue. By default
     * the agent hosts the stage that has its name.
     *
     * @param stages names of stages, and of polled sources ({@code FLOW-source}).
     * @return this.
     */
    public AgentSpec hosts(final String... stages)
    {
        checkOpen();
        for (final String stage : stages)
        {
            Objects.requireNonNull(stage, () -> "agent '" + name + "' hosts a stage whose name is null");
        }
        hosts = List.of(stages);
        return this;
    }

    /**
     * Pin the agent's thread to a CPU by OpenHFT Affinity, which must be on the class path. The result is read back;
     * {@link Server#placements()} reports it.
     *
     * @param newCpu number of a CPU that this process may use; checked when the context is concluded.
     * @return this.
     */
    public AgentSpec cpu(final int newCpu)
    {
        if (newCpu < 0)
        {
            throw new IllegalArgumentException("cpu " + newCpu + " of agent '" + name + "' is below 0");
        }
        checkOpen();
        cpu = newCpu;
        return this;
    }

    /**
     * Idle strategy of the agent. A strategy that sleeps is interrupted when the server closes.
     *
     * @param strategy any Agrona strategy; each agent needs its own instance, unless it has no state. The same {@code
     *                 BackoffIdleStrategy} or {@code GatheringIdleStrategy} in two agents is refused at the launch.
     * @return this.
     */
    public AgentSpec idle(final IdleStrategy strategy)
    {
        checkOpen();
        idle = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * Policy for exceptions of the handlers and sources on this agent.
     *
     * @param policy the policy; default: the context's.
     * @return this.
     */
    public AgentSpec onError(final ErrorPolicy policy)
    {
        checkOpen();
        errorPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Call a handler of this agent again for an event on which it threw an exception; the error policy applies when the
     * last attempt fails. The delay doubles with each attempt. The agent waits meanwhile, and so do its other parts:
     * the order of the events stays. A close ends the waiting. An {@link Error} and an interrupt are not retried, and a
     * handler that completes at the end of its batch is refused.
     * <p>
     * Only for handlers that may get an event twice: the failed call may have done a part of its work.
     *
     * @param count   attempts after the first one, 1 to 100.
     * @param firstNs delay before the first of them, 0 to {@code maxNs}, in nanoseconds.
     * @param maxNs   longest delay, up to one second, in nanoseconds.
     * @return this.
     */
    public AgentSpec retry(final int count, final long firstNs, final long maxNs)
    {
        if (count < 1 || count > MAX_RETRIES || firstNs < 0 || firstNs > maxNs || maxNs > MAX_RETRY_DELAY_NS)
        {
            throw new IllegalArgumentException("retry(" + count + ", " + firstNs + ", " + maxNs + ") of agent '" +
                name + "': count is 1.." + MAX_RETRIES + ", the delays 0.." + MAX_RETRY_DELAY_NS +
                ", the first not above the longest");
        }
        checkOpen();
        retries = count;
        firstRetryNs = firstNs;
        maxRetryNs = maxNs;
        return this;
    }

    /**
     * Measure the duty cycles of this agent, for its counters {@code busyNs}, {@code busyPermille} and
     * {@code longestCycleNs}. It costs two readings of the clock a duty cycle.
     *
     * @return this.
     */
    public AgentSpec measured()
    {
        checkOpen();
        measured = true;
        return this;
    }

    /**
     * Greatest number of events in one poll of a stage, which is also the longest batch.
     *
     * @param limit 1 to 65,536; default 256.
     * @return this.
     */
    public AgentSpec pollLimit(final int limit)
    {
        if (limit < 1 || limit > MAX_POLL_LIMIT)
        {
            throw new IllegalArgumentException(
                "pollLimit " + limit + " of agent '" + name + "' is not in 1.." + MAX_POLL_LIMIT);
        }
        checkOpen();
        pollLimit = limit;
        return this;
    }

    private void checkOpen()
    {
        if (concluded)
        {
            throw new IllegalStateException("the context of agent '" + name + "' is concluded: it cannot be changed");
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

    List<String> hosts()
    {
        return hosts;
    }

    int cpu()
    {
        return cpu;
    }

    /** Of all agents that have a strategy of their own. */
    static void checkIdle(final Collection<AgentSpec> agents)
    {
        final List<AgentSpec> checked = new ArrayList<>();
        for (final AgentSpec agent : agents)
        {
            checked.forEach(other -> checkIdle(other.name, other.idle, agent.name, agent.idle));
            checked.add(agent);
        }
    }

    /** Refuses a strategy of two agents, if it counts the idle cycles of one. */
    static void checkIdle(
        final String agent, final IdleStrategy strategy, final String other, final IdleStrategy ofOther)
    {
        if (strategy == ofOther &&
            (strategy instanceof BackoffIdleStrategy || strategy instanceof GatheringIdleStrategy))
        {
            throw new IllegalArgumentException("agents '" + agent + "' and '" + other +
                "' have the same idle strategy, a " + strategy.getClass().getName() +
                ", which has state: give each agent an object of its own");
        }
    }

    IdleStrategy idle()
    {
        return idle;
    }

    ErrorPolicy errorPolicy()
    {
        return errorPolicy;
    }

    boolean isMeasured()
    {
        return measured;
    }

    int retries()
    {
        return retries;
    }

    long firstRetryNs()
    {
        return firstRetryNs;
    }

    long maxRetryNs()
    {
        return maxRetryNs;
    }

    int pollLimit()
    {
        return pollLimit;
    }
}
