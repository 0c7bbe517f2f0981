package io.millrace.exchange.session;

import io.millrace.server.agent.AcceptPause;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/** Listens for the connections of one protocol. The agent of order entry only, except {@link #port}. */
final class Acceptor
{
    private static final int BACKLOG = 1_024;

    private final Protocol protocol;
    private final InetSocketAddress address;
    private ServerSocketChannel channel;
    private AcceptPause pause;
    /** Written at the start, read by any thread: volatile. */
    private volatile int port;

    Acceptor(final Protocol protocol, final InetSocketAddress address)
    {
        this.protocol = protocol;
        this.address = address;
    }

    Protocol protocol()
    {
        return protocol;
    }

    int port()
    {
        return port;
    }

    void open(final Selector selector)
    {
        try
        {
            channel = ServerSocketChannel.open();
            channel.bind(address, BACKLOG);
            channel.configureBlocking(false);
            pause = new AcceptPause(channel.register(selector, SelectionKey.OP_ACCEPT, this));
            port = ((InetSocketAddress)channel.getLocalAddress()).getPort();
        }
        catch (final IOException ex)
        {
            close();
            throw new UncheckedIOException("cannot listen on " + address + " for protocol " + protocol.name() + ": " +
                ex.getMessage(), ex);
        }
    }

    ServerSocketChannel channel()
    {
        return channel;
    }

    /** Stops accepting for a while; connections wait in the backlog. */
    void pause(final long untilNs)
    {
        pause.beginUntil(untilNs);
    }

    void resumeIfDue(final long nowNs)
    {
        pause.endIfDue(nowNs);
    }

    void close()
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException("cannot stop listening on " + address + ": " + ex.getMessage(), ex);
            }
        }
    }
}
