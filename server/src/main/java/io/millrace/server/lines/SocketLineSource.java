package io.millrace.server.lines;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.agent.AcceptPause;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Listens on a TCP address and publishes each line of each connection as an event. Lines of one connection keep their
 * order. Without capacity in the flow the source stops reading, and TCP makes the senders wait.
 * <p>
 * A connection beyond the limit is closed at once and counted. A connection that fails or ends is closed; the begin of
 * a line without its end counts as {@code incomplete}. Nothing is sent. Nothing is allocated for a line; a connection
 * allocates. The settings belong to the thread that builds the server. Use a source in one flow.
 *
 * @param <E> type of the events.
 */
public final class SocketLineSource<E extends BasePoolAware> implements EventSource<E>
{
    /** Greatest number of connections. */
    public static final int MAX_CONNECTIONS = 4_096;

    /** Some 20 microseconds of work. */
    private static final int LINES_PER_POLL = 64;
    private static final int ACCEPTS_PER_POLL = 16;

    private final InetSocketAddress address;
    private final Lines<E> lines;
    private final LineBuffer[] buffers;
    private final SocketChannel[] channels;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final PaddedLong bytes = new PaddedLong(0);
    private final PaddedLong accepted = new PaddedLong(0);
    private final PaddedLong overLimit = new PaddedLong(0);
    private final PaddedLong failed = new PaddedLong(0);
    private final PaddedLong open = new PaddedLong(0);
    private Selector selector;
    private ServerSocketChannel listener;
    private AcceptPause acceptPause;
    private int next;
    private int done;
    private volatile int port;

    /**
     * A source that listens when its server starts.
     *
     * @param address        to listen on; port 0 takes a free one, see {@link #port()}.
     * @param maxConnections connections at the same time, 1 to {@value #MAX_CONNECTIONS}. Each has a buffer of {@link
     *                       LineFormat#maxLineBytes}.
     * @param format         of the lines.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public SocketLineSource(final InetSocketAddress address, final int maxConnections, final LineFormat<E> format)
    {
        this.address = Objects.requireNonNull(address, "address");
        Range.check("maxConnections", maxConnections, 1, MAX_CONNECTIONS);
        lines = new Lines<>(Objects.requireNonNull(format, "format"));
        buffers = new LineBuffer[maxConnections];
        channels = new SocketChannel[maxConnections];
    }

    /**
     * The port on which the source listens. Any thread.
     *
     * @return the port; 0 before the start.
     */
    public int port()
    {
        return port;
    }

    @Override
    public void onStart() throws IOException
    {
        lines.start();
        try
        {
            selector = Selector.open();
            listener = ServerSocketChannel.open();
            listener.bind(address, channels.length);
            listener.configureBlocking(false);
            acceptPause = new AcceptPause(listener.register(selector, SelectionKey.OP_ACCEPT));
            port = ((InetSocketAddress)listener.getLocalAddress()).getPort();
        }
        catch (final IOException | RuntimeException ex)
        {
            // Also an address whose name is not known.
            onClose();
            throw new IOException("cannot listen on " + address + ": " +
                (ex.getMessage() == null ? ex.getClass().getSimpleName() : ex.getMessage()), ex);
        }
    }

    /**
     * {@inheritDoc}
     * Takes at most 64 lines in one call, from the connections in turn.
     *
     * @throws IOException if the selector fails; the next call tries again.
     */
    @Override
    public int poll(final EventPublication<E> out) throws IOException
    {
        done = 0;
        boolean drained = true;
        for (int i = 0; i < channels.length && drained; i++)
        {
            next = next + 1 < channels.length ? next + 1 : 0;
            if (channels[next] != null)
            {
                done += lines.poll(buffers[next], out, LINES_PER_POLL - done);
                drained = lines.isDrained();
            }
        }
        if (drained)
        {
            if (acceptPause.isPaused())
            {
                acceptPause.endIfDue(System.nanoTime());
            }
            selector.selectNow(onReady);
        }
        return done;
    }

    private void onReady(final SelectionKey key)
    {
        if (key.attachment() == null)
        {
            accept();
            return;
        }
        final int index = (Integer)key.attachment();
        // Every buffer was drained before: the end of a connection loses no complete line.
        if (channels[index] == key.channel())
        {
            read(index);
        }
    }

    private void read(final int index)
    {
        int count;
        try
        {
            count = buffers[index].read(channels[index]);
        }
        catch (final IOException ex)
        {
            failed.addOpaque(1);
            count = -1;
        }
        if (count > 0)
        {
            bytes.addOpaque(count);
            done += count;
        }
        else if (count < 0)
        {
            close(index);
        }
    }

    private void accept()
    {
        try
        {
            SocketChannel channel = listener.accept();
            for (int n = 1; channel != null; n++)
            {
                connect(channel);
                done++;
                channel = n < ACCEPTS_PER_POLL && !acceptPause.isPaused() ? listener.accept() : null;
            }
        }
        catch (final IOException ex)
        {
            // No descriptor is free, for example: the connection stays in the backlog.
            failed.addOpaque(1);
            acceptPause.begin(System.nanoTime());
        }
    }

    private void connect(final SocketChannel channel)
    {
        int index = 0;
        while (index < channels.length && channels[index] != null)
        {
            index++;
        }
        if (index == channels.length)
        {
            overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        try
        {
            if (buffers[index] == null)
            {
                buffers[index] = lines.newBuffer();
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, index);
        }
        catch (final OutOfMemoryError ex)
        {
            // Mostly of direct memory.
            overLimit.addOpaque(1);
            CloseHelper.quietClose(channel);
            acceptPause.beginUntil(System.nanoTime() + AcceptPause.NO_MEMORY_NS);
            return;
        }
        catch (final IOException ex)
        {
            // The peer has gone already.
            failed.addOpaque(1);
            CloseHelper.quietClose(channel);
            return;
        }
        channels[index] = channel;
        accepted.addOpaque(1);
        open.addOpaque(1);
    }

    private void close(final int index)
    {
        lines.end(buffers[index]);
        CloseHelper.quietClose(channels[index]);
        channels[index] = null;
        open.addOpaque(-1);
    }

    @Override
    public void onClose()
    {
        lines.release();
        for (int i = 0; i < channels.length; i++)
        {
            if (channels[i] != null)
            {
                close(i);
            }
        }
        CloseHelper.quietCloseAll(listener, selector);
        port = 0;
    }

    /**
     * {@inheritDoc} They are those of a {@link FileTailSource}'s lines, and {@code bytes}, {@code accepted}, {@code
     * overLimit}, {@code failed} and {@code open}.
     */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        lines.addCounters(counters, name);
        counters.tagged()
            .counter(name + ".bytes", "bytes", "bytes read", bytes::getOpaque)
            .counter(name + ".accepted", "connections", "connections taken", accepted::getOpaque)
            .counter(name + ".overLimit", "connections", "connections closed at once: too many, or no memory",
                overLimit::getOpaque)
            .counter(name + ".failed", "connections", "connections that failed, and failed attempts to accept one",
                failed::getOpaque)
            .gauge(name + ".open", "connections", "connections that are open", open::getOpaque);
    }
}
