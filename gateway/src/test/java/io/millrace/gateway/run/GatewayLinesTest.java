package io.millrace.gateway.run;

import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.gateway.itch.HourFeed;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** U2: line A is a multicast group, line B is unicast; A falls silent halfway. */
@Timeout(180)
class GatewayLinesTest
{
    private static final int PACKETS = 400;
    private static final String GROUP = "239.255.18.2";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldTakeEachPacketOnceFromTwoLines() throws Exception
    {
        final CompletableFuture<Gateway> started = new CompletableFuture<>();
        final CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> GatewayMain.run(
            null, started::complete, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "--udp", "0", "--multicast", GROUP, "--interface", loopback().getName(), "--udp-b", "0",
            "--tcp-port", "0", "--sequence", "--queue", "1024"), HourFeed.THREADS);
        final Gateway gateway = started.get(60, TimeUnit.SECONDS);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.tcpPort());
            BufferedReader client = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            while (gateway.server().counters().value("tcp.clients") == 0)
            {
                Thread.sleep(1);
            }
            final Feeder a = new Feeder(new GeneratedFeed(3, PACKETS / 2, 1),
                new InetSocketAddress(GROUP, gateway.udpPort(0))).groupInterface(loopback());
            final Feeder b = new Feeder(new GeneratedFeed(3, PACKETS, 1),
                new InetSocketAddress("127.0.0.1", gateway.udpPort(1)));
            send(a.session(5).rate(20_000), b.session(5).rate(20_000));
            for (int i = 1; i <= PACKETS; i++)
            {
                final String json = client.readLine();
                assertTrue(json.endsWith(",\"sequence\":" + i + "}"), json);
            }
            while (gateway.server().counters().value("bbo-source.received") < PACKETS + PACKETS / 2)
            {
                Thread.sleep(1);
            }
            gateway.stop();
            assertEquals(0, code.get(60, TimeUnit.SECONDS));
        }
        assertEquals("", err.toString(StandardCharsets.UTF_8));
        final String report = out.toString(StandardCharsets.UTF_8);
        assertTrue(report.contains(" of " + GROUP + "\ninput: UDP port "), report);
        assertEquals(PACKETS / 2, gateway.server().counters().value("bbo-source.receivedA"));
        assertEquals(PACKETS, gateway.server().counters().value("bbo-source.receivedB"));
        assertEquals(PACKETS / 2, gateway.server().counters().value("bbo-source.duplicates"));
        assertEquals(0, gateway.server().counters().value("bbo-source.lost"));
    }

    private static NetworkInterface loopback()
    {
        try
        {
            return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void send(final Feeder... feeders) throws Exception
    {
        for (final Feeder feeder : feeders)
        {
            feeder.onStart();
        }
        int running = feeders.length;
        final boolean[] ended = new boolean[feeders.length];
        while (running > 0)
        {
            for (int i = 0; i < feeders.length; i++)
            {
                try
                {
                    ended[i] = ended[i] || feeders[i].doWork() < 0;
                }
                catch (final AgentTerminationException expected)
                {
                    ended[i] = true;
                    running--;
                }
            }
            Thread.sleep(1);
        }
        for (final Feeder feeder : feeders)
        {
            feeder.onClose();
        }
    }
}
