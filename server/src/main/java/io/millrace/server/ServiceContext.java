package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;

/**
 * Access to a server for its services.
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
     * The server's pools. A service may add its own.
     *
     * @return the registry.
     */
    public ObjectPoolsRegistry pools()
    {
        return pools;
    }

    /**
     * The server's counters. A service may add its own.
     *
     * @return the counters.
     */
    public Counters counters()
    {
        return counters;
    }
}
