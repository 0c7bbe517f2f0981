package io.millrace.server;

import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.Objects;

/**
 * What one agent hosts and how it runs: a sentence of its own, apart from the flows.
 */
public final class AgentSpec
{
    /** Greatest number of events that one duty takes in one turn: keeps the other duties of the agent from starving. */
    static final int MAX_POLL_LIMIT = 1 << 16;
    /** A quarter of a microsecond to a quarter of a millisecond of work at 1 ns to 1 us an event. */
    static final int DEFAULT_POLL_LIMIT = 256;
    static final int NO_CPU = -1;

    private final String name;
    private List<String> hosts;
    private int cpu = NO_CPU;
    private IdleStrategy idle;
    private ErrorPolicy errorPolicy;
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

    /** An agent that nobody named: it has the name of what it hosts, and that of a source is longer than a name. */
    static AgentSpec implied(final String name)
    {
        return new AgentSpec(name);
    }

    /**
     * Place stages on this agent. Stages of one flow on one agent are fused: plain calls, no queue. Without this call
     * the agent hosts the stage that has its name.
     *
     * @param stages names of stages, and of polled sources ({@code FLOW-source}).
     * @return this.
     */
    public AgentSpec hosts(final String... stages)
    {
        checkOpen();
        hosts = List.of(stages);
        return this;
    }

    /**
     * Pin the agent's thread to a CPU by OpenHFT Affinity, which must be on the class path. Whether the pin was
     * obtained is read back and said by {@link Server#placements()}.
     *
     * @param newCpu number of a CPU that this process may use; an impossible one is refused when the context is
     *               concluded.
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
     * What the agent does when there is nothing to do. A strategy that sleeps is interrupted when the server closes.
     *
     * @param strategy any of Agrona's; an object of its own for each agent.
     * @return this.
     */
    public AgentSpec idle(final IdleStrategy strategy)
    {
        checkOpen();
        idle = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * What follows when a handler or source on this agent throws.
     *
     * @param policy the policy; without this call the context's.
     * @return this.
     */
    public AgentSpec onError(final ErrorPolicy policy)
    {
        checkOpen();
        errorPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * How many events a duty takes in one turn, which is also the longest batch.
     *
     * @param limit 1 to 65,536; without this call 256.
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

    IdleStrategy idle()
    {
        return idle;
    }

    ErrorPolicy errorPolicy()
    {
        return errorPolicy;
    }

    int pollLimit()
    {
        return pollLimit;
    }
}
