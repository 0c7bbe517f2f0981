package io.millrace.server.lines;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.Server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A source in a process whose system refuses some calls of fcntl(2): not all sockets can be made non-blocking. */
public final class RefusedSocketsProgram
{
    private static final int CONNECTIONS = 100;
    /** What the JDK may open meanwhile. */
    private static final int OTHERS = 4;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    private RefusedSocketsProgram()
    {
    }

    /** @param arguments none. The exit code is 0 when each connection is counted once and no descriptor is left. */
    public static void main(final String[] arguments) throws IOException
    {
        final SocketLineSource<LineEvent> source = new SocketLineSource<>(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2, LinesFixture.format());
        try (Server server = Server.launch(new Server.Context().stallTimeoutNs(0).flow("lines", f ->
            f.from(() -> new LineEvent(LinesFixture.LINE_BYTES), 64, source).to("end", (event, sequence, end) -> {}))))
        {
            connect(server, source, 1);
            final long before = Descriptors.open();
            for (int i = 2; i <= CONNECTIONS; i++)
            {
                connect(server, source, i);
            }
            await(() -> Descriptors.open() <= before + OTHERS);
            final long failed = value(server, "failed");
            System.out.println(before + " descriptors became " + Descriptors.open() + ", " + failed + " failed, " +
                value(server, "accepted") + " accepted");
            System.exit(failed == 0 ? ChildJvm.NOTHING_REFUSED :
                failed + value(server, "accepted") == CONNECTIONS && Descriptors.open() <= before + OTHERS ? 0 : 1);
        }
    }

    /** A connect without a timeout needs no fcntl. */
    private static void connect(final Server server, final SocketLineSource<?> source, final int count)
        throws IOException
    {
        new Socket(InetAddress.getLoopbackAddress(), source.port()).close();
        await(() -> value(server, "accepted") + value(server, "failed") >= count && value(server, "open") == 0);
    }

    private static long value(final Server server, final String name)
    {
        return server.counters().value("lines-source." + name);
    }

    private static void await(final BooleanSupplier reached)
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        while (!reached.getAsBoolean() && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
