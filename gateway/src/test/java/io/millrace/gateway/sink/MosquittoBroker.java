package io.millrace.gateway.sink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A mosquitto of its own on loopback. */
final class MosquittoBroker implements MqttBroker
{
    private static final Path PROGRAM = Path.of("/usr/sbin/mosquitto");

    private final Path folder;
    private final int port;
    private Process process;

    /** A stopped broker that wants the password {@code secret} of the user {@code gateway}, if it wants one. */
    MosquittoBroker(final Path folder, final boolean withPassword) throws IOException, InterruptedException
    {
        this.folder = folder;
        port = freePort();
        final Path passwords = folder.resolve("passwords");
        if (withPassword)
        {
            final Process made = new ProcessBuilder(
                "mosquitto_passwd", "-b", "-c", passwords.toString(), "gateway", "secret").start();
            assertEquals(0, made.waitFor());
        }
        // Runs as the user of the test. Keeps what subscribers have not got, without a limit.
        Files.write(folder.resolve("mosquitto.conf"), List.of(
            "listener " + port + " 127.0.0.1",
            withPassword ? "password_file " + passwords : "allow_anonymous true",
            "user " + System.getProperty("user.name"),
            "max_queued_messages 0", "persistence true", "persistence_location " + folder + "/",
            "log_dest file " + folder.resolve("log")));
    }

    /** Another port for TLS. Before the start. */
    int addTls(final Path certificate, final Path key) throws IOException
    {
        final int tlsPort = freePort();
        Files.write(folder.resolve("mosquitto.conf"), List.of("listener " + tlsPort + " 127.0.0.1",
            "certfile " + certificate, "keyfile " + key), StandardOpenOption.APPEND);
        return tlsPort;
    }

    static boolean isInstalled()
    {
        return Files.isExecutable(PROGRAM);
    }

    /**
     * Below the ports that the system gives to clients: one of those may connect to itself while the broker is away,
     * and take the port from it.
     */
    static int freePort()
    {
        while (true)
        {
            final int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress()))
            {
                return socket.getLocalPort();
            }
            catch (final IOException ex)
            {
                // Taken: the next one.
                continue;
            }
        }
    }

    @Override
    public int port()
    {
        return port;
    }

    @Override
    public void start() throws IOException
    {
        process = new ProcessBuilder(PROGRAM.toString(), "-c", folder.resolve("mosquitto.conf").toString())
            .redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile()).start();
        SinkRig.until("mosquitto", () -> accepts(port));
    }

    static boolean accepts(final int port)
    {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port))
        {
            return socket.isConnected();
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    @Override
    public void stop() throws InterruptedException
    {
        process.destroy();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }

    /** SIGKILL: it loses what it has acknowledged since it saved. */
    @Override
    public void kill() throws InterruptedException
    {
        process.destroyForcibly();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.destroyForcibly();
        }
    }
}
