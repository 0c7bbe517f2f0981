package io.millrace.gateway.run;

import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.pool.testkit.ChildJvm;
import io.millrace.testing.Await;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The gateway in a JVM of its own. */
class GatewayProcessTest
{
    private static final int PACKETS = 100;

    @TempDir
    private Path folder;

    private Process start(final String classPath, final String... args) throws IOException
    {
        final String[] command = {Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
            "-cp", classPath, GatewayMain.class.getName()};
        final String[] all = Arrays.copyOf(command, command.length + args.length);
        System.arraycopy(args, 0, all, command.length, args.length);
        return new ProcessBuilder(all).redirectError(folder.resolve("err").toFile()).start();
    }

    private static int port(final BufferedReader lines, final String before) throws IOException
    {
        final String line = lines.readLine();
        assertTrue(line != null && line.startsWith(before), line);
        return Integer.parseInt(line.substring(before.length()));
    }

    @Test
    void shouldLeaveTheJvmsEndToTheProgramAfterAFailure() throws Exception
    {
        final ChildJvm child = new ChildJvm().run(FailedRunProgram.class, "--udp", "0", "--disable-tcp");
        assertEquals(List.of("gateway: planted"), child.err, child::toString);
        assertEquals(7, child.exitCode, child::toString);
    }

    @Test
    void shouldDrainReportAndEndWithZeroAtSigterm() throws Exception
    {
        final Process gateway = start(System.getProperty("java.class.path"), "--udp", "0", "--tcp-port", "0",
            "--sequence", "--queue", "1024", "--hgrm", folder.resolve("gateway.hgrm").toString());
        try (BufferedReader lines = gateway.inputReader())
        {
            final int udpPort = port(lines, "input: UDP port ");
            final int tcpPort = port(lines, "output: TCP port ");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), tcpPort);
                BufferedReader client = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
            {
                // Either as an event or as the snapshot: then the client is connected.
                send(udpPort, PacketForm.PLAIN, 1);
                assertTrue(client.readLine().startsWith("{\"type\":\"bbo\",\"symbol\":\"S0000"));
                send(udpPort, PacketForm.EXTENDED, PACKETS);
                for (int i = 1; i <= PACKETS; i++)
                {
                    final String json = client.readLine();
                    assertTrue(json.startsWith("{\"type\":\"bbo\",\"symbol\":\"S0000"), json);
                    assertTrue(json.endsWith(",\"sequence\":" + i + "}"), json);
                }
                // The process itself would close our end of its output.
                gateway.toHandle().destroy();
                final String report = lines.lines().collect(Collectors.joining("\n"));
                assertTrue(gateway.waitFor(60, TimeUnit.SECONDS));
                assertEquals("", Files.readString(folder.resolve("err")));
                assertEquals(0, gateway.exitValue(), report);
                assertTrue(report.contains("samples 101, "), report);
                assertTrue(report.matches("(?s).*  avg \\S+  min \\S+  p50 \\S+  p95 \\S+  p99 \\S+  max \\S+ .*"),
                    report);
                assertTrue(report.contains("quotes by type: two-sided 101, "), report);
                assertTrue(report.contains("quotes by symbol (3 symbols):"), report);
                assertTrue(report.matches("(?s).*bbo-source.published +101 .*tcp.delivered +101 .*"), report);
                assertTrue(Files.readString(folder.resolve("gateway.hgrm")).contains("Total count    =          101"));
            }
        }
        finally
        {
            gateway.destroyForcibly();
        }
    }

    private static void send(final int port, final PacketForm form, final int packets) throws Exception
    {
        final Feeder feeder = new Feeder(
            new GeneratedFeed(3, packets, 1), new InetSocketAddress("127.0.0.1", port)).rate(5_000).form(form);
        feeder.onStart();
        try
        {
            while (feeder.doWork() >= 0)
            {
                Thread.sleep(1);
            }
        }
        catch (final AgentTerminationException expected)
        {
            assertEquals(packets, feeder.sent());
        }
        feeder.onClose();
    }

    /** The counters have no reasons, so a wrong address or password would be found in the broker's log only. */
    @Tag("slow")
    @Test
    void shouldSayWhyAnOutputIsDown() throws Exception
    {
        final int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            free = socket.getLocalPort();
        }
        final Process gateway = start(System.getProperty("java.class.path"), "--udp", "0", "--disable-tcp",
            "--mqtt-broker", "127.0.0.1:" + free, "--admin-port", "0");
        try (BufferedReader lines = gateway.inputReader())
        {
            port(lines, "input: UDP port ");
            final int admin = port(lines, "admin console on loopback, port ");
            Await.until("the health", () -> health(admin).equals(
                "DEGRADED: service 'sinks': mqtt is DOWN: Connection refused: /127.0.0.1:" + free));
            final String reason = "gateway: output mqtt is DOWN: Connection refused: /127.0.0.1:" + free;
            // The library has messages of its own.
            Await.until("the reason", () -> lines(folder.resolve("err")).contains(reason));
            gateway.destroy();
            assertTrue(gateway.waitFor(60, TimeUnit.SECONDS));
            assertEquals(1, Collections.frequency(lines(folder.resolve("err")), reason));
            assertEquals(0, gateway.exitValue());
        }
        finally
        {
            gateway.destroyForcibly();
        }
    }

    private static String health(final int adminPort)
    {
        try (Socket console = new Socket(InetAddress.getLoopbackAddress(), adminPort);
            BufferedReader answers = new BufferedReader(
                new InputStreamReader(console.getInputStream(), StandardCharsets.US_ASCII)))
        {
            console.getOutputStream().write("health\n".getBytes(StandardCharsets.US_ASCII));
            return answers.readLine();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldSayWhichClientLibraryIsMissing() throws Exception
    {
        final String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("hivemq") && !entry.contains("kafka"))
            .collect(Collectors.joining(File.pathSeparator));
        final Process gateway = start(classPath, "--udp", "0", "--disable-tcp", "--kafka-broker", "localhost:9092");
        assertTrue(gateway.waitFor(60, TimeUnit.SECONDS));
        assertEquals("gateway: --kafka-broker: its client library is missing; add org.apache.kafka:kafka-clients to " +
            "the class path; see --help\n", Files.readString(folder.resolve("err")));
        assertEquals(2, gateway.exitValue());
    }
}
