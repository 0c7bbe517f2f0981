package io.millrace.server.lines;

import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.monitor.AdminConsole;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A source and a console in a process with few file descriptors: clients connect when none is free. */
public final class ScarceSocketsProgram
{
    private static final int TIMEOUT_MS = 30_000;
    /** Connections served before. Each that is closed late lets one accept succeed. */
    private static final int SERVED = 4;
    /** Failed accepts of each: without pauses they take no time. */
    private static final int FAILURES = 4;
    /** Longest interval in which an accept loop may try twice. */
    private static final long LEAST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final SocketLineSource<LineEvent> source = new SocketLineSource<>(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8, LinesFixture.format());
    private final AdminConsole console = new AdminConsole(0);
    private final Server server;
    private long lines;

    private ScarceSocketsProgram()
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0)
            .service(console).flow("lines", f -> f.from(() -> new LineEvent(LinesFixture.LINE_BYTES), 64, source)
                .to("end", (event, sequence, end) -> lines++)));
    }

    /** @param arguments none. The exit code is 0 when both have paused after a failed accept and served later. */
    public static void main(final String[] arguments) throws IOException
    {
        new ScarceSocketsProgram().run();
    }

    private void run() throws IOException
    {
        // Loads all classes: that needs descriptors, too.
        for (int i = 0; i < SERVED / 2; i++)
        {
            serve(connected(source.port()), connected(console.port()));
            invoke(TimeUnit.MILLISECONDS.toNanos(1));
        }
        final Socket[] senders = new Socket[SERVED + 1];
        final Socket[] askers = new Socket[SERVED + 1];
        for (int i = 0; i <= SERVED; i++)
        {
            senders[i] = bound();
            askers[i] = bound();
        }
        final List<Closeable> files = Descriptors.takeAll();
        final long beginNs = System.nanoTime();
        for (int i = 0; i <= SERVED; i++)
        {
            connect(senders[i], source.port());
            connect(askers[i], console.port());
        }
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        while (Math.min(failed(), refused()) < FAILURES && System.nanoTime() - beginNs < limitNs)
        {
            invoke(TimeUnit.MILLISECONDS.toNanos(1));
        }
        final long failed = failed();
        final long refused = refused();
        final long attempts = (System.nanoTime() - beginNs) / LEAST_PAUSE_NS + 2;
        for (final Closeable file : files)
        {
            file.close();
        }
        System.out.println("source " + failed + ", console " + refused + " failed accepts of at most " + attempts);
        serve(senders[SERVED], askers[SERVED]);
        System.exit(
            lines == 3 && Math.min(failed, refused) >= FAILURES && Math.max(failed, refused) <= attempts ? 0 : 1);
    }

    private long failed()
    {
        return server.counters().value("lines-source.failed");
    }

    private long refused()
    {
        return server.counters().value("admin-console.refused");
    }

    private void invoke(final long durationNs)
    {
        // Both are read in each cycle, so that they are loaded before the descriptors are taken.
        final long beginNs = System.nanoTime();
        while (failed() + refused() >= 0 && System.nanoTime() - beginNs < durationNs)
        {
            server.invoke();
            Thread.yield();
        }
    }

    private static Socket bound() throws IOException
    {
        final Socket socket = new Socket();
        socket.bind(null);
        return socket;
    }

    private static Socket connected(final int port) throws IOException
    {
        final Socket socket = bound();
        connect(socket, port);
        return socket;
    }

    private static void connect(final Socket socket, final int port) throws IOException
    {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
    }

    /** A line of one client becomes an event, and a command of the other one is answered. */
    private void serve(final Socket sender, final Socket asker) throws IOException
    {
        try (sender; asker)
        {
            final long before = lines;
            sender.getOutputStream().write("one line\n".getBytes(StandardCharsets.UTF_8));
            while (lines == before)
            {
                server.invoke();
                Thread.yield();
            }
            asker.getOutputStream().write("help\n".getBytes(StandardCharsets.UTF_8));
            if (asker.getInputStream().read() < 0)
            {
                throw new IOException("the console has closed the connection");
            }
        }
    }
}
