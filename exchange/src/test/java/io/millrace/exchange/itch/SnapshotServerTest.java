package io.millrace.exchange.itch;

import com.paritytrading.nassau.soupbintcp.SoupBinTCP;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClient;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClientStatusListener;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Listing;
import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nassau's client of SoupBinTCP reads snapshots; from there the multicast continues. */
@Tag("server")
@Timeout(120)
class SnapshotServerTest
{
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    /** 10 MB: more than the buffers of two sockets hold. */
    private static final int MANY_ORDERS = 1 << 18;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    /** Reads a snapshot. */
    private static final class Reader implements SoupBinTCPClientStatusListener, AutoCloseable
    {
        private final JunctureBooks books = new JunctureBooks();
        private final SoupBinTCPClient client;
        private String session;
        private long next;
        private boolean ended;

        Reader(final ItchRig rig) throws IOException
        {
            final SocketChannel channel = SocketChannel.open(rig.publisher.snapshotServer());
            channel.configureBlocking(false);
            client = new SoupBinTCPClient(channel, 64, this::onMessage, this);
        }

        void logIn() throws IOException
        {
            final SoupBinTCP.LoginRequest request = new SoupBinTCP.LoginRequest();
            request.setUsername("any");
            request.setPassword("any");
            request.setRequestedSession("");
            request.setRequestedSequenceNumber(1);
            client.login(request);
        }

        private void onMessage(final ByteBuffer message) throws IOException
        {
            if (message.get(message.position()) == 'G')
            {
                message.get();
                next = Long.parseLong(StandardCharsets.US_ASCII.decode(message).toString().strip());
            }
            else
            {
                books.read(message);
            }
        }

        void readAll(final ItchRig rig) throws IOException
        {
            while (!ended)
            {
                rig.server.invoke();
                client.receive();
            }
        }

        @Override
        public void loginAccepted(final SoupBinTCPClient to, final SoupBinTCP.LoginAccepted payload)
        {
            session = payload.getSession().strip();
            assertEquals(1, payload.getSequenceNumber());
        }

        @Override
        public void loginRejected(final SoupBinTCPClient to, final SoupBinTCP.LoginRejected payload)
        {
            throw new AssertionError("rejected");
        }

        @Override
        public void endOfSession(final SoupBinTCPClient to)
        {
            ended = true;
        }

        @Override
        public void heartbeatTimeout(final SoupBinTCPClient to)
        {
            throw new AssertionError("no heartbeat");
        }

        @Override
        public void close() throws IOException
        {
            client.close();
        }
    }

    @Test
    void shouldStartALateClientFromASnapshot() throws IOException
    {
        System.out.println("-Dmillrace.seed=" + seed);
        final RandomCommands random = new RandomCommands(seed, ItchRig.SYMBOLS);
        try (ItchRig rig = new ItchRig(matching -> {}))
        {
            for (int i = 0; i < 50; i++)
            {
                rig.give(random, 50);
            }
            try (Reader reader = new Reader(rig))
            {
                reader.logIn();
                reader.readAll(rig);
                assertTrue(reader.session.length() >= 8);
                assertEquals(rig.server.counters().value("itch.messages") + 1, reader.next);
                ItchPublisherTest.shouldBeEqual(rig, reader.books);
                // More is sent before the client listens to the group: the retransmission server has it.
                rig.give(random, 60);
                try (ItchRig.Client client = rig.new Client(reader.next, reader.books))
                {
                    for (int i = 0; i < 20; i++)
                    {
                        rig.give(random, 60);
                        client.poll();
                    }
                    client.catchUp();
                    ItchPublisherTest.shouldBeEqual(rig, client.books);
                }
            }
            assertEquals(1, rig.server.counters().value("itch.snapshots.served"));
            assertEquals(List.of(), rig.errors);
        }
    }

    @Test
    void shouldServeManyClientsAndRefuseTheOthers() throws IOException
    {
        final RandomCommands random = new RandomCommands(1, ItchRig.SYMBOLS);
        final List<Reader> readers = new ArrayList<>();
        try (ItchRig rig = new ItchRig(matching -> {}))
        {
            rig.give(random, 60);
            for (int i = 0; i < SnapshotServer.MAX_CLIENTS; i++)
            {
                readers.add(new Reader(rig));
            }
            try (Socket late = new Socket(rig.publisher.snapshotServer().getAddress(),
                rig.publisher.snapshotServer().getPort()))
            {
                late.setSoTimeout(1);
                while (rig.server.counters().value("itch.snapshots.refused") == 0)
                {
                    rig.server.invoke();
                }
            }
            for (final Reader reader : readers)
            {
                reader.logIn();
            }
            for (final Reader reader : readers)
            {
                reader.readAll(rig);
                ItchPublisherTest.shouldBeEqual(rig, reader.books);
                reader.close();
            }
            assertEquals(SnapshotServer.MAX_CLIENTS, rig.server.counters().value("itch.snapshots.served"));
            assertTrue(rig.server.counters().value("itch.snapshots.images") >= 1);
            shouldRefuse(rig, 2, new byte[] {0, 0});
            shouldRefuse(rig, 3, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            shouldRefuse(rig, 4, new byte[] {0, 2, 'L', 0});
            shouldRefuse(rig, 5, new byte[0]);
            try (Reader silent = new Reader(rig))
            {
                while (rig.server.counters().value("itch.snapshots.refused") < 6)
                {
                    rig.server.invoke();
                    rig.skippedNs += SnapshotServer.CLIENT_NS / 100;
                }
                assertEquals(0, silent.next);
            }
            assertEquals(List.of(), rig.errors);
        }
    }

    private static void logIn(final SnapshotServer server, final SocketChannel channel) throws IOException
    {
        channel.connect(server.address());
        channel.configureBlocking(false);
        final String login = "\0/Lany   any       " + " ".repeat(10) + "1" + " ".repeat(19);
        assertEquals(login.length(), channel.write(StandardCharsets.US_ASCII.encode(login)));
    }

    /** An image that sockets do not hold belongs to a client until its time is over; then the next gets a new one. */
    @Test
    void shouldKeepAnImageForTheClientThatReadsIt() throws IOException
    {
        final StockOrders stock =
            new StockOrders(new Listing(SymbolSpec.future(1).withOrderCapacity(MANY_ORDERS), "GOLD"), 1);
        for (int i = 1; i <= MANY_ORDERS; i++)
        {
            stock.add(i, i, Side.BID, 1, 1);
        }
        final SnapshotImage image = new SnapshotImage(new StockOrders[] {stock}, new ItchWriter(() -> 0), "S");
        try (SnapshotServer server = new SnapshotServer(LOOPBACK, image, 0);
            SocketChannel stalled = SocketChannel.open(); SocketChannel next = SocketChannel.open())
        {
            stalled.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
            logIn(server, stalled);
            final ByteBuffer received = ByteBuffer.allocate(1 << 16);
            long nowNs = 0;
            while (stalled.read(received.limit(1)) == 0)
            {
                LockSupport.parkNanos(MS / 10);
                server.doWork(nowNs += MS, 5);
            }
            // Now the image is old.
            nowNs += SnapshotServer.FRESH_NS;
            logIn(server, next);
            for (int i = 0; i < 200; i++)
            {
                LockSupport.parkNanos(MS / 10);
                server.doWork(nowNs += MS, 9);
            }
            assertEquals(0, next.read(received.clear()), "the image changes under its reader");
            // Before the time of the next client is over, too.
            nowNs = SnapshotServer.CLIENT_NS + SnapshotServer.FRESH_NS / 2;
            final StringBuilder last = new StringBuilder();
            int bytes = 0;
            for (int read = 0; read >= 0; read = next.read(received.clear()))
            {
                bytes += read;
                last.append(StandardCharsets.ISO_8859_1.decode(received.flip()));
                last.delete(0, Math.max(0, last.length() - 24));
                LockSupport.parkNanos(read == 0 ? MS / 10 : 1);
                server.doWork(nowNs += MS, 9);
            }
            assertEquals(image.length(), bytes);
            assertTrue(last.toString().startsWith("G") && last.toString().contains(" 9\0"), last::toString);
        }
    }

    /**
     * Strace counts the calls of each thread. An accepted socket costs three: one in accept, two to make it
     * non-blocking. So each seventh call is each of the three in turn. The launching thread makes
     * fewer than 60.
     */
    @Test
    @Tag("slow")
    void shouldOutliveSocketsThatDoNotBecomeNonBlockingAndCountThem(@TempDir final Path folder) throws Exception
    {
        final ChildJvm child =
            new ChildJvm().refusing("fcntl", "error=EINVAL:when=60+7").run(RefusedReaderProgram.class, folder);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldNameTheAddressThatIsInUse() throws IOException
    {
        try (ServerSocket other = new ServerSocket(0, 1, LOOPBACK.getAddress()))
        {
            final InetSocketAddress inUse = new InetSocketAddress(LOOPBACK.getAddress(), other.getLocalPort());
            final ItchContext context = new ItchContext().symbol(new Listing(ItchRig.spec(ItchRig.GOLD), "GOLD"))
                .servers(LOOPBACK, inUse);
            final String message = assertThrows(IOException.class, () -> new ItchPublisher(context)).getMessage();
            assertTrue(message.startsWith("cannot serve snapshots on " + inUse + ": "), message);
        }
    }

    /** Sends bytes; no bytes: leaves. */
    private static void shouldRefuse(final ItchRig rig, final long count, final byte[] bytes) throws IOException
    {
        try (Socket socket = new Socket(rig.publisher.snapshotServer().getAddress(),
            rig.publisher.snapshotServer().getPort()))
        {
            socket.getOutputStream().write(bytes);
            if (bytes.length == 0)
            {
                socket.shutdownOutput();
            }
            while (rig.server.counters().value("itch.snapshots.refused") < count)
            {
                rig.server.invoke();
            }
        }
    }
}
