package io.millrace.exchange.session;

import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.OrderIds;
import io.millrace.exchange.tls.TlsChannel;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.agent.AcceptPause;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Order entry over TCP: the source of the commands, and the sink of the answers. One agent hosts both, so all
 * connections, sessions and limits have one writer:
 * <pre>
 *  sockets -> {@link #poll} -> ring of commands -> journal, core -> ring of answers -> {@link #answers} -> sockets
 * </pre>
 * It never blocks. When the ring of commands is full, sockets are not read. When a client's output is full, its answers
 * stay with the core, and are requested again when there is space. Passing a command and an answer on allocates
 * nothing; accepting a connection and a logon do.
 */
public final class OrderEntry implements EventSource<ExchangeCommand>
{
    /** Connections that are accepted before the rate counts. */
    private static final int BURST = 16;
    /** Messages of one connection in a duty cycle, so that others have their turn. */
    private static final int MAX_MESSAGES = 64;
    private static final long TIMERS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SessionContext context;
    private final List<Acceptor> acceptors = new ArrayList<>();
    private final ConnectionTable connections;
    private final EntryCounters counters = new EntryCounters();
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final LeavingSockets leaving = new LeavingSockets();
    private final EntryCommands commands;
    private final AnswerDelivery answers;
    private final SSLContext tls;
    /** Signs for the handshakes, so that they do not delay the clients; null without TLS. */
    private ExecutorService handshakes;
    private Selector selector;
    private int lastStamp;
    private long nowNs;
    private long timersNs;
    private long acceptNs;

    /**
     * Creates order entry that does not listen yet.
     *
     * @param context settings and clients.
     * @param ids     map of order ids, the core's.
     */
    public OrderEntry(final SessionContext context, final OrderIds ids)
    {
        this.context = Objects.requireNonNull(context, "context");
        commands = new EntryCommands(this, context, Objects.requireNonNull(ids, "ids"), counters);
        answers = new AnswerDelivery(this, commands, counters);
        connections = new ConnectionTable(this, context);
        tls = context.tls;
    }

    /**
     * Adds a protocol with an address to listen on. Call it before the launch.
     *
     * @param protocol makes the coder of each connection.
     * @param address  port 0 for a free one.
     * @return index for {@link #port}.
     */
    public int listen(final Protocol protocol, final InetSocketAddress address)
    {
        acceptors.add(new Acceptor(Objects.requireNonNull(protocol, "protocol"), address));
        return acceptors.size() - 1;
    }

    /** @return number of protocols that {@link #listen} has added. */
    public int protocolCount()
    {
        return acceptors.size();
    }

    /**
     * The port that a protocol listens on. Any thread.
     *
     * @param index from {@link #listen}.
     * @return 0 before the start.
     */
    public int port(final int index)
    {
        return acceptors.get(index).port();
    }

    /**
     * Sets where to ask whether the disk of the journal is nearly full. Call it before the launch.
     *
     * @param newIsDiskLow {@code journal::isDiskLow}.
     */
    public void diskLow(final BooleanSupplier newIsDiskLow)
    {
        commands.diskLow(newIsDiskLow);
    }

    /**
     * Sets which symbols cannot be removed. Call it before the launch.
     *
     * @param newIsListed {@code publisher::publishes} of ITCH; default: none.
     */
    public void listed(final IntPredicate newIsListed)
    {
        commands.listed(newIsListed);
    }

    /**
     * Sets who writes the answers to the sockets. A direct flow of the answers has no batches, so its agent calls
     * {@link #flushAll} when a batch of commands ends.
     *
     * @param byCaller default false: they are written at the end of each batch of answers.
     */
    public void flushedByCaller(final boolean byCaller)
    {
        answers.flushes(!byCaller);
    }

    /** @return handler of the answers' flow; the agent that hosts this source hosts it, too. */
    public EventHandler<Answer> answers()
    {
        return answers;
    }

    @Override
    public void addCounters(final Counters all, final String name)
    {
        counters.addTo(all, name);
    }

    @Override
    public void onStart() throws IOException
    {
        selector = Selector.open();
        nowNs = context.clock.nanoTime();
        acceptNs = nowNs;
        timersNs = nowNs;
        try
        {
            acceptors.forEach(acceptor -> acceptor.open(selector));
        }
        catch (final RuntimeException ex)
        {
            // Nobody closes a source that did not start: the other ports would stay in use.
            onClose();
            selector.close();
            throw ex;
        }
        handshakes = tls == null ? null : Executors.newSingleThreadExecutor(task ->
        {
            final Thread thread = new Thread(task, "exchange-tls");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public int poll(final EventPublication<ExchangeCommand> publication) throws IOException
    {
        nowNs = context.clock.nanoTime();
        if (!commands.begin(publication, nowNs))
        {
            return 0;
        }
        selector.selectNow(onReady);
        int work = 0;
        for (int i = connections.count() - 1; i >= 0; i--)
        {
            work += serve(connections.at(i));
        }
        if (nowNs - timersNs >= TIMERS_NS)
        {
            timersNs = nowNs;
            checkTimers();
        }
        return work;
    }

    private void onReady(final SelectionKey key)
    {
        if (key.attachment() instanceof Acceptor)
        {
            accept((Acceptor)key.attachment());
            return;
        }
        final Connection connection = (Connection)key.attachment();
        if (connection.key() == key && key.isValid() && connection.isOpen())
        {
            if (key.isWritable())
            {
                connection.unblock();
            }
            if (key.isReadable())
            {
                read(connection);
            }
        }
    }

    private void read(final Connection connection)
    {
        try
        {
            connection.read();
        }
        catch (final IOException ex)
        {
            // For example reset by the peer.
            broken(connection, ex);
        }
    }

    private void broken(final Connection connection, final IOException ex)
    {
        end(connection, ex instanceof SSLException ? EndReason.TLS_FAILED : EndReason.CLOSED);
    }

    /** One connection in a duty cycle, so that a storm of them delays a command by one accept, not by many. */
    private void accept(final Acceptor acceptor)
    {
        final long intervalNs = TimeUnit.SECONDS.toNanos(1) / context.connectsPerSecond;
        // Not max: the clock may wrap.
        acceptNs = acceptNs - nowNs > 0 ? acceptNs : nowNs;
        final long aheadNs = acceptNs - nowNs - BURST * intervalNs;
        if (aheadNs > 0)
        {
            acceptor.pause(nowNs + aheadNs);
            return;
        }
        try
        {
            final SocketChannel channel = acceptor.channel().accept();
            if (channel != null)
            {
                acceptNs += intervalNs;
                counters.accepted.addOpaque(1);
                connect(channel, acceptor.protocol());
            }
        }
        catch (final IOException ex)
        {
            // For example no file descriptor is free. The connection stays in the backlog.
            counters.acceptFailed.addOpaque(1);
            acceptor.pause(nowNs + AcceptPause.PAUSE_NS);
        }
    }

    /** Each accepted connection is open, over the limit, or ended: exactly one counter has it. */
    private void connect(final SocketChannel channel, final Protocol protocol)
    {
        final Connection connection = connections.free(nowNs);
        if (connection == null)
        {
            counters.overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        try
        {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final TlsChannel secured = tls == null ? null : TlsChannel.server(tls, channel, handshakes);
            final SelectionKey key = channel.register(selector, SelectionKey.OP_READ, connection);
            connection.open(channel, secured, key, protocol, ++lastStamp, nowNs);
        }
        catch (final IOException ex)
        {
            // The peer has gone already.
            CloseHelper.quietClose(channel);
            counters.ended(EndReason.CLOSED);
            return;
        }
        catch (final OutOfMemoryError ex)
        {
            connections.lacksMemory(nowNs);
            counters.overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        connections.add();
        counters.connections.setOpaque(connections.count());
    }

    /** Handles what a client has sent, and writes what waits for it. Returns the number of messages. */
    private int serve(final Connection connection)
    {
        int count = 0;
        if (connection.hasMore())
        {
            read(connection);
        }
        if (connection.canContinue && !connection.isLoggingOn())
        {
            count = handle(connection);
        }
        if (connection.isOpen() && connection.hasPeerEnded() && !connection.canContinue)
        {
            end(connection, EndReason.CLOSED);
        }
        if (connection.isOpen() && connection.behind && !connection.resendPending && connection.isHalfFree())
        {
            commands.requestResend(connection);
        }
        flush(connection);
        return count;
    }

    private int handle(final Connection connection)
    {
        final int count = connection.handle(MAX_MESSAGES);
        if (!connection.isOpen())
        {
            return count;
        }
        // Not ||: the first call resets.
        final boolean waiting = commands.hasWaited() | connection.repeats();
        connection.canContinue = waiting || count == MAX_MESSAGES || connection.isLoggingOn();
        if (count > 0 || waiting)
        {
            connection.received(nowNs);
        }
        else if (connection.isInputFull())
        {
            end(connection, EndReason.MALFORMED);
        }
        return count;
    }

    void flush(final Connection connection)
    {
        if (connection.isOpen() && connection.hasOutput() && !connection.isBlocked())
        {
            try
            {
                connection.write(nowNs);
            }
            catch (final IOException ex)
            {
                // The peer has gone.
                broken(connection, ex);
            }
        }
    }

    private void checkTimers()
    {
        leaving.doWork(nowNs);
        for (int i = 0; i < acceptors.size(); i++)
        {
            acceptors.get(i).resumeIfDue(nowNs);
        }
        for (int i = connections.count() - 1; i >= 0; i--)
        {
            final Connection connection = connections.at(i);
            if (connection.isBlocked() && nowNs - connection.progressNs > context.stallTimeoutNs)
            {
                end(connection, EndReason.SLOW);
            }
            else if (!connection.loggedOn)
            {
                // A logon waits for the core, for example while the disk stalls: for its answer, or for the ring.
                if (!connection.isLoggingOn() && !connection.canContinue &&
                    nowNs - connection.openedNs > context.logonTimeoutNs)
                {
                    end(connection, EndReason.LOGON_TIMEOUT);
                }
            }
            else if (!connection.isAsked && nowNs - connection.receivedNs > context.idleTimeoutNs / 2 &&
                connection.session().onSilence())
            {
                connection.isAsked = true;
                // The question is late if this agent stood still. The client has half of the time for its answer, also
                // one that cannot be asked.
                connection.receivedNs = nowNs - context.idleTimeoutNs / 2;
            }
            else if (nowNs - connection.receivedNs > context.idleTimeoutNs)
            {
                end(connection, EndReason.IDLE);
            }
            else if (nowNs - connection.sentNs > context.heartbeatNs && !connection.hasOutput())
            {
                connection.sentNs = nowNs;
                connection.session().onHeartbeat();
            }
        }
    }

    void end(final Connection connection, final EndReason reason)
    {
        if (!connection.isOpen() || connection.isEnding)
        {
            return;
        }
        connection.isEnding = true;
        connection.session().onEnd(reason);
        try
        {
            if (connection.hasOutput() && !connection.isBlocked())
            {
                connection.write(nowNs);
            }
        }
        catch (final IOException ex)
        {
            // The peer has gone: it does not get the last words.
            connection.unblock();
        }
        commands.ended(connection);
        final SocketChannel halfClosed = connection.close(reason == EndReason.SLOW);
        if (halfClosed != null)
        {
            leaving.add(halfClosed, nowNs);
        }
        connections.remove(connection);
        counters.connections.setOpaque(connections.count());
        counters.ended(reason);
    }

    /** Writes what the sockets take now; {@link #poll} writes the rest. The agent of this source only. */
    public void flushAll()
    {
        for (int i = connections.count() - 1; i >= 0; i--)
        {
            flush(connections.at(i));
        }
    }

    long nowNs()
    {
        return nowNs;
    }

    /** After the last answer. */
    void closeConnections()
    {
        while (connections.count() > 0)
        {
            end(connections.at(connections.count() - 1), EndReason.SHUTDOWN);
        }
        leaving.closeAll();
        if (handshakes != null)
        {
            handshakes.shutdownNow();
        }
        try
        {
            // Null when the core could not start before.
            if (selector != null)
            {
                selector.close();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    EntryCommands commands()
    {
        return commands;
    }

    @Override
    public void onClose()
    {
        // The connections stay open until the answers are through.
        acceptors.forEach(Acceptor::close);
    }
}
