package io.millrace.gateway.sink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A mosquitto of its own on loopback. */
final class MosquittoBroker extends LocalBroker
{
    private static final Path PROGRAM = Path.of("/usr/sbin/mosquitto");

    /** A stopped broker that wants the password {@code secret} of the user {@code gateway}, if it wants one. */
    MosquittoBroker(final Path folder, final boolean withPassword) throws IOException, InterruptedException
    {
        super(folder);
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

    @Override
    void start() throws IOException
    {
        process = new ProcessBuilder(PROGRAM.toString(), "-c", folder.resolve("mosquitto.conf").toString())
            .redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile()).start();
        SinkRig.until("mosquitto", () -> accepts());
    }
}
