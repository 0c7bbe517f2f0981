package io.millrace.gateway.feed;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Receiver;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.gateway.udp.UdpSource;
import io.millrace.testing.Allocations;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FeederTest
{
    private static InetSocketAddress loopback(final int port)
    {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Test
    @Tag("server")
    void shouldSendEachEventWhenItIsDue() throws Exception
    {
        final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
        final long[] nowNs = {5_000};
        try (Receiver receiver = new Receiver(source))
        {
            final Feeder feeder = new Feeder(
                new GeneratedFeed(10, 100, 1), loopback(source.port(0)), () -> nowNs[0]).rate(415).session(9);
            feeder.onStart();
            assertEquals(1, feeder.doWork());
            nowNs[0] += 2_409_638;
            assertEquals(0, feeder.doWork());
            nowNs[0]++;
            assertEquals(1, feeder.doWork());
            nowNs[0] += 1_000_000_000;
            assertEquals(64, feeder.doWork());
            assertEquals(34, feeder.doWork());
            assertThrows(AgentTerminationException.class, feeder::doWork);
            feeder.onClose();
            receiver.until("all", () -> receiver.count() == 100);
            final BboEvent first = receiver.events().get(0);
            final BboEvent last = receiver.events().get(99);
            assertEquals(9, last.session());
            assertEquals(100, last.sequence());
            assertEquals(238_554_217, last.sendTimeNs() - first.sendTimeNs(), "when it was due: 99 / 415 s");
            assertEquals(0, receiver.counter("lost"));
            assertEquals(100, feeder.sent());
        }
    }

    @Test
    void shouldKeepTheRecordedPace() throws Exception
    {
        final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
        final long[] nowNs = {0};
        final long[] recorded = {34_200_000_000_000L, 34_200_000_000_010L, 34_201_000_000_000L};
        final int[] next = {0};
        try (Receiver receiver = new Receiver(source))
        {
            final BboFeed feed = event -> next[0] < recorded.length &&
                event.quote(Symbols.of("A"), 1, 1, 2, 1).times(recorded[next[0]++], 0) == event;
            final Feeder feeder = new Feeder(feed, loopback(source.port(0)), () -> nowNs[0]).recordedPace(10)
                .form(PacketForm.PLAIN).payloadLength(28);
            feeder.onStart();
            assertEquals(1, feeder.doWork());
            nowNs[0] = 1;
            assertEquals(1, feeder.doWork());
            nowNs[0] = 99_999_999;
            assertEquals(0, feeder.doWork());
            nowNs[0]++;
            assertEquals(1, feeder.doWork());
            feeder.onClose();
            receiver.until("all", () -> receiver.count() == 3);
            assertEquals(0, receiver.events().get(0).session());
        }
    }

    @Test
    void shouldLeaveOutEventsThatNoPacketHolds() throws Exception
    {
        final int[] next = {0};
        final BboFeed feed = event -> next[0]++ < 3 &&
            event.quote(next[0] == 2 ? Symbols.NONE : Symbols.of("A"), 1, 1, 2, 1) == event;
        final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
        try (Receiver receiver = new Receiver(source))
        {
            final Feeder feeder = new Feeder(feed, loopback(source.port(0))).rate(Feeder.MAX_RATE);
            feeder.onStart();
            receiver.until("both", () ->
            {
                try
                {
                    feeder.doWork();
                }
                catch (final AgentTerminationException ex)
                {
                    return receiver.count() == 2;
                }
                catch (final Exception ex)
                {
                    throw new IllegalStateException(ex);
                }
                return false;
            });
            feeder.onClose();
            assertEquals(1, feeder.refused());
            assertEquals(0, receiver.counter("lost"));
        }
    }

    @Test
    @Tag("normal")
    void shouldAllocateNothingForAPacket() throws Exception
    {
        final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
        try (Receiver receiver = new Receiver(source).countOnly())
        {
            final Feeder feeder = new Feeder(
                new GeneratedFeed(100, Long.MAX_VALUE, 1), loopback(source.port(0))).rate(1e6);
            feeder.onStart();
            Allocations.shouldBeNone(() ->
            {
                final long until = receiver.count() + 20_000;
                while (receiver.count() < until)
                {
                    feeder.doWork();
                    receiver.invoke();
                }
            });
            feeder.onClose();
            assertEquals(0, receiver.counter("lost"));
        }
    }

    @Test
    void shouldGenerateTheSameForTheSameSeed()
    {
        final GeneratedFeed one = new GeneratedFeed(50, 10_000, 42);
        final GeneratedFeed two = new GeneratedFeed(50, 10_000, 42);
        final BboEvent first = new BboEvent();
        final BboEvent second = new BboEvent();
        for (int i = 0; i < 10_000; i++)
        {
            assertTrue(one.next(first) && two.next(second));
            assertEquals(first.symbol(), second.symbol());
            assertEquals(first.bidPrice(), second.bidPrice());
            assertEquals(first.askPrice(), second.askPrice());
            assertTrue(Symbols.isValid(first.symbol()) && first.spread() >= 100 && first.spread() <= 1_600);
        }
        assertFalse(one.next(first));
        assertFalse(one.next(first));
    }

    @Test
    void shouldRefuseSettingsOutOfRange()
    {
        final Feeder feeder = new Feeder(new GeneratedFeed(1, 1, 1), loopback(9));
        for (final double wrong : new double[]{0, -1, Double.NaN, Double.POSITIVE_INFINITY})
        {
            assertThrows(IllegalArgumentException.class, () -> feeder.rate(wrong));
            assertThrows(IllegalArgumentException.class, () -> feeder.recordedPace(wrong));
        }
        assertThrows(IllegalArgumentException.class, () -> feeder.form(PacketForm.ANY));
        assertThrows(IllegalArgumentException.class, () -> feeder.session(0));
        assertThrows(IllegalArgumentException.class, () -> feeder.payloadLength(27));
        assertThrows(IllegalArgumentException.class, () -> feeder.payloadLength(59).onStart());
        assertThrows(IllegalArgumentException.class, () -> new GeneratedFeed(0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new GeneratedFeed(1, -1, 1));
    }
}
