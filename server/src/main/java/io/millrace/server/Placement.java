package io.millrace.server;

import io.millrace.server.agent.CpuPlacement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Assigns stages and polled sources to agents: by the context's definitions, and by the threading mode for the rest.
 */
final class Placement
{
    static final String SHARED_AGENT = "shared";

    private final Map<String, String> agentByHosted = new LinkedHashMap<>();
    private final Map<String, AgentSpec> specByAgent = new LinkedHashMap<>();

    /**
     * @param specs that host some of the flows' parts.
     * @param other of the agent of a name that hosts the rest.
     */
    Placement(
        final List<Flow<?>> flows,
        final Map<String, AgentSpec> specs,
        final ThreadingMode mode,
        final Function<String, AgentSpec> other)
    {
        final List<String> hostable = new ArrayList<>();
        for (final Flow<?> flow : flows)
        {
            addHostable(flow, hostable);
        }
        specs.values().forEach(spec -> place(spec, hostable, mode));
        for (final String hosted : hostable)
        {
            if (!agentByHosted.containsKey(hosted))
            {
                final String agent = mode == ThreadingMode.DEDICATED ? hosted : SHARED_AGENT;
                checkFree(agent, hosted, mode);
                specByAgent.computeIfAbsent(agent, other);
                agentByHosted.put(hosted, agent);
            }
        }
    }

    /** Without this check the stage would run on an agent that was defined for other stages. */
    private void checkFree(final String agent, final String hosted, final ThreadingMode mode)
    {
        if (mode == ThreadingMode.DEDICATED && specByAgent.containsKey(agent))
        {
            throw new IllegalArgumentException("agent '" + agent + "' hosts " + specByAgent.get(agent).hosts() +
                " but not '" + hosted + "', whose own agent would have that name: give it another name, or let it " +
                "host '" + hosted + "'");
        }
    }

    private static void addHostable(final Flow<?> flow, final List<String> hostable)
    {
        final List<String> names = new ArrayList<>();
        if (flow.polledSource() != null)
        {
            names.add(flow.sourceName());
        }
        if (flow.pipeline().kind != Pipelines.Kind.DIRECT)
        {
            flow.stages().forEach(stage -> names.add(stage.name));
        }
        hostable.addAll(names);
    }

    private void place(final AgentSpec spec, final List<String> hostable, final ThreadingMode mode)
    {
        if (spec.hosts().isEmpty())
        {
            throw new IllegalArgumentException("agent '" + spec.name() + "' hosts nothing: it can host " + hostable);
        }
        for (final String hosted : spec.hosts())
        {
            if (!hostable.contains(hosted))
            {
                throw new IllegalArgumentException("agent '" + spec.name() + "' cannot host '" + hosted +
                    "': the stages and polled sources that agents can host are " + hostable);
            }
            final String other = agentByHosted.putIfAbsent(hosted, spec.name());
            if (other != null)
            {
                throw new IllegalArgumentException(
                    "stage '" + hosted + "' is placed on agent '" + other + "' and on agent '" + spec.name() + "'");
            }
        }
        if (spec.cpu() != AgentSpec.NO_CPU)
        {
            if (mode == ThreadingMode.INVOKER)
            {
                throw new IllegalArgumentException("agent '" + spec.name() + "' asks for cpu " + spec.cpu() +
                    ": in INVOKER mode agents have no thread to pin");
            }
            CpuPlacement.check("agent '" + spec.name() + "'", spec.cpu());
        }
        specByAgent.put(spec.name(), spec);
    }

    AgentSpec spec(final String agent)
    {
        return specByAgent.get(agent);
    }

    /** Null for the stages of a direct pipeline, which no agent hosts. */
    AgentSpec agentOf(final String hosted)
    {
        return specByAgent.get(agentByHosted.get(hosted));
    }

    /** First the agents of the context, in its order; then the others, in the order of the flows. */
    List<AgentSpec> agents()
    {
        return List.copyOf(specByAgent.values());
    }
}
