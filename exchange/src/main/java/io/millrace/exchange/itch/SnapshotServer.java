package io.millrace.exchange.itch;

import io.millrace.exchange.soup.SoupDescriptor;
import io.millrace.exchange.soup.SoupPacket;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.agent.AcceptPause;
import org.agrona.CloseHelper;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Gives each client that logs in a snapshot of all books, and closes. A few clients at a time; each has a bounded time.
 * All clients that log in within {@link #FRESH_NS} read one image; later ones wait until it is free. Without clients it
 * allocates nothing. One thread; any thread reads the counters.
 */
final class SnapshotServer implements Closeable
{
    /** Clients at a time. */
    static final int MAX_CLIENTS = 16;
    /** A client may read an image of this age. */
    static final long FRESH_NS = TimeUnit.SECONDS.toNanos(2);
    /** For the login, and again for the reading of the image. */
    static final long CLIENT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Time between two looks at the sockets: they cost a system call each. */
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Two login requests: a heartbeat may come first. */
    private static final int RECEIVE_LENGTH = 2 * SoupDescriptor.LOGIN_REQUEST_LENGTH;

    private static final int LOGGING_IN = 0;
    private static final int WAITING = 1;
    private static final int READING = 2;
    private static final int LEAVING = 3;

    private final ServerSocketChannel server;
    /** Of the server only: an accept that finds nobody allocates, a select does not. */
    private final Selector selector;
    private final SnapshotImage image;
    private final SoupPacket packet =
        new SoupPacket(SoupDescriptor.LOGIN_REQUEST_LENGTH - SoupDescriptor.HEADER_LENGTH);
    private final Client[] clients = new Client[MAX_CLIENTS];
    private final PaddedLong images = new PaddedLong(0);
    private final PaddedLong served = new PaddedLong(0);
    private final PaddedLong refused = new PaddedLong(0);
    private final PaddedLong acceptFailed = new PaddedLong(0);
    private int active;
    private int readers;
    private long imageNs;
    private boolean hasImage;
    private long lastNs;
    private long acceptNs;

    /** A place for a client. */
    private static final class Client
    {
        private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_LENGTH);
        private final ByteBuffer out;
        private SocketChannel channel;
        private int state;
        private long sinceNs;

        Client(final ByteBuffer out)
        {
            this.out = out;
        }
    }

    SnapshotServer(final InetSocketAddress address, final SnapshotImage image, final long nowNs) throws IOException
    {
        this.image = image;
        lastNs = nowNs;
        acceptNs = nowNs;
        for (int i = 0; i < MAX_CLIENTS; i++)
        {
            clients[i] = new Client(image.view());
        }
        server = ServerSocketChannel.open();
        try
        {
            server.bind(address);
            server.configureBlocking(false);
            selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
        }
        catch (final IOException ex)
        {
            server.close();
            throw new IOException("cannot serve snapshots on " + address + ": " + ex.getMessage(), ex);
        }
    }

    InetSocketAddress address() throws IOException
    {
        return (InetSocketAddress)server.getLocalAddress();
    }

    /** Serves the clients. The sequence is that of the next message: the books contain all earlier ones. */
    int doWork(final long nowNs, final long nextSequence) throws IOException
    {
        if (nowNs - lastNs < PERIOD_NS)
        {
            return 0;
        }
        lastNs = nowNs;
        int work = accept(nowNs);
        for (int i = 0; active > 0 && i < MAX_CLIENTS; i++)
        {
            work += clients[i].channel == null ? 0 : serve(clients[i], nowNs, nextSequence);
        }
        return work;
    }

    private int accept(final long nowNs) throws IOException
    {
        if (nowNs - acceptNs < 0 || selector.selectNow() == 0)
        {
            return 0;
        }
        selector.selectedKeys().clear();
        final SocketChannel channel;
        try
        {
            channel = server.accept();
        }
        catch (final IOException ex)
        {
            // For example no file descriptor is free. The connection stays in the backlog.
            acceptFailed.addOpaque(1);
            acceptNs = nowNs + AcceptPause.PAUSE_NS;
            return 0;
        }
        if (channel == null)
        {
            return 0;
        }
        for (final Client client : clients)
        {
            if (client.channel == null)
            {
                client.channel = channel;
                client.state = LOGGING_IN;
                client.sinceNs = nowNs;
                client.received.clear();
                active++;
                unblock(client);
                return 1;
            }
        }
        refused.addOpaque(1);
        CloseHelper.quietClose(channel);
        return 1;
    }

    private void unblock(final Client client)
    {
        try
        {
            client.channel.configureBlocking(false);
        }
        catch (final IOException ex)
        {
            // The client has gone already.
            close(client, refused);
        }
    }

    private int serve(final Client client, final long nowNs, final long nextSequence)
    {
        try
        {
            if (nowNs - client.sinceNs >= CLIENT_NS)
            {
                close(client, client.state == LEAVING ? null : refused);
                return 1;
            }
            return switch (client.state)
            {
                case LOGGING_IN -> logIn(client, nowNs);
                case WAITING -> begin(client, nowNs, nextSequence);
                case READING -> write(client);
                default -> leave(client);
            };
        }
        catch (final IOException ex)
        {
            // The client is gone.
            close(client, client.state == LEAVING ? null : refused);
            return 1;
        }
    }

    private int logIn(final Client client, final long nowNs) throws IOException
    {
        final int read = client.channel.read(client.received);
        if (read < 0)
        {
            close(client, refused);
        }
        if (read <= 0)
        {
            return 0;
        }
        int at = 0;
        int length = packet.wrap(client.received, 0, client.received.position());
        while (length > 0 && packet.type() == SoupDescriptor.CLIENT_HEARTBEAT)
        {
            at += length;
            length = packet.wrap(client.received, at, client.received.position());
        }
        if (length == SoupPacket.INCOMPLETE && client.received.hasRemaining())
        {
            return 1;
        }
        if (length <= 0 || !packet.isLoginRequest())
        {
            close(client, refused);
            return 1;
        }
        client.state = WAITING;
        client.sinceNs = nowNs;
        return 1;
    }

    private int begin(final Client client, final long nowNs, final long nextSequence)
    {
        if (!hasImage || nowNs - imageNs >= FRESH_NS)
        {
            if (readers > 0)
            {
                return 0;
            }
            image.write(nextSequence);
            imageNs = nowNs;
            hasImage = true;
            images.addOpaque(1);
        }
        client.out.limit(image.length()).position(0);
        client.state = READING;
        client.sinceNs = nowNs;
        readers++;
        return 1;
    }

    private int write(final Client client) throws IOException
    {
        final int written = client.channel.write(client.out);
        if (!client.out.hasRemaining())
        {
            readers--;
            served.addOpaque(1);
            client.state = LEAVING;
            client.channel.shutdownOutput();
        }
        return written;
    }

    /** Closing with unread bytes would reset the connection, and the client could lose the end of the snapshot. */
    private int leave(final Client client) throws IOException
    {
        final int read = client.channel.read(client.received.clear());
        if (read < 0)
        {
            close(client, null);
        }
        return read;
    }

    private void close(final Client client, final PaddedLong counter)
    {
        readers -= client.state == READING ? 1 : 0;
        active--;
        CloseHelper.quietClose(client.channel);
        client.channel = null;
        if (counter != null)
        {
            counter.addOpaque(1);
        }
    }

    void addTo(final Counters counters, final String name)
    {
        counters.add(name + ".images", "snapshots written", images::getOpaque);
        counters.add(name + ".served", "clients that got a whole snapshot", served::getOpaque);
        counters.add(name + ".refused", "clients without a valid login, too slow, gone, or too many",
            refused::getOpaque);
        counters.add(name + ".acceptFailed", "failed accepts, for example without a free descriptor; tried again later",
            acceptFailed::getOpaque);
    }

    @Override
    public void close()
    {
        for (final Client client : clients)
        {
            CloseHelper.quietClose(client.channel);
        }
        CloseHelper.quietCloseAll(selector, server);
    }
}
