package io.millrace.server.monitor;

import io.millrace.server.ServiceContext;
import io.millrace.server.agent.AcceptPause;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The socket and the thread of one start of the console. A command that hangs may outlive it: it holds no port then,
 * and the next start has a socket and a thread of its own.
 */
final class ConsoleListener
{
    private static final long CHECKS_PER_TIMEOUT = 4;
    private static final long END_MS = 500;

    private final ServiceContext context;
    private final long idleTimeoutNs;
    private final String token;
    private final AtomicLong commands;
    private final AtomicLong refused;
    private final AtomicLong open;
    private final List<ConsoleConnection> connections = new ArrayList<>();
    private volatile boolean running = true;
    private Selector selector;
    private ServerSocketChannel listening;
    private AcceptPause acceptPause;
    private Thread thread;

    /**
     * @param token null: no client may change the server.
     * @param open  number of open connections.
     */
    ConsoleListener(
        final ServiceContext context,
        final long idleTimeoutNs,
        final String token,
        final AtomicLong commands,
        final AtomicLong refused,
        final AtomicLong open)
    {
        this.context = context;
        this.idleTimeoutNs = idleTimeoutNs;
        this.token = token;
        this.commands = commands;
        this.refused = refused;
        this.open = open;
    }

    /** Returns the port. If it throws, nothing is open. */
    int bind(final int port) throws IOException
    {
        try
        {
            selector = Selector.open();
            listening = ServerSocketChannel.open();
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listening.configureBlocking(false);
            acceptPause = new AcceptPause(listening.register(selector, SelectionKey.OP_ACCEPT));
            return listening.socket().getLocalPort();
        }
        catch (final Throwable ex)
        {
            closeSocket();
            throw ex;
        }
    }

    /**
     * If it throws, nothing is open.
     *
     * @param problem gets a sentence if the thread fails.
     */
    void start(final String name, final Consumer<String> problem)
    {
        thread = new Thread(() -> serve(problem), name);
        thread.setDaemon(true);
        try
        {
            thread.start();
        }
        catch (final Throwable ex)
        {
            closeSocket();
            throw ex;
        }
    }

    private void serve(final Consumer<String> problem)
    {
        try
        {
            while (running)
            {
                serveReady();
            }
        }
        catch (final Throwable ex)
        {
            // Behind a command that has outlived the console the selector is closed.
            if (running)
            {
                problem.accept("its thread has failed: " + ex);
            }
        }
        finally
        {
            connections.forEach(ConsoleConnection::close);
            open.addAndGet(-connections.size());
            connections.clear();
            closeSocket();
        }
    }

    private void serveReady() throws IOException
    {
        final long checkNs = idleTimeoutNs / CHECKS_PER_TIMEOUT;
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(
            acceptPause.isPaused() ? Math.min(checkNs, AcceptPause.PAUSE_NS) : checkNs)));
        final Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext())
        {
            final SelectionKey key = ready.next();
            ready.remove();
            if (key.isValid() && key.attachment() instanceof ConsoleConnection)
            {
                ((ConsoleConnection)key.attachment()).onReady();
            }
            else if (key.isValid())
            {
                accept();
            }
        }
        final long nowNs = System.nanoTime();
        acceptPause.endIfDue(nowNs);
        connections.forEach(each -> each.closeIfIdle(nowNs, idleTimeoutNs));
        removeClosed();
    }

    private void removeClosed()
    {
        final int before = connections.size();
        connections.removeIf(ConsoleConnection::isClosed);
        open.addAndGet(connections.size() - before);
    }

    private void accept()
    {
        try
        {
            final SocketChannel channel = listening.accept();
            if (channel != null && !connect(channel))
            {
                refused.incrementAndGet();
                CloseHelper.quietClose(channel);
            }
        }
        catch (final IOException ex)
        {
            // For example no file descriptor is free. The connection stays in the backlog.
            refused.incrementAndGet();
            acceptPause.begin(System.nanoTime());
        }
    }

    /** False: there are too many, or the client has gone already. */
    private boolean connect(final SocketChannel channel)
    {
        try
        {
            channel.configureBlocking(false);
            removeClosed();
            if (connections.size() >= AdminConsole.MAX_CONNECTIONS)
            {
                channel.write(ByteBuffer.wrap(("error: " + AdminConsole.MAX_CONNECTIONS + " connections are open\n.\n")
                    .getBytes(StandardCharsets.UTF_8)));
                return false;
            }
            connections.add(new ConsoleConnection(channel, selector, context.server().admin(), token, commands,
                refused));
            open.incrementAndGet();
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** Ends the thread; it cannot be started again. */
    void end()
    {
        running = false;
        selector.wakeup();
        // A command that waits for an agent.
        thread.interrupt();
        try
        {
            thread.join(END_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        // The thread has done so already, unless a command hangs: the port is free in any case.
        closeSocket();
    }

    private void closeSocket()
    {
        CloseHelper.quietCloseAll(listening, selector);
    }
}
