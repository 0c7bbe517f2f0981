package io.millrace.gateway.sink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A broker in a process of its own, on loopback. */
abstract class LocalBroker implements AutoCloseable
{
    private static final long LIMIT_S = 60;

    final Path folder;
    final int port = freePort();
    Process process;

    /** A stopped broker. */
    LocalBroker(final Path folder)
    {
        this.folder = folder;
    }

    abstract void start() throws IOException;

    /** SIGTERM: it saves what it has acknowledged. */
    final void stop() throws InterruptedException
    {
        process.destroy();
        assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS));
    }

    /** SIGKILL: it may lose what it has acknowledged since it saved. */
    final void kill() throws InterruptedException
    {
        process.destroyForcibly();
        assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS));
    }

    @Override
    public final void close()
    {
        if (process != null)
        {
            process.destroyForcibly();
        }
    }

    final boolean accepts()
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
}
