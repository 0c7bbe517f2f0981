package io.millrace.exchange.itch;

import com.paritytrading.nassau.soupbintcp.SoupBinTCP;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClient;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClientStatusListener;
import io.millrace.exchange.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nassau's client of SoupBinTCP reads snapshots; from there the multicast continues. */
@Tag("server")
@Timeout(120)
class SnapshotServerTest
{
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

    /**
     * Strace counts the calls of each thread. An accepted socket costs three: one in accept, two to make it
     * non-blocking. So each seventh call is each of the three in turn. The launching thread makes
     * fewer than 60.
     */
    @Test
    void shouldOutliveSocketsThatDoNotBecomeNonBlockingAndCountThem(@TempDir final Path folder) throws Exception
    {
        assertEquals(0,
            ChildJvm.refusing("fcntl", "60+7", List.of(), RefusedReaderProgram.class, folder.toString()));
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
