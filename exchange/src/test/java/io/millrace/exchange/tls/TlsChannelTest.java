package io.millrace.exchange.tls;

import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A channel, and the blocking socket of the JDK as its peer. */
@Timeout(120)
class TlsChannelTest
{
    /** Of changes of keys, as many as the socket takes. */
    private static final int FLOOD = 30;

    @TempDir
    private Path keys;

    private final ByteBuffer into = ByteBuffer.allocate(1_024);

    @Test
    void shouldReadAFewRecordsAtATimeAndEndAFloodOfThoseWithoutBytes() throws Exception
    {
        final Certificate certificate = new Certificate(keys);
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel acceptor = ServerSocketChannel.open().bind(any);
            Socket raw = new Socket(any.getAddress(), acceptor.socket().getLocalPort());
            SSLSocket peer = (SSLSocket)certificate.client().getSocketFactory()
                .createSocket(raw, Certificate.HOST, raw.getPort(), true);
            SocketChannel socket = acceptor.accept();
            TlsChannel channel = TlsChannel.server(certificate.server(), socket, Runnable::run))
        {
            socket.configureBlocking(false);
            final CompletableFuture<Void> first = CompletableFuture.runAsync(() -> send(peer, 0));
            readBytes(channel);
            first.join();
            for (int round = 0; round < 3; round++)
            {
                send(peer, FLOOD);
                assertTrue(readBytes(channel) >= FLOOD);
            }
            for (int i = 0; i < 200; i++)
            {
                send(peer, 0);
            }
            for (int rest = 200; rest > 0; rest -= into.position())
            {
                into.clear();
                read(channel);
                assertTrue(into.position() <= 64);
            }
            send(peer, FLOOD + 4);
            assertEquals("more than 32 records in a row have no bytes",
                assertThrows(SSLException.class, () -> readBytes(channel)).getMessage());
        }
    }

    /** It has no certificate, so the step fails if it runs. */
    @Test
    void shouldRunNoStepForAPeerThatHasGone() throws Exception
    {
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        final List<Runnable> tasks = new ArrayList<>();
        try (ServerSocketChannel acceptor = ServerSocketChannel.open().bind(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            for (final boolean isGone : new boolean[] {true, false})
            {
                try (SocketChannel peer = SocketChannel.open(acceptor.getLocalAddress());
                    SocketChannel socket = acceptor.accept())
                {
                    peer.configureBlocking(false);
                    socket.configureBlocking(false);
                    TlsChannel.client(context, peer, Certificate.HOST, 1).write(into);
                    final TlsChannel channel = TlsChannel.server(context, socket, tasks::add);
                    while (tasks.isEmpty())
                    {
                        read(channel);
                    }
                    if (isGone)
                    {
                        CloseHelper.quietClose(peer);
                        while (read(channel) == 0)
                        {
                            assertTrue(channel.isOpen());
                        }
                        assertEquals(-1, channel.read(into));
                        channel.close();
                    }
                    tasks.remove(0).run();
                    if (isGone)
                    {
                        assertThrows(ClosedChannelException.class, () -> channel.read(into));
                        tasks.clear();
                    }
                    else
                    {
                        assertThrows(SSLException.class, () -> readBytes(channel));
                    }
                }
            }
        }
    }

    /** Changes the keys so many times, then sends a byte. */
    private static void send(final SSLSocket peer, final int changes)
    {
        try
        {
            for (int i = 0; i < changes; i++)
            {
                peer.startHandshake();
            }
            peer.getOutputStream().write(1);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Pauses when nothing has come, so that the test does not busy-spin. */
    private int read(final TlsChannel channel) throws IOException
    {
        final int length = channel.read(into);
        if (length == 0 && !channel.hasMore())
        {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
        }
        return length;
    }

    /** Returns the number of reads that said to go on. */
    private int readBytes(final TlsChannel channel) throws IOException
    {
        int count = 0;
        into.clear();
        while (read(channel) == 0)
        {
            count += channel.hasMore() ? 1 : 0;
        }
        assertEquals(1, into.position());
        return count;
    }
}
