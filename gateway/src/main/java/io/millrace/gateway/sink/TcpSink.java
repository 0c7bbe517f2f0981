package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.agent.AcceptPause;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A TCP server: each client gets every event as a JSON line or a binary frame. All clients are on the sink's agent,
 * with one selector and non-blocking sockets, so a stalled client delays no other.
 * <p>
 * A new client first gets the latest event of each known symbol. A client that reads too slowly fills its queue; then
 * {@link TcpPolicy} decides. Bytes that clients send are discarded. A client that ends its sending side is
 * disconnected.
 * <p>
 * Delivering events allocates nothing. Accepting a connection allocates inside of the JDK, and a queue when there were
 * never so many clients before.
 */
public final class TcpSink implements Sink
{
    /** Accepts in one duty cycle, so that a flood of connections does not delay the clients. */
    private static final int MAX_ACCEPTS = 16;
    private static final long CLOSE_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String BEHIND = "a client is behind";

    private final TcpContext context;
    private final SinkStatus status = new SinkStatus();
    private final LatestQuotes latest;
    private final BboEncoder encoder;
    private final TcpClient[] clients;
    /** Behind the clients, from {@link #clientCount}: free objects for the next ones, null if never used. */
    private int clientCount;
    /** Until then there is no memory for one more queue. */
    private long noMemoryUntilNs;
    private final ByteBuffer discarded = ByteBuffer.allocateDirect(4_096);
    private final Consumer<SelectionKey> onReady = this::onReady;

    private final PaddedLong connected = new PaddedLong(0);
    private final PaddedLong accepted = new PaddedLong(0);
    private final PaddedLong acceptFailed = new PaddedLong(0);
    private final PaddedLong overLimit = new PaddedLong(0);
    private final PaddedLong cutOff = new PaddedLong(0);
    private final PaddedLong left = new PaddedLong(0);
    private final PaddedLong closed = new PaddedLong(0);
    private final PaddedLong fanned = new PaddedLong(0);
    private final PaddedLong queued = new PaddedLong(0);
    private final PaddedLong merged = new PaddedLong(0);
    private final PaddedLong rows = new PaddedLong(0);

    private Selector selector;
    private ServerSocketChannel listener;
    private SelectionKey listenerKey;
    private AcceptPause acceptPause;
    private volatile int port;

    /**
     * A sink that does not listen yet.
     *
     * @param context its settings; this call concludes it.
     * @throws IllegalArgumentException if a setting is out of range.
     */
    public TcpSink(final TcpContext context)
    {
        this.context = context.conclude();
        latest = new LatestQuotes(context.maxSymbols);
        encoder = new BboEncoder(context.withSequence);
        clients = new TcpClient[context.maxClients];
    }

    /** @return the port on which the sink listens; 0 before its start. */
    public int port()
    {
        return port;
    }

    @Override
    public SinkStatus status()
    {
        return status;
    }

    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.tagged().gauge(name + ".clients", "clients", "connected clients", connected::getOpaque);
        counters.add(name + ".accepted", "connections accepted: clients + overLimit + cutOff + left + closed",
            accepted::getOpaque);
        counters.add(name + ".acceptFailed", "failed accepts, for example without a free descriptor or memory",
            acceptFailed::getOpaque);
        counters.add(name + ".overLimit", "connections closed at once: too many, or no memory", overLimit::getOpaque);
        counters.add(name + ".cutOff", "clients disconnected because they read too slowly", cutOff::getOpaque);
        counters.add(name + ".left", "clients that closed or reset their connection, or were lost", left::getOpaque);
        counters.add(name + ".closed", "clients disconnected because the sink closed", closed::getOpaque);
        counters.add(name + ".fanned", "events times clients: queued + merged + clients cut off at an event",
            fanned::getOpaque);
        counters.add(name + ".queued", "events put into a client's queue when they came", queued::getOpaque);
        counters.add(name + ".merged", "events not queued for a client, whose latest event it gets later",
            merged::getOpaque);
        counters.add(name + ".rows", "latest events queued for a client: of its snapshot, or after it was behind",
            rows::getOpaque);
    }

    @Override
    public void onStart()
    {
        final InetSocketAddress address = new InetSocketAddress(context.bindAddress, context.port);
        try
        {
            selector = Selector.open();
            listener = ServerSocketChannel.open();
            listener.bind(address, context.maxClients);
            listener.configureBlocking(false);
            listenerKey = listener.register(selector, SelectionKey.OP_ACCEPT);
            acceptPause = new AcceptPause(listenerKey);
            noMemoryUntilNs = context.clock.nanoTime();
            port = ((InetSocketAddress)listener.getLocalAddress()).getPort();
            status.up();
        }
        catch (final IOException ex)
        {
            onClose();
            throw new UncheckedIOException("cannot listen on " + address + ": " + ex.getMessage(), ex);
        }
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        final int index = latest.indexOf(event);
        if (index != LatestQuotes.NONE)
        {
            latest.at(index).copyOf(event);
        }
        if (clientCount > 0)
        {
            final int length = encode(event);
            fanned.addOpaque(clientCount);
            // Downwards: a client that is cut off is replaced by the last one, which had its turn.
            for (int i = clientCount - 1; i >= 0; i--)
            {
                offer(i, index, length);
            }
        }
        status.delivered(1);
        if (endOfBatch)
        {
            work();
        }
    }

    private int encode(final BboEvent event)
    {
        return context.binary ? encoder.frame(event) : encoder.jsonLine(event);
    }

    private void offer(final int i, final int index, final int length)
    {
        final TcpClient client = clients[i];
        if (client.isPending(index))
        {
            merged.addOpaque(1);
        }
        else if (client.hasCapacity(length))
        {
            client.append(encoder.bytes(), length);
            queued.addOpaque(1);
        }
        else if (context.policy == TcpPolicy.CONFLATE && index != LatestQuotes.NONE)
        {
            client.setPending(index);
            merged.addOpaque(1);
        }
        else
        {
            cutOff(i);
        }
    }

    @Override
    public void onIdle()
    {
        work();
    }

    private void work()
    {
        final long nowNs = context.clock.nanoTime();
        boolean behind = false;
        for (int i = clientCount - 1; i >= 0; i--)
        {
            behind |= serve(i, nowNs);
        }
        acceptPause.endIfDue(nowNs);
        try
        {
            selector.selectNow(onReady);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        report(behind);
    }

    private void report(final boolean behind)
    {
        if (behind)
        {
            status.degraded(BEHIND);
        }
        else if (!acceptPause.isPaused() && status.health() != SinkHealth.UP)
        {
            status.up();
        }
    }

    /** Write what the client's socket takes; true if latest events still wait for it. */
    private boolean serve(final int i, final long nowNs)
    {
        final TcpClient client = clients[i];
        try
        {
            boolean goOn = !client.isBlocked() && (client.hasBytes() || client.hasPending());
            while (goOn)
            {
                fillFromPending(client);
                client.write(nowNs);
                goOn = !client.isBlocked() && client.hasPending();
            }
        }
        catch (final IOException ex)
        {
            disconnect(i, left);
            return false;
        }
        if (client.isBlocked() && context.stallTimeoutNs > 0 && client.stalledNs(nowNs) > context.stallTimeoutNs)
        {
            cutOff(i);
            return false;
        }
        return client.hasPending();
    }

    private void fillFromPending(final TcpClient client)
    {
        while (client.hasPending() && client.hasCapacity(BboEncoder.MAX_LENGTH))
        {
            final int index = client.nextPending();
            final int length = encode(latest.at(index));
            client.append(encoder.bytes(), length);
            client.clearPending(index);
            rows.addOpaque(1);
        }
    }

    private void onReady(final SelectionKey key)
    {
        if (key == listenerKey)
        {
            accept();
            return;
        }
        final TcpClient client = (TcpClient)key.attachment();
        if (client.key() == key && key.isValid())
        {
            if (key.isWritable())
            {
                client.unblock();
            }
            if (key.isReadable() && client.isEnded(discarded))
            {
                disconnect(indexOf(client), left);
            }
        }
    }

    private int indexOf(final TcpClient client)
    {
        int i = 0;
        while (clients[i] != client)
        {
            i++;
        }
        return i;
    }

    private void accept()
    {
        try
        {
            SocketChannel channel = listener.accept();
            for (int n = 1; channel != null; n++)
            {
                accepted.addOpaque(1);
                connect(channel);
                channel = n < MAX_ACCEPTS ? listener.accept() : null;
            }
        }
        catch (final IOException ex)
        {
            // For example no file descriptor is free. The connection stays in the backlog.
            acceptFailed.addOpaque(1);
            acceptPause.begin(context.clock.nanoTime());
            status.degraded("cannot accept: " + ex.getMessage());
        }
    }

    /** Without memory for one more queue it closes the connection, and the accept has failed. */
    private TcpClient freeClient(final SocketChannel channel) throws IOException
    {
        try
        {
            final TcpClient free = clients[clientCount];
            return free != null ? free : new TcpClient(context.clientQueueBytes, latest.capacity());
        }
        catch (final OutOfMemoryError ex)
        {
            // Mostly of direct memory; the queues of the other clients are there. The JDK collects garbage and
            // sleeps for half a second before it throws: a client that connects again and again would stop the others.
            noMemoryUntilNs = context.clock.nanoTime() + AcceptPause.NO_MEMORY_NS;
            overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            throw new IOException("no memory for the queue of one more client", ex);
        }
    }

    private void connect(final SocketChannel channel) throws IOException
    {
        if (clientCount == clients.length ||
            clients[clientCount] == null && context.clock.nanoTime() - noMemoryUntilNs < 0)
        {
            overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        final TcpClient client = freeClient(channel);
        try
        {
            channel.configureBlocking(false);
            context.configure(channel);
            client.connected(channel, channel.register(selector, SelectionKey.OP_READ, client));
        }
        catch (final IOException ex)
        {
            // The client has gone already.
            left.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        for (int index = 0; context.snapshot && index < latest.size(); index++)
        {
            client.setPending(index);
        }
        clients[clientCount++] = client;
        connected.setOpaque(clientCount);
        // At once, so that the snapshot and the events after it are all that there is.
        serve(clientCount - 1, context.clock.nanoTime());
    }

    /** Disconnect a client that reads too slowly. Reset: the system does not keep the bytes that it has not read. */
    private void cutOff(final int i)
    {
        try
        {
            clients[i].channel().setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        catch (final IOException ex)
        {
            status.degraded("cannot reset a client: " + ex.getMessage());
        }
        disconnect(i, cutOff);
    }

    /** Each accepted connection is connected, over the limit, or ended: exactly one counter has it. */
    private void disconnect(final int i, final PaddedLong reason)
    {
        reason.addOpaque(1);
        final TcpClient client = clients[i];
        clientCount--;
        clients[i] = clients[clientCount];
        clients[clientCount] = client;
        connected.setOpaque(clientCount);
        client.key().cancel();
        CloseHelper.quietClose(client.channel());
    }

    /** Whether anything still waits for a client. */
    private boolean serveLast()
    {
        boolean waits = false;
        try
        {
            for (int i = clientCount - 1; i >= 0; i--)
            {
                final TcpClient client = clients[i];
                waits |= serve(i, context.clock.nanoTime()) || client.hasBytes();
            }
            if (waits)
            {
                selector.selectNow(onReady);
            }
            return waits;
        }
        catch (final IOException ex)
        {
            status.degraded("cannot serve the last events: " + ex.getMessage());
            return false;
        }
    }

    /** {@inheritDoc} Waits at most a second until the clients have taken what waits for them. */
    @Override
    public void onClose()
    {
        CloseHelper.quietClose(listener);
        final long startNs = System.nanoTime();
        while (serveLast() && System.nanoTime() - startNs < context.closeTimeoutNs)
        {
            LockSupport.parkNanos(CLOSE_POLL_NS);
        }
        while (clientCount > 0)
        {
            clients[clientCount - 1].discardAll(discarded);
            disconnect(clientCount - 1, closed);
        }
        CloseHelper.quietClose(selector);
        status.closed();
    }
}
