package io.millrace.gateway.udp;

import io.millrace.gateway.Receiver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** U3, multicast and ports, with real sockets. */
@Tag("server")
class UdpEndpointTest
{
    private static final long SESSION = 77;

    private static UdpEndpoint anyPort()
    {
        return UdpEndpoint.loopback(0);
    }

    @Test
    void u3ShouldAcceptTheAllowedSendersOnly() throws IOException
    {
        try (Line first = new Line(9); Line second = new Line(9); Line spoofer = new Line(9))
        {
            final UdpSource source = new UdpSource(anyPort().from(first.address(), second.address()));
            try (Receiver receiver = new Receiver(source))
            {
                final InetSocketAddress to = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), source.port(0));
                for (final Line line : List.of(first, second, spoofer))
                {
                    line.channel.disconnect();
                    line.channel.connect(to);
                }
                first.extended(SESSION, 1);
                spoofer.extended(SESSION, 2);
                second.extended(SESSION, 2);
                spoofer.send(new byte[3]);
                receiver.until("all", () -> receiver.counter("received") == 4);
                assertEquals(2, receiver.counter("foreign"));
                assertEquals(2, receiver.count());
                UdpSourceTest.assertAllCounted(receiver);
            }
        }
    }

    @Test
    void u3ShouldConnectToTheOnlySender() throws IOException
    {
        try (Line sender = new Line(9); Line spoofer = new Line(9))
        {
            final UdpSource source = new UdpSource(anyPort().from(sender.address()));
            try (Receiver receiver = new Receiver(source))
            {
                final InetSocketAddress to = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), source.port(0));
                spoofer.channel.disconnect();
                spoofer.channel.connect(to);
                sender.channel.disconnect();
                sender.channel.connect(to);
                spoofer.send(new byte[3]);
                sender.extended(SESSION, 1);
                receiver.until("the packet", () -> receiver.count() == 1);
                assertEquals(1, receiver.counter("received"));
            }
        }
    }

    @Test
    void u3ShouldListenOnLoopbackUnlessTold() throws Exception
    {
        final UdpSource source = new UdpSource(anyPort());
        try (Receiver receiver = new Receiver(source))
        {
            assertTrue(source.describe().startsWith("UDP 127.0.0.1:0, socket buffer "), source.describe());
            assertEquals(0, receiver.count());
        }
        assertThrows(IllegalArgumentException.class, () -> UdpEndpoint.loopback(65_536));
        assertThrows(NullPointerException.class, () -> UdpEndpoint.unicast(null, 1));
    }

    @Test
    void shouldReceiveAMulticastGroupOnItsInterface() throws Exception
    {
        final NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
        final InetAddress group = InetAddress.getByName("239.255.77.1");
        final UdpSource source = new UdpSource(UdpEndpoint.multicast(group, 0, loopback));
        try (Receiver receiver = new Receiver(source); Line line = new Line(9))
        {
            line.channel.disconnect();
            line.channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            line.channel.connect(new InetSocketAddress(group, source.port(0)));
            line.extended(SESSION, 1);
            line.extended(SESSION, 3);
            receiver.until("both", () -> receiver.count() == 2);
            assertEquals(1, receiver.counter("lost"));
            // Bound to the group: what is sent to the machine's own address does not arrive.
            try (Line unicast = new Line(source.port(0)))
            {
                assertThrows(IOException.class, () ->
                {
                    for (int i = 0; i < 100; i++)
                    {
                        unicast.extended(SESSION, 4);
                        Thread.onSpinWait();
                    }
                });
            }
            line.extended(SESSION, 4);
            receiver.until("the third", () -> receiver.count() == 3);
            assertEquals(3, receiver.counter("received"));
        }
        assertThrows(IllegalArgumentException.class,
            () -> UdpEndpoint.multicast(InetAddress.getByName("127.0.0.1"), 1, loopback));
    }

    /** Both sockets of a group would get the same copies: one line is no spare of the other. */
    @Test
    void shouldRefuseASecondLineThatIsTheFirst() throws IOException
    {
        final NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
        final UdpEndpoint line =
            UdpEndpoint.multicast(InetAddress.getByName("239.255.77.2"), 26_400, loopback);
        assertEquals("line B is line A: " + line, assertThrows(IllegalArgumentException.class,
            () -> new UdpSource(line, line.bufferBytes(8_192))).getMessage());
        final UdpEndpoint ofOneSender = line.from(new InetSocketAddress("127.0.0.1", 1));
        assertEquals(0, new UdpSource(line, ofOneSender).port(1));
    }

    @Test
    void shouldNotStartOnAPortThatIsInUse() throws SocketException, IOException
    {
        try (DatagramSocket other = new DatagramSocket(0, InetAddress.getByName("127.0.0.1")))
        {
            final int port = other.getLocalPort();
            final UdpSource source = new UdpSource(anyPort(), UdpEndpoint.loopback(port));
            final Exception e = assertThrows(Exception.class, () -> new Receiver(source).close());
            assertTrue(e.toString().contains("127.0.0.1:" + port) ||
                String.valueOf(e.getCause()).contains("127.0.0.1:" + port), e::toString);
            assertEquals(0, source.port(0));
        }
    }
}
