package io.millrace.gateway.mold;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Receiver;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.gateway.udp.IcmpError;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.gateway.udp.UdpSource;
import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** One gateway takes UDP and sends MoldUDP64 to a multicast group; another receives it, with losses on the way. */
@Timeout(180)
class MoldGatewaysTest
{
    private static final int QUOTES = 5_000;
    private static final long SYMBOL = Symbols.of("A");
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.255.18.3", 0);

    private static String loopbackName() throws Exception
    {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1")).getName();
    }

    @Test
    void shouldPassEachQuoteFromOneGatewayToTheOtherByMulticast() throws Exception
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final MoldStore store = new MoldStore(1 << 14, 1 << 20);
        final InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 9);
        // The transport needs the server's address, and the sender the transport's: so one sender serves, one sends.
        try (MoldSender server = new MoldSender("quotes", nowhere, null, NassauTest.loopback(), store,
            SystemNanoClock.INSTANCE))
        {
            final UdpMoldTransport udp = new UdpMoldTransport(GROUP, loopbackName(), server.serverAddress());
            final InetSocketAddress group = new InetSocketAddress(GROUP.getAddress(), udp.localAddress().getPort());
            final MoldSender sender = new MoldSender("quotes", group, loopbackName(), NassauTest.loopback(), store,
                SystemNanoClock.INSTANCE);
            final UdpSource quotes = new UdpSource(UdpEndpoint.loopback(0));
            final LossyTransport lossy = new LossyTransport(udp, 6, seed);
            final MoldBboSource source = new MoldBboSource(new MoldReceiver(lossy,
                new MoldReceiverContext().firstSequence(1).reorderNs(0).requests(1_000_000, 1_000, 300),
                SystemNanoClock.INSTANCE));
            try (Receiver second = new Receiver(source))
            {
                try (Server first = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                    .flow("quotes", f -> f.from(BboEvent::new, 1_024, quotes)
                        .to("mold", new MoldSink<>(sender, new BboPacketCodec(PacketForm.EXTENDED))))))
                {
                    feed(quotes, first, second, server);
                    // The last packets may be lost: a heartbeat shows it.
                    while (second.count() < QUOTES)
                    {
                        first.invoke();
                        server.doWork();
                        second.invoke();
                    }
                }
                check(second, seed);
                assertEquals(QUOTES, sender.messages());
                assertTrue(lossy.lostPackets > 10, "-Dmillrace.seed=" + seed + " " + lossy.lostPackets);
            }
        }
    }

    private static void feed(final UdpSource quotes, final Server first, final Receiver second, final MoldSender server)
        throws Exception
    {
        final Feeder feeder = new Feeder(new GeneratedFeed(50, QUOTES, 3),
            new InetSocketAddress("127.0.0.1", quotes.port(0))).session(9).rate(100_000);
        feeder.onStart();
        boolean feeding = true;
        while (feeding || first.counters().value("quotes-source.published") < QUOTES)
        {
            try
            {
                if (feeding)
                {
                    feeder.doWork();
                }
            }
            catch (final AgentTerminationException expected)
            {
                feeding = false;
            }
            while (first.invoke() > 0)
            {
                second.invoke();
            }
            second.invoke();
            server.doWork();
        }
        feeder.onClose();
    }

    private static void check(final Receiver second, final long seed)
    {
        final GeneratedFeed expected = new GeneratedFeed(50, QUOTES, 3);
        final BboEvent event = new BboEvent();
        for (int i = 0; i < QUOTES; i++)
        {
            expected.next(event);
            final BboEvent got = second.events().get(i);
            assertEquals(i + 1, got.sequence(), "-Dmillrace.seed=" + seed);
            assertEquals(9, got.session());
            assertEquals(event.symbol(), got.symbol());
            assertEquals(event.bidPrice(), got.bidPrice());
            assertEquals(event.askShares(), got.askShares());
            assertTrue(!got.isAfterGap() && got.sendTimeNs() > 0);
        }
        assertEquals(0, second.counter("lost") + second.counter("noQuotes") + second.counter("malformed"));
        assertTrue(second.counter("requests") > 0);
        assertEquals(QUOTES, second.counter("published"));
    }

    /** One quote in each packet; some are missing, some have another length. */
    private static final class Quotes implements MoldTransport
    {
        private final MoldPacketEncoder encoder = new MoldPacketEncoder("S", 1_472);
        private final ByteBuffer message = ByteBuffer.allocate(60);
        private final ByteView view = new ByteView(message);
        private final BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
        private final BboEvent quote = new BboEvent();
        private long sequence = 1;
        int packets;

        @Override
        public boolean receive(final ByteBuffer into)
        {
            if (packets == 0)
            {
                return false;
            }
            packets--;
            sequence += packets % 100 == 0 ? 3 : 0;
            encoder.begin(sequence);
            quote.quote(SYMBOL, sequence, 1, sequence + 1, 1).position(1, sequence).times(1, 0);
            codec.encode(quote, view, 0);
            encoder.put(message, 0, packets % 50 == 1 ? 59 : 60);
            into.put(encoder.packet());
            sequence++;
            return true;
        }

        @Override
        public boolean request(final ByteBuffer packet)
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }

    /** A firewall refuses what is sent from this port. */
    @Test
    void shouldGoOnAfterAnErrorOfTheNetwork() throws Exception
    {
        assumeTrue(IcmpError.canSend(), "no raw sockets here");
        try (DatagramSocket sender = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
            UdpMoldTransport udp = new UdpMoldTransport(NassauTest.loopback(), null, null))
        {
            udp.connect((InetSocketAddress)sender.getLocalSocketAddress());
            IcmpError.send(13, udp.localAddress().getPort(), sender.getLocalPort());
            final ByteBuffer packet = ByteBuffer.allocate(100);
            while (udp.failedRequests() == 0)
            {
                assertFalse(udp.receive(packet));
            }
            sender.send(new DatagramPacket(new byte[7], 7, udp.localAddress()));
            while (!udp.receive(packet))
            {
                assertEquals(1, udp.failedRequests());
            }
            assertEquals(7, packet.position());
        }
    }

    private static long openFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd")))
        {
            return files.count();
        }
    }

    @Test
    void shouldCloseItsSocketsWhenItCannotBeOpened() throws Exception
    {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no list of open files here");
        final InetSocketAddress here = NassauTest.loopback();
        final InetSocketAddress unknown = InetSocketAddress.createUnresolved("nobody.invalid", 1);
        final MoldStore store = new MoldStore(16, 1 << 10);
        final long before = openFiles();
        for (int i = 0; i < 100; i++)
        {
            for (final Executable opening : List.<Executable>of(
                () -> new UdpMoldTransport(here, null, unknown), () -> new UdpMoldTransport(unknown, null, null),
                () -> new MoldSender("quotes", unknown, null, here, store, SystemNanoClock.INSTANCE),
                () -> new MoldSender("quotes", here, null, unknown, store, SystemNanoClock.INSTANCE)))
            {
                final String message = assertThrows(IOException.class, opening).getMessage();
                assertTrue(message.contains("nobody.invalid"), message);
            }
        }
        // Other threads of this process may have opened some.
        final long after = openFiles();
        assertTrue(after < before + 50, before + " open files have become " + after);
    }

    @Test
    void shouldMarkOnlyTheFirstQuoteAfterEachLoss() throws Exception
    {
        final Quotes transport = new Quotes();
        final long[] nowNs = new long[1];
        final MoldBboSource source = new MoldBboSource(new MoldReceiver(transport,
            new MoldReceiverContext().reorderNs(0).requests(1, 1, 10), () -> nowNs[0]++));
        try (Receiver receiver = new Receiver(source))
        {
            // One loss of three in each hundred.
            transport.packets = 1_000;
            receiver.until("the last loss", () -> transport.packets == 0 && receiver.counter("lost") == 30);
            final List<Long> marked = receiver.events().stream().filter(BboEvent::isAfterGap)
                .map(BboEvent::sequence).toList();
            assertEquals(LongStream.rangeClosed(1, 10).map(i -> 103 * i).boxed().toList(), marked);
        }
    }

    /** Through a queue of two, a third quote waits in the source. */
    @Test
    void shouldCountAQuoteThatTheFlowHasNotTakenAtTheClose()
    {
        final Quotes transport = new Quotes();
        transport.packets = 10;
        final MoldBboSource source = new MoldBboSource(
            new MoldReceiver(transport, new MoldReceiverContext(), SystemNanoClock.INSTANCE));
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(BboEvent::new, 8, source).through(Pipelines.spsc(2))
                .to("keep", (event, sequence, endOfBatch) ->
                {
                })));
        try (server)
        {
            server.control().pause("keep");
            server.invoke();
            server.invoke();
        }
        assertEquals(3, server.counters().value("quotes-source.delivered"));
        assertEquals(2, server.counters().value("quotes-source.published"));
        assertEquals(1, server.counters().value("quotes-source.untaken"));
    }

    /** Full pipeline, losses, messages that are no quotes: 0 bytes, and the first quote after a loss has its mark. */
    @Test
    void shouldAllocateNothingAndMarkAGap() throws Exception
    {
        final Quotes transport = new Quotes();
        final long[] nowNs = new long[1];
        final MoldBboSource source = new MoldBboSource(new MoldReceiver(transport,
            new MoldReceiverContext().reorderNs(0).requests(1, 1, 10), () -> nowNs[0]++));
        try (Receiver receiver = new Receiver(source, 16).countOnly())
        {
            long leastBytes = Long.MAX_VALUE;
            for (int round = 0; round < 10; round++)
            {
                transport.packets = 20_000;
                leastBytes = Math.min(leastBytes, AllocationWindows.allocatedBytes(() ->
                {
                    while (transport.packets > 0)
                    {
                        receiver.invoke();
                    }
                }));
            }
            receiver.drain();
            assertEquals(0, leastBytes);
            assertEquals(200_000, receiver.count() + receiver.counter("noQuotes"));
            assertTrue(receiver.counter("noQuotes") > 3_000 && receiver.counter("lost") > 5_000);
        }
    }
}
