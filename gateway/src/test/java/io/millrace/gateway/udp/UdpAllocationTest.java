package io.millrace.gateway.udp;

import io.millrace.gateway.Receiver;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * 0 bytes from the socket to the handler, and for each datagram that is refused. In normal mode: checked mode
 * allocates.
 */
@Tag("normal")
class UdpAllocationTest
{
    private static final int ROUNDS = 4_000;

    private long sequence;

    private static void shouldAllocateNothing(final UdpSource source, final Line line, final Window window)
        throws Exception
    {
        try (Receiver receiver = new Receiver(source).countOnly())
        {
            line.channel.connect(new InetSocketAddress("127.0.0.1", source.port(0)));
            Allocations.shouldBeNone(() ->
            {
                for (int i = 0; i < ROUNDS; i++)
                {
                    window.send(i);
                    receiver.invoke();
                }
            });
        }
    }

    /** One datagram or some. */
    @FunctionalInterface
    private interface Window
    {
        void send(int round) throws IOException;
    }

    @Test
    void shouldAllocateNothingForADatagram() throws Exception
    {
        final ByteBuffer malformedPacket = ByteBuffer.allocateDirect(256);
        try (Line line = new Line(9))
        {
            line.channel.disconnect();
            shouldAllocateNothing(
                new UdpSource(UdpEndpoint.loopback(0).bufferBytes(1 << 20)).maxAgeNs(1_000_000_000), line, round ->
                {
                    // In order, a gap, a duplicate, a late one; plain ones; crossed and stale ones; malformed ones.
                    sequence += round % 100 == 0 ? 2 : 1;
                    line.extended(7, sequence);
                    line.extended(7, sequence - round % 3);
                    line.plain(Line.B, 100 + round);
                    line.extended(Line.A, 7, ++sequence, 300, 200, 0);
                    malformedPacket.clear();
                    line.channel.write(malformedPacket);
                });
        }
    }
}
