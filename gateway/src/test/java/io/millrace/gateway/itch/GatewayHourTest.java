package io.millrace.gateway.itch;

import io.millrace.gateway.run.Gateway;
import io.millrace.gateway.run.GatewayMain;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The recorded hour: ITCH file, feeder, UDP, gateway, TCP client. */
class GatewayHourTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldDeliverEachChangeOnceAndInOrder() throws Exception
    {
        final Path file = HourFeed.file();
        final CompletableFuture<Gateway> started = new CompletableFuture<>();
        final CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> GatewayMain.run(
            null, started::complete, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "--udp", "0", "--tcp-port", "0", "--sequence", "--queue", "32768", "--quiet"), HourFeed.THREADS);
        final Gateway gateway = started.get(60, TimeUnit.SECONDS);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.tcpPort());
            BufferedReader client = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            socket.setSoTimeout(60_000);
            while (gateway.server().counters().value("tcp.clients") == 0)
            {
                Thread.sleep(1);
            }
            final CompletableFuture<Void> feed =
                CompletableFuture.runAsync(() -> HourFeed.send(file, gateway), HourFeed.THREADS);
            for (final String quote : HourFeed.quotes(file))
            {
                assertEquals(quote, HourFeed.quote(client.readLine()));
            }
            feed.get(60, TimeUnit.SECONDS);
            gateway.stop();
            assertEquals(0, code.get(60, TimeUnit.SECONDS));
            assertEquals(null, client.readLine());
        }
        assertEquals("", err.toString(StandardCharsets.UTF_8));
        final String report = out.toString(StandardCharsets.UTF_8);
        assertTrue(report.contains("samples 23,456, "), report);
        assertEquals(HourFeed.CHANGES, gateway.server().counters().value("tcp.delivered"));
    }
}
