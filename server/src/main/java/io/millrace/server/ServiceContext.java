package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;

/**
 * What a service gets to know of its server.
 */
public final class ServiceContext
{
    private final String serverName;
    private final ObjectPoolsRegistry pools;
    private final Counters counters;

    ServiceContext(final String serverName, final ObjectPoolsRegistry pools, final Counters counters)
    {
        this.serverName = serverName;
        this.pools = pools;
        this.counters = counters;
    }

    /**
     * Name of the server.
     *
     * @return the name.
     */
    public String serverName()
    {
        return serverName;
    }

    /**
     * The server's pools, to make pools of one's own in.
     *
     * @return the registry.
     */
    public ObjectPoolsRegistry pools()
    {
        return pools;
    }

    /**
     * The server's counters, to add some of one's own to.
     *
     * @return the counters.
     */
    public Counters counters()
    {
        return counters;
    }
}
