package io.millrace.exchange.session;

import io.millrace.exchange.ExchangeRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Limits of the sockets that leave: how many, how long, and what their clients still get. */
class LeavingSocketsTest
{
    private static final byte[] LAST_WORDS = "last words".getBytes(StandardCharsets.US_ASCII);
    /** Behind the greatest number, so that a difference matters, not a sign. */
    private static final long START_NS = Long.MAX_VALUE - LeavingSockets.STAY_NS / 2;
    /** More than one read takes, and less than the system holds for a socket at once. */
    private static final int UNREAD_BYTES = 60_000;

    private final LeavingSockets leaving = new LeavingSockets();
    private final List<Socket> clients = new ArrayList<>();
    private final List<SocketChannel> channels = new ArrayList<>();
    private ServerSocketChannel listener;

    @BeforeEach
    void listen() throws IOException
    {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void closeAll() throws IOException
    {
        for (final Socket client : clients)
        {
            client.close();
        }
        for (final SocketChannel channel : channels)
        {
            channel.close();
        }
        listener.close();
    }

    /** A client that has sent so many bytes, and whose socket leaves with the last words in it. */
    private Socket leave(final int sentBytes, final long nowNs) throws IOException
    {
        final Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.socket().getLocalPort());
        client.setSoTimeout(60_000);
        clients.add(client);
        client.getOutputStream().write(new byte[sentBytes]);
        final SocketChannel channel = listener.accept();
        channels.add(channel);
        assertEquals(LAST_WORDS.length, channel.write(ByteBuffer.wrap(LAST_WORDS)));
        channel.configureBlocking(false);
        channel.shutdownOutput();
        leaving.add(channel, nowNs);
        return client;
    }

    private long open()
    {
        return channels.stream().filter(SocketChannel::isOpen).count();
    }

    @Test
    void shouldCloseTheOldestWhenOneMoreThan64Leaves() throws IOException
    {
        for (int i = 0; i < 2 * LeavingSockets.CAPACITY + 3; i++)
        {
            leave(1, START_NS);
            assertEquals(Math.min(i + 1, LeavingSockets.CAPACITY), open());
            assertTrue(channels.get(i).isOpen());
        }
        for (int i = 0; i < channels.size(); i++)
        {
            assertEquals(i >= channels.size() - LeavingSockets.CAPACITY, channels.get(i).isOpen(), "socket " + i);
        }
        for (final Socket client : clients)
        {
            assertArrayEquals(LAST_WORDS, client.getInputStream().readAllBytes());
        }
    }

    @Test
    void shouldCloseASocketAfterASecondAndNotBefore() throws IOException
    {
        leave(0, START_NS);
        leave(0, START_NS + 1);
        leaving.doWork(START_NS + LeavingSockets.STAY_NS - 1);
        assertEquals(2, open());
        leaving.doWork(START_NS + LeavingSockets.STAY_NS);
        assertFalse(channels.get(0).isOpen());
        assertTrue(channels.get(1).isOpen());
        leaving.doWork(START_NS + LeavingSockets.STAY_NS + 1);
        assertEquals(0, open());
        assertArrayEquals(LAST_WORDS, clients.get(0).getInputStream().readAllBytes());
    }

    @Test
    void shouldCloseASocketWhoseClientClosesOrResets() throws IOException
    {
        for (int i = 0; i < LeavingSockets.CAPACITY; i++)
        {
            leave(0, START_NS);
        }
        clients.get(40).close();
        clients.get(50).setSoLinger(true, 0);
        clients.get(50).close();
        ExchangeRig.await(() ->
        {
            leaving.doWork(START_NS);
            return open() == LeavingSockets.CAPACITY - 2;
        });
        assertFalse(channels.get(40).isOpen() || channels.get(50).isOpen());
        // Their places count until those before them have left.
        leave(0, START_NS);
        assertFalse(channels.get(0).isOpen());
        assertEquals(LeavingSockets.CAPACITY - 2, open());
    }

    @Test
    void shouldDiscardWhatComesUntilTheClientCloses() throws IOException
    {
        final int pieces = 100;
        final Socket client = leave(1, START_NS);
        for (int i = 0; i < pieces; i++)
        {
            client.getOutputStream().write(new byte[8_192]);
            leaving.doWork(START_NS);
        }
        client.shutdownOutput();
        ExchangeRig.await(() ->
        {
            leaving.doWork(START_NS);
            return open() == 0;
        });
        assertArrayEquals(LAST_WORDS, client.getInputStream().readAllBytes());
    }

    @Test
    void shouldReadWhatHasComeBeforeItClosesASocketThatStayedTooLong() throws IOException
    {
        final Socket client = leave(UNREAD_BYTES, START_NS);
        leaving.doWork(START_NS + LeavingSockets.STAY_NS);
        assertEquals(0, open());
        assertArrayEquals(LAST_WORDS, client.getInputStream().readAllBytes());
    }

    @Test
    void shouldCloseAllAtTheEnd() throws IOException
    {
        for (int i = 0; i < 10; i++)
        {
            leave(100, START_NS);
        }
        leaving.closeAll();
        assertEquals(0, open());
        for (final Socket client : clients)
        {
            assertArrayEquals(LAST_WORDS, client.getInputStream().readAllBytes());
        }
    }
}
