package io.millrace.ipc;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The guest's control thread: attaches to the host, and again when the host has come back.
 */
final class GuestControl extends ControlThread
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long POLL_MS = 5;

    private final ByteBuffer header;
    private int sessions;
    private long triedNs;
    private volatile GuestSession session;
    private volatile IOException refusal;

    GuestControl(final ExchangeContext context) throws IOException
    {
        this(context, ByteBuffer.allocateDirect(ExchangeLayout.HEADER_BYTES));
    }

    /** Needs no memory after the selector is open: nobody could close it. */
    private GuestControl(final ExchangeContext context, final ByteBuffer header) throws IOException
    {
        super(context, "guest");
        this.header = header;
        triedNs = System.nanoTime() - RETRY_NS;
    }

    /** The session whose host is attached; null if none is. */
    GuestSession session()
    {
        return session;
    }

    /** Why the last try to attach failed; null if it did not. */
    IOException refusal()
    {
        return refusal;
    }

    /** Attaches once. By the control thread, or before it starts. */
    void attach() throws IOException
    {
        triedNs = System.nanoTime();
        ExchangeFiles.checkDirectoryOfHost(context.directory);
        ExchangeFiles.checkHeader(context.file(), header);
        final SocketChannel channel;
        try
        {
            channel = ExchangeFiles.connect(context.socket());
        }
        catch (final IOException ex)
        {
            throw new ExchangeException(ExchangeFiles.isRefused(ex, context.socket()) ?
                "no host: nobody serves " + context.socket() :
                "cannot connect to " + context.socket() + ": " + ex.getMessage(), ex);
        }
        if (channel == null)
        {
            throw new ExchangeException("cannot connect to " + context.socket() + ": its queue is full");
        }
        try
        {
            ExchangeFiles.checkPeer(channel);
            select(channel);
            final int self = newIncarnation();
            channel.write(Hello.of(self, Hello.WELCOME));
            final ByteBuffer hello = readHello(channel);
            Hello.check(hello);
            if (Hello.answer(hello) != Hello.WELCOME)
            {
                throw new ExchangeException(Hello.answer(hello) != Hello.IN_USE ? "the host refused this guest" :
                    "another guest is attached to " + context.file() +
                    ", or the host has not noticed its end yet: try again, or use launch");
            }
            // Only now, because a guest that is not taken tries again ten times a second.
            final ByteBuffer file = ExchangeFiles.map(context.file());
            final GuestSession attached = new GuestSession(context, ++sessions, self, file, channel, hello);
            resetBeat(attached.link);
            session = attached;
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            CloseHelper.quietClose(channel);
            throw ex;
        }
    }

    private ByteBuffer readHello(final SocketChannel channel) throws IOException
    {
        final long startNs = System.nanoTime();
        final ByteBuffer hello = Hello.buffer();
        while (hello.hasRemaining())
        {
            if (channel.read(hello) < 0)
            {
                throw new ExchangeException("the host closed the connection");
            }
            if (System.nanoTime() - startNs > HELLO_LIMIT_NS)
            {
                throw new ExchangeException("the host does not answer");
            }
            if (hello.hasRemaining())
            {
                selector.select(POLL_MS);
                selector.selectedKeys().clear();
            }
        }
        return hello;
    }

    @Override
    void work()
    {
        final GuestSession current = session;
        if (current == null)
        {
            retry();
        }
        else if (!current.channel.isOpen() || !readWakeUps(current.channel, current.link))
        {
            detach(current);
        }
        else
        {
            try
            {
                beat(current.memory, ExchangeLayout.GUEST_HEARTBEAT_OFFSET, ExchangeLayout.HOST_HEARTBEAT_OFFSET,
                    current.link);
            }
            catch (final InternalError ex)
            {
                current.link.fault(current.host, "the file cannot be read: " + ex.getMessage());
            }
        }
    }

    private void detach(final GuestSession current)
    {
        session = null;
        current.link.disconnect(current.host);
        CloseHelper.quietClose(current.channel);
    }

    private void retry()
    {
        if (System.nanoTime() - triedNs >= RETRY_NS)
        {
            try
            {
                attach();
                refusal = null;
            }
            catch (final IOException ex)
            {
                refusal = ex;
            }
        }
    }

    @Override
    void end()
    {
        final GuestSession current = session;
        if (current != null)
        {
            detach(current);
        }
        CloseHelper.quietClose(selector);
    }
}
