package io.millrace.server;

import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.Objects;

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
     * @param strategy any Agrona strategy; each agent needs its own instance.
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
