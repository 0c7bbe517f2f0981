package io.millrace.exchange.session;

import io.millrace.server.agent.AcceptPause;

/** The open connections, and the objects of ended ones for later connections. The agent of order entry only. */
final class ConnectionTable
{
    private final OrderEntry entry;
    private final SessionContext context;
    /** Behind the open ones, from {@link #count}: free objects for the next ones, null if never used. */
    private final Connection[] connections;
    private int count;
    private boolean lacksMemory;
    private long noMemoryNs;

    ConnectionTable(final OrderEntry entry, final SessionContext context)
    {
        this.entry = entry;
        this.context = context;
        connections = new Connection[context.maxConnections];
    }

    /** Number of open connections. */
    int count()
    {
        return count;
    }

    /** An open connection, 0 to the count - 1. */
    Connection at(final int index)
    {
        return connections[index];
    }

    /** An object to {@link #add}; null when there are too many, or there is no memory for its buffers. */
    Connection free(final long nowNs)
    {
        if (count == connections.length)
        {
            return null;
        }
        // TLS has buffers of its own for each connection.
        final boolean needsMemory = connections[count] == null || context.tls != null;
        if (needsMemory && lacksMemory && nowNs - noMemoryNs < AcceptPause.NO_MEMORY_NS)
        {
            return null;
        }
        try
        {
            if (connections[count] == null)
            {
                connections[count] = new Connection(entry, context.inputBytes, context.outputBytes);
            }
        }
        catch (final OutOfMemoryError ex)
        {
            lacksMemory(nowNs);
        }
        return connections[count];
    }

    /** The JDK sleeps half a second before it throws: clients that connect again and again would stop the others. */
    void lacksMemory(final long nowNs)
    {
        lacksMemory = true;
        noMemoryNs = nowNs;
    }

    /** The free object is open now. */
    void add()
    {
        count++;
    }

    void remove(final Connection connection)
    {
        int i = 0;
        while (connections[i] != connection)
        {
            i++;
        }
        count--;
        connections[i] = connections[count];
        connections[count] = connection;
    }
}
