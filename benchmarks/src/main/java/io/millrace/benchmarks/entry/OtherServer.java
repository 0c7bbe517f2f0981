package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * A server that only accepts a connection and closes it, on a thread of its own. What an attack on it costs the clients
 * of an exchange is the share of the attacker and of the operating system.
 */
final class OtherServer implements AutoCloseable
{
    private static final int BACKLOG = 1_024;

    private final ServerSocket server;
    private final Thread thread;
    /** Written by this server's thread, read by the measuring one: volatile. */
    private volatile long accepted;

    OtherServer() throws IOException
    {
        server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        thread = Daemon.start("other server", this::run);
    }

    int port()
    {
        return server.getLocalPort();
    }

    long accepted()
    {
        return accepted;
    }

    private void run()
    {
        long count = 0;
        while (!server.isClosed())
        {
            try
            {
                server.accept().close();
                accepted = ++count;
            }
            catch (final IOException ex)
            {
                // The attacker has reset the connection, or this server is closed.
                Thread.yield();
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        server.close();
        Daemon.join(thread);
    }
}
