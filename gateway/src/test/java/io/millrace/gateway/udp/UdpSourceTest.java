package io.millrace.gateway.udp;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Receiver;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.agrona.concurrent.EpochClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** With real sockets; on a server, so in checked mode as well. */
@Tag("server")
class UdpSourceTest
{
    private static final long SESSION = 77;
    private static final byte[] PACKET =
        HexFormat.of().parseHex("000061a80000012c001731800000012c0016cfd84141504c20202020");

    private static UdpEndpoint anyPort()
    {
        return UdpEndpoint.loopback(0);
    }

    private static List<Long> sequences(final Receiver receiver)
    {
        return receiver.events().stream().map(BboEvent::sequence).collect(Collectors.toList());
    }

    private static List<Long> range(final long from, final long to)
    {
        return LongStream.rangeClosed(from, to).boxed().collect(Collectors.toList());
    }

    /** Whatever comes, each datagram is counted once. */
    static void assertAllCounted(final Receiver receiver)
    {
        final long counted = LongStream.of(Arrays.stream(new String[]{"published", "untaken", "malformed", "foreign",
            "duplicates", "tooOld", "oldSession", "implausible", "unknownSymbol", "superseded", "suspectDropped"})
            .mapToLong(receiver::counter).toArray()).sum();
        assertEquals(receiver.counter("received"), counted);
        assertEquals(receiver.count(), receiver.counter("published"));
    }

    /** Through a queue of two, a third event waits in the source. */
    @Test
    void shouldCountAPacketThatTheFlowHasNotTakenAtTheClose() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(BboEvent::new, 8, source).through(Pipelines.spsc(2))
                .to("keep", (event, sequence, endOfBatch) ->
                {
                })));
        try (server; Line line = new Line(source.port(0)))
        {
            server.control().pause("keep");
            for (int i = 1; i <= 3; i++)
            {
                line.extended(SESSION, i);
            }
            Await.until("all are received", () ->
                server.invoke() >= 0 && server.counters().value("quotes-source.received") == 3);
        }
        assertEquals(2, server.counters().value("quotes-source.published"));
        assertEquals(1, server.counters().value("quotes-source.untaken"));
    }

    @Test
    void shouldPublishBothFormsInOrder() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            for (int i = 1; i <= 500; i++)
            {
                line.plain(Line.A, 100 * i);
                line.extended(SESSION, i);
            }
            receiver.until("all", () -> receiver.count() == 1_000);
            assertEquals(500 * 100, receiver.events().get(998).bidPrice());
            assertEquals(0, receiver.events().get(998).session());
            assertEquals(500, receiver.events().get(999).sequence());
            assertEquals(SESSION, receiver.events().get(999).session());
            assertTrue(receiver.events().get(999).receiveTimeNs() != 0);
            assertEquals(0, receiver.counter("lost"));
            assertAllCounted(receiver);
        }
        assertEquals(0, source.port(0));
    }

    @Test
    void u1ShouldCountEachMalformedDatagramFromEmptyToOversized() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort()).form(PacketForm.EXTENDED);
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            for (int length = 0; length < 60; length++)
            {
                line.send(new byte[length]);
                receiver.invoke();
            }
            line.send(new byte[UdpSource.MAX_PAYLOAD]);
            line.send(new byte[UdpSource.MAX_PAYLOAD + 1]);
            line.send(new byte[UdpSource.MAX_PAYLOAD + 2_000]);
            line.extended(SESSION, 1);
            receiver.until("the last", () -> receiver.count() == 1);
            assertEquals(63, receiver.counter("malformed"));
            assertAllCounted(receiver);
        }
    }

    /** A firewall answers a packet from this port. Only the kernel makes such errors, so this needs root. */
    @ParameterizedTest
    @CsvSource({"3, PortUnreachableException", "13, NoRouteToHostException"})
    void shouldGoOnAfterAnErrorOfTheNetwork(final int code, final String error) throws IOException
    {
        assumeTrue(IcmpError.canSend(), "no raw sockets here");
        try (DatagramSocket sender = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final UdpSource source = new UdpSource(
                anyPort().from(new InetSocketAddress(sender.getLocalAddress(), sender.getLocalPort())));
            try (Receiver receiver = new Receiver(source))
            {
                IcmpError.send(code, source.port(0), sender.getLocalPort());
                receiver.until("the error", () -> receiver.counter("receiveErrors") == 1);
                assertTrue(source.lastError().contains(error), source::lastError);
                sender.send(new DatagramPacket(PACKET, PACKET.length, sender.getLocalAddress(), source.port(0)));
                receiver.until("a packet", () -> receiver.count() == 1);
                assertAllCounted(receiver);
            }
        }
    }

    @Test
    void u1ShouldRefuseAPacketThatTheKernelHasCut() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            // Whose first 2,049 bytes end with a valid packet.
            final byte[] payload = new byte[3_000];
            System.arraycopy(PACKET, 0, payload, UdpSource.MAX_PAYLOAD + 1 - PACKET.length, PACKET.length);
            line.send(payload);
            receiver.until("the packet", () -> receiver.counter("received") == 1);
            assertEquals(1, receiver.counter("malformed"));
            assertEquals(0, receiver.count());
        }
    }

    @Test
    void u1ShouldCountUnknownSymbols() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort()).knownSymbols(Line.B);
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            line.plain(Line.A, 100);
            line.plain(Line.B, 100);
            receiver.until("both", () -> receiver.counter("received") == 2);
            assertEquals(1, receiver.counter("unknownSymbol"));
            assertEquals(Line.B, receiver.events().get(0).symbol());
            assertAllCounted(receiver);
        }
    }

    /** The packet behind a gap may be of a symbol that is not wanted, or suspect. */
    @Test
    void u2ShouldMarkTheFirstPublishedEventAfterAGap() throws IOException
    {
        final long quiet = Symbols.of("QUIET");
        final UdpSource source = new UdpSource(anyPort()).knownSymbols(Line.B, quiet);
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            line.extended(quiet, SESSION, 1, 100, 200, 0);
            line.extended(Line.A, SESSION, 3, 100, 200, 0);
            line.extended(Line.B, SESSION, 2, 100, 200, 0);
            line.extended(Line.B, SESSION, 4, 100, 200, 0);
            line.extended(Line.B, SESSION, 5, 100, 200, 0);
            line.extended(Line.B, SESSION, 7, 300, 200, 0);
            line.extended(Line.B, SESSION, 8, 100, 200, 0);
            line.extended(Line.A, SESSION + 1, 1, 100, 200, 0);
            line.extended(Line.B, SESSION + 1, 2, 100, 200, 0);
            receiver.until("all", () -> receiver.counter("received") == 9);
            assertEquals(List.of("1", "2", "4 after a gap", "5", "8 after a gap", "2 after a gap"),
                receiver.events().stream()
                    .map(event -> event.sequence() + (event.isAfterGap() ? " after a gap" : "")).toList());
            assertTrue(source.symbols().isStale(quiet));
            assertFalse(source.symbols().isStale(Line.B));
            assertAllCounted(receiver);
        }
    }

    @Test
    void u2ShouldCountGapsDuplicatesReorderingAndRestarts() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            for (final long sequence : new long[]{5, 6, 6, 9, 8, 10, 1})
            {
                line.extended(sequence == 8 ? Line.B : Line.A, SESSION, sequence, 100, 200, 0);
            }
            line.extended(SESSION + 1, 1);
            line.extended(SESSION + 1, 2);
            line.extended(SESSION, 11);
            receiver.until("all", () -> receiver.counter("received") == 10);
            assertEquals(List.of(5L, 6L, 9L, 8L, 10L, 1L, 2L), sequences(receiver));
            assertTrue(receiver.events().get(2).isAfterGap() && receiver.events().get(3).isLate());
            assertTrue(receiver.events().get(5).isAfterGap());
            assertEquals(1, receiver.counter("lost"));
            assertEquals(1, receiver.counter("duplicates"));
            assertEquals(1, receiver.counter("late"));
            assertEquals(1, receiver.counter("tooOld"));
            assertEquals(1, receiver.counter("restarts"));
            assertEquals(1, receiver.counter("oldSession"));
            assertTrue(source.symbols().isStale(Line.B));
            assertFalse(source.symbols().isStale(Line.A));
            assertAllCounted(receiver);
        }
    }

    @Test
    void u2ShouldDropALatePacketThatIsOlderThanItsSymbol() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            for (final long sequence : new long[]{1, 3, 2})
            {
                line.extended(SESSION, sequence);
            }
            receiver.until("all", () -> receiver.counter("received") == 3);
            assertEquals(List.of(1L, 3L), sequences(receiver));
            assertEquals(1, receiver.counter("superseded"));
            assertEquals(0, receiver.counter("lost"));
            assertAllCounted(receiver);
        }
    }

    @Test
    void u2ShouldTakeTheFirstCopyOfTwoLines() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort(), anyPort());
        try (Receiver receiver = new Receiver(source);
            Line a = new Line(source.port(0)); Line b = new Line(source.port(1)))
        {
            for (int i = 1; i <= 1_000; i++)
            {
                // Each line loses others: A every tenth, B every seventh. Both lose every seventieth.
                if (i % 10 != 0)
                {
                    a.extended(SESSION, i);
                }
                if (i % 7 != 0)
                {
                    b.extended(SESSION, i);
                }
                receiver.invoke();
            }
            receiver.until("all", () -> receiver.counter("received") == 900 + 858);
            assertEquals(14, receiver.counter("lost"));
            assertEquals(1_000 - 14, receiver.count());
            assertEquals(100 - 1, source.sequences(0).lost(), "the last one is not known to be lost");
            assertEquals(142, source.sequences(1).lost());
            assertEquals(receiver.count(), receiver.counter("firstA") + receiver.counter("firstB"));
            assertTrue(receiver.counter("firstB") >= 86, "B has what A has lost");
            assertAllCounted(receiver);
            b.plain(Line.A, 100);
            receiver.until("the plain packet", () -> receiver.counter("malformed") == 1);
        }
    }

    @Test
    void u4ShouldCountWhatTheKernelDrops() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort().bufferBytes(4_096));
        try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
        {
            for (int i = 1; i <= 1_000; i++)
            {
                line.extended(SESSION, i);
            }
            receiver.drain();
            final long dropped = receiver.counter("kernelDrops");
            assertEquals(1_000, receiver.count() + dropped);
            assertTrue(dropped > 0);
            line.extended(SESSION, 1_001);
            receiver.until("the last", () -> receiver.counter("lost") == dropped);
            assertAllCounted(receiver);
        }
    }

    @Test
    @Tag("faults")
    void u4ShouldSurviveABurstOfAHundredThousandPackets() throws Exception
    {
        final UdpSource source = new UdpSource(anyPort().bufferBytes(65_536));
        try (Receiver receiver = new Receiver(source).countOnly(); Line line = new Line(source.port(0)))
        {
            final Thread sender = new Thread(() ->
            {
                try
                {
                    for (int i = 1; i <= 100_000; i++)
                    {
                        line.extended(SESSION, i);
                    }
                }
                catch (final IOException ex)
                {
                    throw new IllegalStateException(ex);
                }
            });
            sender.start();
            receiver.until("the sender", () -> !sender.isAlive());
            line.extended(SESSION, 100_001);
            receiver.until("the last", () -> receiver.count() + receiver.counter("lost") == 100_001);
            assertEquals(receiver.counter("kernelDrops"), receiver.counter("lost"));
            System.out.println("U4: burst of 100,000 packets, " + receiver.counter("kernelDrops") +
                " dropped by the kernel and counted");
        }
    }

    @Test
    void u5ShouldDropOrMarkCrossedLockedAndStaleQuotes() throws IOException
    {
        final long nowMs = 1_700_000_000_000L;
        final EpochClock clock = () -> nowMs;
        for (final SuspectPolicy policy : SuspectPolicy.values())
        {
            final UdpSource source = new UdpSource(clock, PacketForm.ANY, anyPort()).onSuspect(policy)
                .maxAgeNs(1_000_000_000);
            try (Receiver receiver = new Receiver(source); Line line = new Line(source.port(0)))
            {
                final long nowNs = nowMs * 1_000_000;
                line.extended(Line.A, SESSION, 1, 100, 200, nowNs - 1_000_000_000);
                line.extended(Line.A, SESSION, 2, 200, 100, nowNs);
                line.extended(Line.A, SESSION, 3, 200, 200, nowNs);
                line.extended(Line.A, SESSION, 4, 100, 200, nowNs - 1_000_000_001);
                line.extended(Line.A, SESSION, 5, 100, 200, nowNs + 1_000_000_001);
                line.extended(Line.A, SESSION, 6, 100, 0, nowNs + 1_000_000_000);
                receiver.until("all", () -> receiver.counter("received") == 6);
                assertEquals(4, receiver.counter("suspect"));
                assertEquals(0, receiver.counter("lost"));
                if (policy == SuspectPolicy.DROP)
                {
                    assertEquals(List.of(1L, 6L), sequences(receiver));
                    assertEquals(4, receiver.counter("suspectDropped"));
                }
                else
                {
                    assertEquals(range(1, 6), sequences(receiver));
                    assertTrue(receiver.events().get(1).isCrossed() && receiver.events().get(2).isLocked());
                    assertTrue(receiver.events().get(3).isStale() && receiver.events().get(4).isStale());
                    assertFalse(receiver.events().get(0).isStale() || receiver.events().get(5).isStale());
                }
                assertAllCounted(receiver);
            }
        }
    }

    @Test
    void shouldLeavePacketsInTheSocketWhileThePipelineIsFull() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort()).packetsPerPoll(100);
        try (Receiver receiver = new Receiver(source, 2); Line line = new Line(source.port(0)))
        {
            for (int i = 1; i <= 300; i++)
            {
                line.extended(SESSION, i);
            }
            receiver.until("all", () -> receiver.count() == 300);
            assertEquals(range(1, 300), sequences(receiver));
            assertEquals(0, receiver.counter("lost"));
        }
    }

    @Test
    void shouldSayWhichSourceWasStartedBefore() throws IOException
    {
        final UdpSource source = new UdpSource(anyPort());
        source.onStart();
        try
        {
            assertEquals("the source of 127.0.0.1:0 was started before: one source, one flow",
                assertThrows(IllegalStateException.class, source::onStart).getMessage());
        }
        finally
        {
            source.onClose();
        }
    }

    @Test
    void shouldRefuseSettingsOutOfRange()
    {
        final UdpSource source = new UdpSource(anyPort());
        assertThrows(IllegalArgumentException.class, () -> source.packetsPerPoll(0));
        assertThrows(IllegalArgumentException.class, () -> source.packetsPerPoll(4_097));
        assertThrows(IllegalArgumentException.class, () -> source.maxAgeNs(999_999));
        assertThrows(IllegalArgumentException.class, () -> source.realTime(0));
        assertThrows(IllegalArgumentException.class, () -> source.realTime(100));
        assertThrows(IllegalArgumentException.class, () -> anyPort().bufferBytes(4_095));
        assertThrows(IllegalArgumentException.class,
            () -> anyPort().from(InetSocketAddress.createUnresolved("nobody.invalid", 1)));
        assertThrows(IllegalArgumentException.class,
            () -> new UdpSource(anyPort(), anyPort()).form(PacketForm.ANY));
    }
}
