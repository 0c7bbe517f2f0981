package io.millrace.benchmarks.harness;

import io.millrace.server.AgentSpec;
import io.millrace.server.Server;

/**
 * Placement, failure and end of a server under test. Stateless; any thread, the end by the thread that launched it.
 */
public final class ServerUnderTest
{
    private ServerUnderTest()
    {
    }

    /**
     * Binds an agent to a CPU.
     *
     * @param agent the agent.
     * @param cpu   a CPU number, or {@link Pinning#NONE}.
     * @return the agent.
     */
    public static AgentSpec pin(final AgentSpec agent, final int cpu)
    {
        return cpu == Pinning.NONE ? agent : agent.cpu(cpu);
    }

    /**
     * Checks that a server works.
     *
     * @param server the server.
     * @throws IllegalStateException when it has failed.
     */
    public static void check(final Server server)
    {
        if (server.failure() != null)
        {
            throw new IllegalStateException("the server failed", server.failure());
        }
    }

    /**
     * Checks that a server took what was published.
     *
     * @param published whether it did.
     * @param server    the server.
     * @throws IllegalStateException when it did not.
     */
    public static void checkPublished(final boolean published, final Server server)
    {
        if (!published)
        {
            throw new IllegalStateException("the server refused an event although it had capacity", server.failure());
        }
    }

    /**
     * Ends a server.
     *
     * @param server the server.
     * @throws IllegalStateException when it has failed.
     */
    public static void close(final Server server)
    {
        server.close();
        check(server);
    }
}
